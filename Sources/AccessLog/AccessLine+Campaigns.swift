import Memory

// The campaign parameters of a request, as far as the configuration lists them. A value is written
// as it was sent, with its percent-encoding: decoded, two different values could look alike.

extension AccessLine {
    /// Members of JSON, each after a comma.
    mutating func writeJSONCampaigns(_ entry: AccessEntry, _ input: [UInt8]) {
        for name in context.campaigns {
            let value = campaignValue(name, entry, input)
            guard !value.isEmpty else { continue }
            text.append(",\"")
            text.append(context.campaignNames, name)
            text.append("\":\"")
            text.append(jsonText: input, value)
            text.append(UInt8(ascii: "\""))
        }
    }

    /// The same as a query, or a hyphen if there is none.
    mutating func writeCombinedCampaigns(_ entry: AccessEntry, _ input: [UInt8]) {
        var isFirst = true
        for name in context.campaigns {
            let value = campaignValue(name, entry, input)
            guard !value.isEmpty else { continue }
            if !isFirst { text.append(UInt8(ascii: "&")) }
            isFirst = false
            text.append(context.campaignNames, name)
            text.append(UInt8(ascii: "="))
            text.append(logText: input, value)
        }
        if isFirst { text.append(UInt8(ascii: "-")) }
    }

    /// The first value of the query item that is neither empty nor too long; empty if there is none.
    private func campaignValue(
        _ name: Range<Int>, _ entry: AccessEntry, _ input: [UInt8]
    ) -> Range<Int> {
        let end = entry.target.upperBound
        var start = entry.path.upperBound
        guard start < end, input[start] == UInt8(ascii: "?") else { return 0..<0 }
        while start < end {
            start += 1
            var offset = 0
            while offset < name.count, start + offset < end,
                input[start + offset] == context.campaignNames[name.lowerBound + offset]
            {
                offset += 1
            }
            let equals = start + offset
            var next = equals
            while next < end, input[next] != UInt8(ascii: "&") { next += 1 }
            if offset == name.count, equals < next, input[equals] == UInt8(ascii: "="),
                (1...campaignBytesMax).contains(next - equals - 1)
            {
                return equals + 1..<next
            }
            start = next
        }
        return 0..<0
    }
}

/// Longer values are left out, as they are where parameters are passed on.
private let campaignBytesMax = 256
