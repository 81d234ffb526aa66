import HTTPMessages

/// However the bytes of a connection are cut, they are the same requests.
@Sendable func readRequests(_ bytes: [UInt8]) {
    let whole = RequestStream(bytes, pieceBytes: max(1, bytes.count))
    for pieceBytes in [1, 7] {
        let cut = RequestStream(bytes, pieceBytes: pieceBytes)
        require(cut == whole, "in pieces of \(pieceBytes): \(cut), whole: \(whole)")
    }
    var end = 0
    for request in whole.requests {
        require(request.headEnd > end, "a head is empty")
        end = request.contentEnd ?? bytes.count
        require(request.content.count <= end - request.headEnd, "content that was not sent")
        if case .some = request.contentEnd, request.framing.hasPrefix("length") {
            require(
                request.content.elementsEqual(bytes[request.headEnd..<end]),
                "content differs from what was sent")
        }
        require(end >= request.headEnd && end <= bytes.count, "content ends out of the stream")
    }
    // What a request says stands in it, and could be sent on: no control is in it.
    for request in whole.requests {
        for text in request.fields.values.joined() + [request.target, request.host] {
            require(!text.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a control: \(text)")
        }
    }
}

/// Conditions, ranges, codings and dates, each read from a line of the text.
@Sendable func readFields(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
    let names = ["If-None-Match", "If-Modified-Since", "Range", "Accept-Encoding"]
    var text = Array("GET / HTTP/1.1\r\nHost: a\r\nIf-Range: \"abc\"\r\n".utf8)
    for (name, line) in zip(names, lines) { text += Array("\(name): ".utf8) + line + [0x0D, 0x0A] }
    text += [0x0D, 0x0A]
    var reader = RequestReader()
    guard (try? reader.read(text, 0..<text.count)) != nil else { return }
    let (tag, now, size) = (Array("\"abc\"".utf8), 784_111_777, 1000)
    let validators = Validators(entityTag: 0..<tag.count, lastModified: now)
    for available in [ContentCodings(), ContentCodings(.gzip), ContentCodings(.zstd, .brotli)] {
        let coding = reader.fields.contentCoding(text, among: available)
        require(coding.map(available.contains) != false, "a coding that there is not")
    }
    _ = reader.fields.evaluateConditions(text, validators, in: tag, now: now)
    switch reader.fields.requestedRange(text, of: size, validators, in: tag, now: now) {
    case .part(let range): require(!range.isEmpty && range.upperBound <= size, "\(range)")
    case .parts(let ranges):
        require((2...16).contains(ranges.count), "\(ranges.count) parts")
        for (index, range) in ranges.enumerated() {
            require(!range.isEmpty && range.upperBound <= size, "\(range)")
            for other in ranges[..<index] { require(!other.overlaps(range), "\(other), \(range)") }
        }
    default: break
    }
    for line in lines {
        let line = Array(line)
        guard let seconds = HTTPDate.parse(line, 0..<line.count, now: now) else { continue }
        let written = HTTPDate.format(seconds)
        require(
            HTTPDate.parse(written, 0..<written.count, now: now) == seconds,
            "\(seconds) is written \(String(decoding: written, as: UTF8.self))")
    }
}
