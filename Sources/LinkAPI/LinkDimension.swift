import Diagnostics
import LinkStore
import URISyntax

/// A property of links by which their visits are summed up, as the links have it now.
enum LinkDimension: String, CaseIterable {
    case link, tag, campaign, collection
}

extension LinkFacts {
    /// The campaign that the destination names (`utm_campaign`).
    var campaign: String? {
        guard let destination,
            let mark = destination.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return nil }
        let query = destination.utf8[destination.utf8.index(after: mark)...]
            .prefix { $0 != UInt8(ascii: "#") }
        return queryItems(String(decoding: query, as: UTF8.self))
            .first { $0.name == "utm_campaign" }?.value
    }
}
