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
    /// - Parameter bytesMax: none is returned after so many bytes of links (`StoredLink.byteCount`).
    package func links(
        _ filter: LinkFilter, numbered numbers: [Int], bytesMax: Int = .max
    ) throws(StoreError) -> [NumberedLink] {
        var (filter, rest, links, bytes) = (filter, numbers[...], [NumberedLink](), 0)
        while !rest.isEmpty, bytes < bytesMax {
            // The database has them in another order. So the first ones are few, and the next ones as many as will do if they
            // are as long.
            let wanted =
                links.isEmpty
                ? Self.firstOfNumbered : (bytesMax - bytes) / (bytes / links.count + 1) + 1
            let some = rest.prefix(min(wanted, LinkFilter.idsMax))
            rest = rest.dropFirst(some.count)
            filter.ids = try rows.ids(of: Array(some))
            let found = try rows.links(
                filter, after: nil, upTo: nil, limit: some.count, bytesMax: .max)
            let byNumber = Dictionary(found.map { ($0.row, $0.link) }) { one, _ in one }
            for number in some where bytes < bytesMax {
                guard let link = byNumber[number] else { continue }
                links.append((number, link))
                bytes += link.byteCount
            }
        }
        return links
    }

    private static let firstOfNumbered = 20
}
