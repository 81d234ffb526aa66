import AccessLog
import HTTPMessages
import Memory

extension LoopContext {
    /// Writes an answer's head into `output`, and its body too when it is small.
    /// - Returns: what of the body is still to be written, as a place in `bytes`.
    mutating func write(_ answer: consuming Answer, _ ending: Ending) -> Range<Int> {
        switch consume answer {
        case .prepared(let head, let body):
            return write(head, body, ending)
        case .part(let resource, let range, let isHead):
            let body = writePartHead(resource, range, ending)
            return writeBody(isHead ? 0..<0 : body)
        case .parts(let resource, let ranges): return writeParts(resource, ranges, ending)
        case .noPart(let count):
            writeNoPart(of: count, ending)
        case .redirect(let host, let port, let target):
            writeRedirect(host, port, target, ending)
        case .moved(let location): writeMoved(location, ending)
        case .found(let location): writeFound(location, ending)
        case .document(let document, let isHead):
            return writeDocument(document, isHead: isHead, ending)
        case .unchanged(let document):
            writeStatusLine(.notModified)
            output.append(document.cacheFields, 0..<document.cacheFields.count)
            finish(ending)
        case .admin(let page, let isHead):
            return writeAdminPage(page, isHead: isHead, ending)
        case .challenge(let file, let isHead):
            writeStatusLine(.ok)
            output.append("Content-Type: application/octet-stream\r\nContent-Length: ")
            output.append(decimal: file.count)
            output.append("\r\n")
            finish(ending)
            if !isHead { output.append(file, 0..<file.count) }
        case .status(let status, let isHead):
            let prepared = statuses[status]
            return write(prepared.head, isHead ? nil : prepared.body, ending)
        }
        return 0..<0
    }

    /// A prepared head with today's date and the connection's fate, and the body if it is small.
    @inline(__always)
    private mutating func write(
        _ head: PreparedHead, _ body: Range<Int>?, _ ending: Ending
    ) -> Range<Int> {
        let body = body ?? head.end..<head.end
        let isTogether = body.lowerBound == head.end && body.count <= limits.copiedBodyBytesMax
        status = head.status
        let (start, end) = (output.count, isTogether ? body.upperBound : head.end)
        if case .stays = ending, !saysSecure, !log.exchange.saysIdentifier {
            output.append(bytes, head.range.lowerBound..<end)
        } else {
            output.append(bytes, head.range)
            writeConnectionFields(ending)
            output.append(bytes, head.range.upperBound..<end)
        }
        headEnd = output.count - (end - head.end)
        output.replace(at: start + head.dateOffset, with: date, 0..<date.count)
        return isTogether ? 0..<0 : writeBody(body)
    }

    /// Whether the answer tells browsers that the hosts speak https alone; over http they must not
    /// be told (RFC 6797 §7.2).
    private var saysSecure: Bool { isSecure && !transportSecurity.isEmpty }

    private mutating func writeConnectionFields(_ ending: Ending) {
        if saysSecure { output.append(transportSecurity, 0..<transportSecurity.count) }
        if log.exchange.saysIdentifier {
            output.append("X-Request-ID: ")
            output.append(log.line.notes, log.exchange.identifier)
            output.append("\r\n")
        }
        switch ending {
        case .stays: break
        case .staysForHTTP10: output.append("Connection: keep-alive\r\n")
        case .closes: output.append("Connection: close\r\n")
        }
    }

    mutating func finish(_ ending: Ending) {
        writeConnectionFields(ending)
        output.append("\r\n")
        headEnd = output.count
    }

    /// What was written last, when so much of its content waits elsewhere.
    @inline(__always)
    mutating func written(rest: Int) -> Written {
        Written(status: status.rawValue, bytes: output.count - headEnd + rest)
    }

    private mutating func writeBody(_ body: Range<Int>) -> Range<Int> {
        guard body.count <= limits.copiedBodyBytesMax else { return body }
        output.append(bytes, body)
        return 0..<0
    }

    mutating func writeStatusLine(_ status: Status) {
        self.status = status
        output.append("HTTP/1.1 ")
        output.append(decimal: status.rawValue)
        output.append(UInt8(ascii: " "))
        output.append(status.reason)
        output.append("\r\nDate: ")
        output.append(date, 0..<date.count)
        output.append("\r\n")
    }

    /// RFC 9110 §15.3.7; returns the part's place in `bytes`.
    private mutating func writePartHead(
        _ resource: Int, _ range: Range<Int>, _ ending: Ending
    ) -> Range<Int> {
        let whole = resources[resource].identity
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
        output.append(bytes, whole.sharedFields)
        finish(ending)
        let start = whole.body.lowerBound
        return start + range.lowerBound..<start + range.upperBound
    }

    /// As other refusals, and how much there is (RFC 9110 §15.5.17). HEAD asks for no ranges.
    private mutating func writeNoPart(of count: Int, _ ending: Ending) {
        let prepared = statuses[.rangeNotSatisfiable]
        writeStatusLine(.rangeNotSatisfiable)
        output.append("Content-Range: bytes */")
        output.append(decimal: count)
        output.append("\r\n")
        output.append(bytes, prepared.head.fields)
        finish(ending)
        output.append(bytes, prepared.body)
    }

    /// Returns what of the page is still to be written, as a place in `longDocument`.
    private mutating func writeDocument(
        _ document: Document, isHead: Bool, _ ending: Ending
    ) -> Range<Int> {
        let html = document.html
        writeStatusLine(.ok)
        output.append("Content-Type: text/html; charset=utf-8\r\nContent-Length: ")
        output.append(decimal: html.count)
        output.append("\r\n")
        output.append(document.cacheFields, 0..<document.cacheFields.count)
        output.append(document.fields, 0..<document.fields.count)
        finish(ending)
        return isHead ? 0..<0 : writeGenerated(html)
    }

    private mutating func writeAdminPage(
        _ page: AdminPage, isHead: Bool, _ ending: Ending
    ) -> Range<Int> {
        writeStatusLine(page.status)
        let fields = fieldLines([
            "Content-Type: \(page.type)", "Content-Length: \(page.body.count)",
            "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
        ])
        output.append(fields, 0..<fields.count)
        finish(ending)
        return isHead ? 0..<0 : writeGenerated(page.body)
    }

    /// Returns what is still to be written, as a place in `longDocument`.
    mutating func writeGenerated(_ body: [UInt8]) -> Range<Int> {
        guard body.count <= limits.copiedBodyBytesMax else {
            longDocument = body
            return 0..<body.count
        }
        output.append(body, 0..<body.count)
        return 0..<0
    }
}
