import Diagnostics
import LinkStore
import URISyntax

/// A property of links by which their visits are summed up, as the links have it now.
enum LinkDimension: String, CaseIterable {
    case link, tag, campaign, collection
}

extension LinkFacts {
    /// The campaign that the destination names (`utm_campaign`), as `queryItems` has it. The other items are not decoded, because all links
    /// are asked for it.
    var campaign: String? {
        let url = Array((destination ?? "").utf8).prefix { $0 != UInt8(ascii: "#") }
        guard let mark = url.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var rest = url[(mark + 1)...]
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: "&") }
            rest = rest[item.endIndex...].dropFirst()
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            guard
                name.elementsEqual("utm_campaign".utf8)
                    || name.contains(UInt8(ascii: "%"))
                        && percentDecoded(name).isScalarwise("utm_campaign")
            else { continue }
            return percentDecoded(item[name.endIndex...].dropFirst(), plus: 0x20).comparable
        }
        return nil
    }
}
