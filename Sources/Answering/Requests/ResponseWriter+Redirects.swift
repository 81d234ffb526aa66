import HTTPMessages
import Memory
import URISyntax

// What stands in a redirect besides the fields that all responses have.

extension ResponseWriter {
    mutating func writeRedirect(
        _ head: PreparedHead, _ location: [UInt8], _ ending: Ending, _ isSecure: Bool
    ) {
        writeHead(head)
        output.append(location, 0..<location.count)
        finishRedirect(ending, isSecure)
    }

    /// Writes what stands behind the URL of a redirect.
    mutating func finishRedirect(_ ending: Ending, _ isSecure: Bool) {
        guard case .stays = ending, requestIdentifier.isEmpty, isSecure, siteNumber != nil else {
            output.append("\r\n")
            return finish(ending, isSecure)
        }
        output.append(parts.value.redirectEnd, 0..<parts.value.redirectEnd.count)
        endHead()
    }

    /// Writes a URL of the site, with the segment of the request that it carries.
    mutating func writeURL(_ url: PreparedURL, _ text: [UInt8]) {
        output.append(parts.value.bytes, url.beginning)
        guard !url.segment.isEmpty else { return }
        output.append(text, url.segment)
        if !url.end.isEmpty { output.append(parts.value.bytes, url.end) }
    }

    /// The host is one of ours and the target holds visible ASCII only, so nothing here can end
    /// the field line.
    @inline(__always)
    mutating func writeLocation(
        _ host: Range<Int>, _ port: UInt16?, _ target: Range<Int>, _ text: [UInt8]
    ) {
        output.append("https://")
        // As a browser writes it (RFC 3986 §6.2.2.1).
        for index in host { output.append(text[index].foldedToLowerCase) }
        if let port {
            output.append(UInt8(ascii: ":"))
            output.append(decimal: Int(port))
        }
        if target.isEmpty || text[target.lowerBound] != UInt8(ascii: "/") {
            output.append(UInt8(ascii: "/"))
        }
        writeTarget(target, text)
    }

    /// A target as a URL may hold it: clients send more, which is escaped (RFC 3986 §2.1).
    private mutating func writeTarget(_ target: Range<Int>, _ text: [UInt8]) {
        guard text.escapesNeeded(in: target) > 0 else { return output.append(text, target) }
        for index in target {
            let byte = text[index]
            guard text.mustEscape(at: index, in: target) else {
                output.append(byte)
                continue
            }
            output.append(UInt8(ascii: "%"))
            output.append((byte >> 4).hexDigit)
            output.append((byte & 0xF).hexDigit)
        }
    }
}
