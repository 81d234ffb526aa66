/// The properties of a link by which lists are put in order.
package struct LinkKeys: Sendable {
    /// The number by which its visits are counted.
    package let number: Int
    package let slug: String
    /// The end of its period, in seconds since 1970; nil for a link without one.
    package let until: Int?
    /// The generation that changed it last.
    package let generation: Int

    package init(number: Int, slug: String, until: Int?, generation: Int) {
        (self.number, self.slug) = (number, slug)
        (self.until, self.generation) = (until, generation)
    }
}

extension LinkStore {
    /// Calls a function with each link of a list, in no order.
    /// - Parameters:
    ///   - last: the link after which they begin.
    ///   - end: the last link that is looked at; nil for that of the store.
    package func forEachLink(
        _ filter: LinkFilter, after last: LinkID?, upTo end: LinkID?, _ body: (LinkKeys) -> Void
    ) throws(StoreError) {
        try rows.forEachLink(filter, after: last, upTo: end, body)
    }

    /// Links by their numbers, as far as they meet a filter, in the order of these.
    package func links(
        _ filter: LinkFilter, numbered numbers: [Int]
    ) throws(StoreError) -> [NumberedLink] {
        var filter = filter
        let ids = try rows.ids(of: numbers)
        var links = [Int: StoredLink]()
        for start in stride(from: 0, to: ids.count, by: LinkFilter.idsMax) {
            let some = Array(ids[start..<min(start + LinkFilter.idsMax, ids.count)])
            filter.ids = some
            let numbered = Dictionary(try rows.facts(of: some).map { ($0.id, $0.number) }) {
                one, _ in
                one
            }
            let found = try rows.links(
                filter, after: nil, upTo: nil, limit: some.count, bytesMax: .max)
            for link in found { if let number = numbered[link.id] { links[number] = link } }
        }
        return numbers.compactMap { number in links[number].map { (number, $0) } }
    }
}
