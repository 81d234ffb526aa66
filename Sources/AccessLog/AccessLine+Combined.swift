import ClientAddress
import Memory

// nginx's "combined", byte for byte what nginx writes for the same request and answer:
//
//     $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent
//     "$http_referer" "$http_user_agent"
//
// in one line, times in UTC. Of several sites, the site's name follows, in quotes, and then campaign parameters: programs that read
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
            text.append(logText: input, entry.requestLine)
        }
        text.append("\" ")
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
