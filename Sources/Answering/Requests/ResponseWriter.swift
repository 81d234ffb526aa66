package import HTTPMessages
package import Memory
import URISyntax

/// Writes responses. It owns the bytes on their way out, before encryption, and the date; what it
/// writes from is the site in force, or the one that a delayed answer was decided with.
package struct ResponseWriter: ~Copyable {
    /// Responses, one after the other.
    package var output: ByteBuffer

    var parts: Selection<Parts>
    /// The number of the site that is written from; nil for none.
    package private(set) var siteNumber: Int? = 0

    /// The parts of a site that are written from.
    struct Parts {
        let bytes: [UInt8]
        let statuses: PreparedStatuses
        /// The field line that tells browsers to stay with https; empty for none.
        let transportSecurity: [UInt8]
        /// What stands behind the URL of most redirects over TLS: that line between the end of the
        /// one before and an empty one.
        let redirectEnd: [UInt8]

        init(_ site: PreparedSite) {
            bytes = site.bytes
            statuses = site.statuses
            transportSecurity = site.transportSecurity
            redirectEnd = Array("\r\n".utf8) + site.transportSecurity + "\r\n".utf8
        }
    }

    /// Bodies up to this size are copied behind their head.
    private let copiedBodyBytesMax: Int
    /// The time as the Date field writes it.
    private var date: DateWords
    /// The status that was written last, and where in `output` its head ends.
    package private(set) var status = Status.ok
    package private(set) var headEnd = 0
    /// Content besides the site's of which a part is still to be written.
    private var longContent: Content?
    /// The request id that the response carries (X-Request-ID); empty for none.
    package private(set) var requestIdentifier = [UInt8]()

    /// - Parameters:
    ///   - capacity: of `output`, in bytes; a head and a copied body must fit.
    ///   - now: seconds since 1970.
    package init(_ sites: SiteTable, capacity: Int, now: Int) {
        output = ByteBuffer(capacity: capacity)
        copiedBodyBytesMax = sites.sites[0].limits.copiedBodyBytesMax
        parts = Selection(sites.sites.map(Parts.init))
        date = DateWords(now)
    }

    /// Writes from these sites from now on.
    package mutating func use(_ sites: SiteTable) {
        parts = Selection(sites.sites.map(Parts.init))
        siteNumber = 0
    }

    /// Writes from another site of these.
    /// - Parameter number: nil for what all sites answer alike.
    package mutating func useSite(_ number: Int?) {
        siteNumber = number
        parts.select(number ?? 0)
    }

    /// Writes from a site that may be of an earlier table.
    package mutating func use(_ site: PreparedSite) {
        siteNumber = -1
        parts.select(Parts(site))
    }

    /// - Parameter now: seconds since 1970.
    package mutating func setDate(_ now: Int) { date = DateWords(now) }

    /// Lets the next response carry a request id, or none.
    package mutating func setRequestIdentifier(_ bytes: ArraySlice<UInt8>) {
        requestIdentifier.removeAll(keepingCapacity: true)
        requestIdentifier += bytes
    }

    /// Writes a response's head, and its body too when it is small.
    /// - Parameters:
    ///   - text: the ranges of a redirect are ranges of it.
    ///   - isSecure: whether the client speaks TLS.
    /// - Returns: what of the body is still to be written, as a range of what `takeBody` returns.
    package mutating func write(
        _ answer: consuming Answer, _ ending: Ending, isSecure: Bool,
        _ text: [UInt8]
    ) -> Range<Int> {
        if case .prepared(let head, let body) = answer {
            return write(head, body, ending, isSecure)
        }
        return writeOther(answer, ending, isSecure, text)
    }

    /// A function of its own, so that association files do not pay for what the other answers need.
    @inline(never)
    private mutating func writeOther(
        _ answer: consuming Answer, _ ending: Ending, _ isSecure: Bool, _ text: [UInt8]
    ) -> Range<Int> {
        switch consume answer {
        case .prepared(let head, let body):
            return write(head, body, ending, isSecure)
        case .file(let file): return writeFile(file, ending, isSecure)
        case .noPart(let count):
            writeNoPart(of: count, ending, isSecure)
        case .redirect(let host, let port, let target):
            writeHead(parts.value.statuses.permanentRedirect)
            writeLocation(host, port, target, text)
            finishRedirect(ending, isSecure)
        case .moved(let location):
            writeRedirect(parts.value.statuses.permanentRedirect, location, ending, isSecure)
        case .found(let location, let status):
            writeRedirect(parts.value.statuses.redirect(status), location, ending, isSecure)
        case .fixed(let location, let status):
            writeHead(parts.value.statuses.redirect(status))
            writeURL(location, text)
            finishRedirect(ending, isSecure)
        case .document(let document, let isHead):
            return writeDocument(document, isHead: isHead, ending, isSecure)
        case .unchanged(let document):
            writeStatusLine(.notModified)
            output.append(document.cacheFields, 0..<document.cacheFields.count)
            finish(ending, isSecure)
        case .status(let status, let isHead):
            let prepared = parts.value.statuses[status]
            return write(prepared.head, isHead ? nil : prepared.body, ending, isSecure)
        case .later(_, let isHead):
            // Whoever cannot ask has nothing to answer with.
            let prepared = parts.value.statuses[.serviceUnavailable]
            return write(prepared.head, isHead ? nil : prepared.body, ending, isSecure)
        }
        return 0..<0
    }

    /// The answer to plain HTTP on a port that speaks TLS.
    package func plainRequest(isHead: Bool) -> Answer {
        let answer = parts.value.statuses.plainRequest
        return .prepared(answer.head, body: isHead ? nil : answer.body)
    }

    /// The content that the range returned by `write` lies in: a file's, a generated page, or the
    /// site's bytes.
    package mutating func takeBody() -> Content {
        guard let content = longContent else { return .bytes(parts.value.bytes) }
        longContent = nil
        return content
    }

    /// An answer as it can wait for its request's content, without ranges of the input.
    package mutating func detached(_ answer: consuming Answer, from text: [UInt8]) -> Answer {
        let start = output.count
        switch answer {
        case .redirect(let host, let port, let target):
            writeLocation(host, port, target, text)
            return .moved(takeOutput(from: start))
        case .fixed(let location, let status):
            writeURL(location, text)
            return .found(takeOutput(from: start), status)
        default: return answer
        }
    }

    private mutating func takeOutput(from start: Int) -> [UInt8] {
        defer { output.removeAll(from: start) }
        return Array(output.storage[start..<output.count])
    }

    // MARK: Heads

    /// A prepared head with today's date and the connection's fate, and the body if it is small.
    @inline(__always)
    mutating func write(
        _ head: PreparedHead, _ body: Range<Int>?, _ ending: Ending, _ isSecure: Bool
    ) -> Range<Int> {
        let body = body ?? head.end..<head.end
        let isTogether = body.lowerBound == head.end && body.count <= copiedBodyBytesMax
        status = head.status
        let (start, end) = (output.count, isTogether ? body.upperBound : head.end)
        let hasOwnFields =
            isSecure && !parts.value.transportSecurity.isEmpty || !requestIdentifier.isEmpty
        if case .stays = ending, !hasOwnFields {
            output.append(parts.value.bytes, head.range.lowerBound..<end)
        } else {
            output.append(parts.value.bytes, head.range)
            writeConnectionFields(ending, isSecure)
            output.append(parts.value.bytes, head.range.upperBound..<end)
        }
        headEnd = output.count - (end - head.end)
        date.write(to: &output.storage, at: start + head.dateOffset)
        return isTogether ? 0..<0 : writeBody(body)
    }

    /// Writes what depends on the connection. Strict-Transport-Security is sent only over https, as
    /// RFC 6797 §7.2 wants.
    private mutating func writeConnectionFields(_ ending: Ending, _ isSecure: Bool) {
        // Browsers stay with https for the hosts of the site that says so, and no others.
        if isSecure, siteNumber != nil {
            output.append(parts.value.transportSecurity, 0..<parts.value.transportSecurity.count)
        }
        if !requestIdentifier.isEmpty {
            output.append("X-Request-ID: ")
            output.append(requestIdentifier, 0..<requestIdentifier.count)
            output.append("\r\n")
        }
        switch ending {
        case .stays: break
        case .staysForHTTP10: output.append("Connection: keep-alive\r\n")
        case .closes: output.append("Connection: close\r\n")
        }
    }

    mutating func finish(_ ending: Ending, _ isSecure: Bool) {
        writeConnectionFields(ending, isSecure)
        output.append("\r\n")
        endHead()
    }

    /// The head is whole; what is written next is of the body.
    mutating func endHead() { headEnd = output.count }

    mutating func writeStatusLine(_ status: Status) {
        self.status = status
        output.append("HTTP/1.1 ")
        output.append(decimal: status.rawValue)
        output.append(UInt8(ascii: " "))
        output.append(status.reason)
        output.append("\r\nDate: ")
        let start = output.count
        output.grow(by: HTTPDate.count)
        date.write(to: &output.storage, at: start)
        output.append("\r\n")
    }

    // MARK: Bodies

    private mutating func writeBody(_ body: Range<Int>) -> Range<Int> {
        guard body.count <= copiedBodyBytesMax else { return body }
        output.append(parts.value.bytes, body)
        return 0..<0
    }

    /// Returns what is still to be written, as a range of `longContent`.
    mutating func writeGenerated(_ body: [UInt8]) -> Range<Int> {
        guard body.count <= copiedBodyBytesMax else {
            longContent = .generated(body)
            return 0..<body.count
        }
        output.append(body, 0..<body.count)
        return 0..<0
    }

    private mutating func writeDocument(
        _ document: Document, isHead: Bool, _ ending: Ending, _ isSecure: Bool
    ) -> Range<Int> {
        writeStatusLine(document.status)
        let type = fieldLines(["Content-Type: \(document.type)"])
        output.append(type, 0..<type.count)
        output.append("Content-Length: ")
        output.append(decimal: document.body.count)
        output.append("\r\n")
        output.append(document.cacheFields, 0..<document.cacheFields.count)
        output.append(document.fields, 0..<document.fields.count)
        finish(ending, isSecure)
        return isHead ? 0..<0 : writeGenerated(document.body)
    }

    // MARK: Handlers

    /// Writes the head of an answer that a handler gives.
    /// - Parameter length: of its content; nil where its end shows otherwise.
    package mutating func writeHandled(
        _ status: Status, _ fields: [UInt8], length: Int?, isChunked: Bool, _ ending: Ending,
        isSecure: Bool
    ) {
        writeStatusLine(status)
        output.append(fields, 0..<fields.count)
        if let length, status.hasContent {
            output.append("Content-Length: ")
            output.append(decimal: length)
            output.append("\r\n")
        }
        if isChunked { output.append("Transfer-Encoding: chunked\r\n") }
        finish(ending, isSecure)
    }

    // MARK: Files

    /// Writes the head of a file's answer, and its content too where that is small and in memory.
    private mutating func writeFile(
        _ answer: FileAnswer, _ ending: Ending, _ isSecure: Bool
    ) -> Range<Int> {
        let (form, whole) = (answer.form, answer.form.representation)
        switch answer.part {
        case .notModified:
            writeHead(whole.notModified, of: form.heads)
            finish(ending, isSecure)
            return 0..<0
        case .whole:
            writeHead(whole.head, of: form.heads)
            finish(ending, isSecure)
            return answer.isHead ? 0..<0 : writeContent(0..<whole.body.count, answer)
        case .range(let range):
            // RFC 9110 §15.3.7.
            writeStatusLine(.partialContent)
            output.append("Content-Range: bytes ")
            output.append(decimal: range.lowerBound)
            output.append(UInt8(ascii: "-"))
            output.append(decimal: range.upperBound - 1)
            output.append(UInt8(ascii: "/"))
            output.append(decimal: whole.body.count)
            output.append("\r\nContent-Length: ")
            output.append(decimal: range.count)
            output.append("\r\n")
            output.append(form.heads, whole.sharedFields)
            finish(ending, isSecure)
            return writeContent(range, answer)
        case .ranges(let ranges): return writeParts(ranges, answer, ending, isSecure)
        }
    }

    /// Writes a prepared head of a file but for the connection's fields and its end.
    private mutating func writeHead(_ head: PreparedHead, of heads: [UInt8]) {
        output.append(heads, head.range)
        noteHead(head)
    }

    /// The same for one of the site's heads. With the site's bytes for an argument they would be
    /// retained.
    mutating func writeHead(_ head: PreparedHead) {
        output.append(parts.value.bytes, head.range)
        noteHead(head)
    }

    /// Writes the date into a head that was written last.
    @inline(__always)
    private mutating func noteHead(_ head: PreparedHead) {
        status = head.status
        let start = output.count - head.range.count
        date.write(to: &output.storage, at: start + head.dateOffset)
    }

    private mutating func writeContent(_ part: Range<Int>, _ answer: FileAnswer) -> Range<Int> {
        let start = answer.form.representation.body.lowerBound
        let range = start + part.lowerBound..<start + part.upperBound
        switch answer.form.content {
        case .memory(let bytes):
            guard range.count <= copiedBodyBytesMax else {
                longContent = .bytes(bytes)
                return range
            }
            output.append(bytes, range)
        case .disk:
            guard let source = answer.source, let file = answer.file, !range.isEmpty else { break }
            longContent = .file(source, file)
            return range
        }
        return 0..<0
    }
}
