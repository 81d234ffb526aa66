/// The properties of a link by which its visits are added up with those of others.
package struct LinkFacts: Sendable {
    /// The number by which its visits are counted.
    package let number: Int
    package let id: LinkID
    package let collection: String
    /// Its tags as `LinkContent.tagLines` has them; empty for none.
    let tagLines: String
    /// Nil also for a deleted link.
    package let destination: String?
    /// The generation that changed it last.
    package let generation: Int

    /// Its place in the order of changes.
    package var place: ChangePlace { ChangePlace(generation: generation, id: id) }

    /// - Parameter tags: as `LinkContent.tagLines` has them.
    package init(
        number: Int, id: LinkID, collection: String, tags: String, destination: String?,
        generation: Int
    ) {
        (self.number, self.id, self.collection) = (number, id, collection)
        (tagLines, self.destination, self.generation) = (tags, destination, generation)
    }

    package var tags: [String] { linesOfTags(tagLines) }

    /// The properties of a link without tags that is otherwise the same.
    package var withoutTags: LinkFacts {
        LinkFacts(
            number: number, id: id, collection: collection, tags: "", destination: destination,
            generation: generation)
    }
}

/// The tags of a text that has them as `LinkContent.tagLines` does.
package func linesOfTags(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { String($0) ?? "" }
}

extension LinkStore {
    /// All links in the order of their numbers, also archived and deleted ones.
    /// - Parameters:
    ///   - number: of the link after which they begin.
    ///   - limit: at most so many.
    package func facts(after number: Int, limit: Int) throws(StoreError) -> [LinkFacts] {
        try rows.facts(after: number, limit: limit)
    }

    /// Some links in the order of their numbers, also archived and deleted ones.
    /// - Parameter ids: at most `LinkFilter.idsMax`.
    package func facts(of ids: [LinkID]) throws(StoreError) -> [LinkFacts] {
        try rows.facts(of: ids)
    }
}
