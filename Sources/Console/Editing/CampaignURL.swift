private import Diagnostics
private import URISyntax

/// A destination, taken apart into the parameters of its campaign and the rest, and put together again.
struct CampaignURL {
    /// The URL without these parameters.
    let rest: String
    /// The value of each of `names`; an empty text for one that it does not have.
    let values: [String]

    static let names = LinkField.campaignFields.map(\.rawValue)

    init(rest: String, values: [String]) { (self.rest, self.values) = (rest, values) }

    /// Takes a URL apart. A parameter that is there twice stays in the rest, each time.
    init(_ url: String) {
        let parts = Self.parts(url)
        let items = parts.query.split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var own = [String: [Int]]()
        for (index, item) in items.enumerated() {
            let name = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            if Self.names.contains(where: { $0.isScalarwise(name) }) {
                own[name, default: []].append(index)
            }
        }
        var taken = Set<Int>()
        values = Self.names.map { name in
            guard let places = own[name], places.count == 1 else { return "" }
            let value = items[places[0]].dropFirst(name.utf8.count + 1)
            let text = percentDecoded(value, plus: 0x20)
            // Another way to write the same stays as it is.
            guard !text.isEmpty, text.trimmed.isScalarwise(text),
                text.queryEscaped.utf8.elementsEqual(value)
            else { return "" }
            taken.insert(places[0])
            return text
        }
        guard !taken.isEmpty else {
            rest = url
            return
        }
        let kept = items.indices.filter { !taken.contains($0) }.map { items[$0] }
        var text = parts.start
        if !kept.isEmpty {
            text += [UInt8(ascii: "?")] + kept.joined(separator: [UInt8(ascii: "&")])
        }
        rest = String(decoding: text + parts.fragment, as: UTF8.self)
    }

    /// The whole URL. A value replaces the parameters of its name in the rest, because the first of several would count. What is no address is
    /// refused, and stays as it was typed, so that the refusal quotes nothing else.
    var text: String {
        let typed = zip(Self.names, values).filter { !$0.1.isEmpty }
        guard (try? WebURL(rest)) != nil else { return rest }
        return replacingQueryItems(of: rest, with: typed.map { (name: $0, value: $1) })
    }

    /// The parts before the query, of it without its mark, and from the fragment's mark.
    private static func parts(
        _ url: String
    ) -> (start: [UInt8], query: [UInt8], fragment: [UInt8]) {
        let bytes = Array(url.utf8)
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let query = bytes[..<fragment].firstIndex(of: UInt8(ascii: "?"))
        return (
            Array(bytes[..<(query ?? fragment)]),
            query.map { Array(bytes[($0 + 1)..<fragment]) } ?? [], Array(bytes[fragment...])
        )
    }
}
