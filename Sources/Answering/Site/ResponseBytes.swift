import HTTPMessages

/// The bytes of a site while they are put together: in pieces, so that a large file is copied
/// once and nothing is held besides.
struct ResponseBytes {
    private var pieces = [[UInt8]]()
    private var count = 0

    mutating func add(_ piece: [UInt8]) -> Range<Int> {
        pieces.append(piece)
        count += piece.count
        return count - piece.count..<count
    }

    func joined() -> [UInt8] {
        var bytes = [UInt8]()
        bytes.reserveCapacity(count)
        for piece in pieces { bytes += piece }
        return bytes
    }

    /// A head with its status line, a date to be filled in, and `fields`.
    mutating func addHead(_ status: Status, _ fields: [UInt8]) -> PreparedHead {
        let line = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\nDate: "
        let date = [UInt8](repeating: UInt8(ascii: "-"), count: HTTPDate.count)
        let range = add(Array(line.utf8) + date + "\r\n".utf8 + fields)
        _ = add(Array("\r\n".utf8))
        return PreparedHead(range: range, dateOffset: line.utf8.count, status: status)
    }

    /// All forms of heads for one body, and the body behind them.
    mutating func addRepresentation(
        body: [UInt8], entityTag: String, fields: [String]
    ) -> Representation {
        let representation = addHeads(
            count: body.count, entityTag: entityTag, modified: nil, fields: fields)
        _ = add(body)
        return representation
    }

    /// All forms of heads for one body, whose range is the one behind them.
    /// - Parameters:
    ///   - entityTag: with its quotes.
    ///   - modified: seconds since 1970.
    ///   - fields: field lines beside Content-Length, ETag and Last-Modified.
    mutating func addHeads(
        count bodyBytes: Int, entityTag: String, modified: Int?, fields: [String]
    ) -> Representation {
        var validators = ["ETag: \(entityTag)"]
        if let modified { validators.append("Last-Modified: \(HTTPDate.text(modified))") }
        let type = fields.filter { $0.hasPrefix("Content-Type: ") }
        let others = add(fieldLines(validators + fields.filter { !type.contains($0) }))
        let contentType = add(fieldLines(type))
        let shared = others.lowerBound..<contentType.upperBound
        // A 304 repeats what a cache needs to update what it holds (RFC 9110 §15.4.5).
        let unchanged = fields.filter { line in
            !["Content-Type: ", "Content-Encoding: "].contains { line.hasPrefix($0) }
        }
        let notModified = addHead(.notModified, fieldLines(validators + unchanged))
        let head = addHead(.ok, fieldLines(["Content-Length: \(bodyBytes)"] + validators + fields))
        return Representation(
            head: head, notModified: notModified, sharedFields: shared,
            contentType: contentType, body: count..<count + bodyBytes,
            validators: Validators(
                entityTag: tagRange(of: entityTag, from: shared.lowerBound), lastModified: modified)
        )
    }

    private func tagRange(of tag: String, from start: Int) -> Range<Int> {
        let lower = start + "ETag: ".utf8.count
        return lower..<lower + tag.utf8.count
    }
}
