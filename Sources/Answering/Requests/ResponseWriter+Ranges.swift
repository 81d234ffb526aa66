import HTTPMessages
import Memory

/// Several parts of a file, and the refusal of parts that it does not have.
extension ResponseWriter {
    /// Writes several parts of a file, each with a head of its own (RFC 9110 §15.3.7.2, §14.6). The
    /// entity tag tells them apart: it is made of a hash, so that no content holds it.
    mutating func writeParts(
        _ ranges: [Range<Int>], _ answer: FileAnswer, _ ending: Ending, _ isSecure: Bool
    ) -> Range<Int> {
        let (form, whole) = (answer.form, answer.form.representation)
        let boundary = form.heads[whole.validators.entityTag].dropFirst().dropLast()
        let frameBytes = boundary.count + whole.contentType.count + partBytesMax
        var body = [UInt8]()
        body.reserveCapacity(ranges.reduce(frameBytes) { $0 + $1.count + frameBytes })
        for range in ranges {
            body += "--".utf8 + boundary + "\r\n".utf8 + form.heads[whole.contentType]
            body += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)".utf8
            body += "/\(whole.body.count)\r\n\r\n".utf8
            guard let part = answer.bytes(range) else {
                let unavailable = parts.value.statuses[.serviceUnavailable]
                return write(unavailable.head, unavailable.body, ending, isSecure)
            }
            body += part
            body += "\r\n".utf8
        }
        body += "--".utf8 + boundary + "--\r\n".utf8
        writeStatusLine(.partialContent)
        output.append("Content-Type: multipart/byteranges; boundary=")
        output.append(form.heads, boundary.startIndex..<boundary.endIndex)
        output.append("\r\nContent-Length: ")
        output.append(decimal: body.count)
        output.append("\r\n")
        output.append(form.heads, whole.sharedFields.lowerBound..<whole.contentType.lowerBound)
        finish(ending, isSecure)
        return writeGenerated(body)
    }

    /// As other refusals, with the size of the resource (RFC 9110 §15.5.17). HEAD asks for no
    /// ranges.
    mutating func writeNoPart(of count: Int, _ ending: Ending, _ isSecure: Bool) {
        let prepared = parts.value.statuses[.rangeNotSatisfiable]
        writeStatusLine(.rangeNotSatisfiable)
        output.append("Content-Range: bytes */")
        output.append(decimal: count)
        output.append("\r\n")
        output.append(parts.value.bytes, prepared.head.fields)
        finish(ending, isSecure)
        output.append(parts.value.bytes, prepared.body)
    }
}

/// The most bytes around a part besides its boundary and its type: `Content-Range` has three numbers.
private let partBytesMax = 96
