import HTTPMessages
import Memory

extension LoopContext {
    /// Writes several parts of a resource, each with a head of its own (RFC 9110 §15.3.7.2,
    /// §14.6). They are told apart by the entity tag, which is made of the content's hash, so that
    /// no content holds it.
    mutating func writeParts(
        _ resource: Int, _ ranges: [Range<Int>], _ ending: Ending
    ) -> Range<Int> {
        let whole = resources[resource].identity
        let boundary = bytes[whole.validators.entityTag].dropFirst().dropLast()
        var body = [UInt8]()
        for range in ranges {
            body += "--".utf8 + boundary + "\r\n".utf8 + bytes[whole.contentType]
            body += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)".utf8
            body += "/\(whole.body.count)\r\n\r\n".utf8
            let start = whole.body.lowerBound
            body += bytes[start + range.lowerBound..<start + range.upperBound]
            body += "\r\n".utf8
        }
        body += "--".utf8 + boundary + "--\r\n".utf8
        writeStatusLine(.partialContent)
        output.append("Content-Type: multipart/byteranges; boundary=")
        output.append(bytes, boundary.startIndex..<boundary.endIndex)
        output.append("\r\nContent-Length: ")
        output.append(decimal: body.count)
        output.append("\r\n")
        output.append(bytes, whole.sharedFields.lowerBound..<whole.contentType.lowerBound)
        finish(ending)
        return writeGenerated(body)
    }
}
