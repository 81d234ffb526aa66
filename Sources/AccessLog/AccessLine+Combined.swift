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
        let bytes = input[line]
        guard let space = bytes.firstIndex(of: 0x20), Self.mayBeOfAPI(bytes[(space + 1)...]),
            let query = bytes[space...].firstIndex(of: UInt8(ascii: "?"))
        else { return text.append(logText: input, line) }
        text.append(logText: input, line.lowerBound..<query)
        let end = bytes.lastIndex(of: 0x20) ?? query
        if end > query { text.append(logText: input, end..<line.upperBound) }
    }

    /// A target can begin with scheme and host.
    private static func mayBeOfAPI(_ target: ArraySlice<UInt8>) -> Bool {
        let start = "/v1/".utf8
        if target.first == UInt8(ascii: "/") { return target.starts(with: start) }
        return target.indices.contains { target[$0...].starts(with: start) }
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
