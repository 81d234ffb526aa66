import ClientAddress
import Memory

// nginx's "combined", byte for byte what nginx writes for the same request and answer:
//
//     $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent
//     "$http_referer" "$http_user_agent"
//
// in one line, times in UTC, but for the query of a request below /v1/. Of several sites, the site's name follows, in quotes, and then campaign parameters: programs that read
// the line stop after what they know.

extension AccessLine {
    mutating func writeCombinedBeginning(_ entry: AccessEntry, _ input: [UInt8]) {
        text.append(context.isAnonymized ? entry.client.anonymized : entry.client)
        text.append(" - - [")
        text.append(time.local, 0..<LogTime.localCount)
        text.append("] \"")
        if entry.requestLine.isEmpty {
            text.append(UInt8(ascii: "-"))
        } else {
            writeRequestLine(input, entry.requestLine)
        }
        text.append("\" ")
    }

    /// A query below `/v1/` can have a token of the API, so it is left out.
    private mutating func writeRequestLine(_ input: [UInt8], _ line: Range<Int>) {
        guard let query = Self.queryOfAPI(input.span, line) else {
            return text.append(logText: input, line)
        }
        text.append(logText: input, line.lowerBound..<query.lowerBound)
        text.append(logText: input, query.upperBound..<line.upperBound)
    }

    /// The query of a request below `/v1/` with its question mark; nil if there is none. A slice of the input would be retained
    /// for each line.
    private static func queryOfAPI(_ input: Span<UInt8>, _ line: Range<Int>) -> Range<Int>? {
        var space = line.lowerBound
        while space < line.upperBound, input[space] != 0x20 { space += 1 }
        guard space < line.upperBound, mayBeOfAPI(input, space + 1..<line.upperBound) else {
            return nil
        }
        var start = space
        while start < line.upperBound, input[start] != UInt8(ascii: "?") { start += 1 }
        guard start < line.upperBound else { return nil }
        var end = line.upperBound - 1
        while end > start, input[end] != 0x20 { end -= 1 }
        return start..<(end > start ? end : line.upperBound)
    }

    private static func mayBeOfAPI(_ input: Span<UInt8>, _ target: Range<Int>) -> Bool {
        var start = target.lowerBound
        // A target can begin with scheme and host.
        let isPath = start < target.upperBound && input[start] == UInt8(ascii: "/")
        let end = isPath ? min(start + 4, target.upperBound) : target.upperBound
        while start + 4 <= end {
            if input[start] == UInt8(ascii: "/"), input[start + 1] == UInt8(ascii: "v"),
                input[start + 2] == UInt8(ascii: "1"), input[start + 3] == UInt8(ascii: "/")
            {
                return true
            }
            start += 1
        }
        return false
    }

    mutating func writeCombined(_ result: AccessResult) {
        text.append(decimal: result.status)
        text.append(UInt8(ascii: " "))
        text.append(decimal: result.bytes)
    }

    mutating func writeCombinedEnd(_ entry: AccessEntry, _ input: [UInt8]) {
        text.append(" \"")
        append(entry.referer, input)
        text.append("\" \"")
        append(entry.userAgent, input)
        if !context.sites.isEmpty {
            text.append("\" \"")
            if let site = entry.site, site < context.sites.count {
                text.append(context.siteNames, context.sites[site])
            } else {
                text.append(UInt8(ascii: "-"))
            }
        }
        if !context.campaigns.isEmpty {
            text.append("\" \"")
            writeCombinedCampaigns(entry, input)
        }
        text.append("\"\n")
    }

    /// A field that was not sent is a hyphen; an empty field is empty.
    private mutating func append(_ field: Range<Int>?, _ input: [UInt8]) {
        guard let field else { return text.append(UInt8(ascii: "-")) }
        text.append(logText: input, field)
    }
}
