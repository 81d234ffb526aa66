private import Diagnostics

package import LinkIndex

/// A link of the store with all that is known of it.
package struct StoredLink: Equatable, Sendable {
    package var id: LinkID
    /// The name of its collection.
    package var collection: String
    package var slug: String
    package var content: LinkContent
    /// Its other slugs, in their order.
    package var aliases = [String]()
    /// Seconds since 1970.
    package var created: Int
    package var updated: Int
    /// The generation of the store that changed it last; its entity tag.
    package var generation: Int
    /// Nil for a link that was not deleted.
    package var deleted: Int?

    package init(
        id: LinkID, collection: String, slug: String, content: LinkContent, aliases: [String] = [],
        created: Int, updated: Int, generation: Int, deleted: Int? = nil
    ) {
        (self.id, self.collection, self.slug) = (id, collection, slug)
        (self.content, self.aliases) = (content, aliases)
        (self.created, self.updated) = (created, updated)
        (self.generation, self.deleted) = (generation, deleted)
    }

    /// The bytes of those texts that can be long.
    package var byteCount: Int { content.indexedBytes + (content.note?.utf8.count ?? 0) }
}

/// The members of a link that its maker decides.
package struct LinkContent: Equatable, Sendable {
    /// The URL to which browsers are led; nil for a link that leads nowhere on the web.
    package var destination: String?
    /// A JSON object of what it has besides (`web`, `page`, `campaign`, `app`, `after`); nil for
    /// nothing.
    package var details: String?
    package var tags = [String]()
    package var note: String?
    package var isDisabled = false
    package var isArchived = false
    /// Seconds since 1970.
    package var from: Int?
    package var until: Int?
    /// A name that another system has for it; no two links have the same.
    package var externalID: String?

    package init() {}

    /// Canonical equivalents (`é` as one scalar or as two) are two texts: who changes one into the
    /// other changes the link.
    package static func == (left: LinkContent, right: LinkContent) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.isScalarwise($1) }
            && left.tags.elementsEqual(right.tags) { $0.isScalarwise($1) }
            && left.isDisabled == right.isDisabled && left.isArchived == right.isArchived
            && left.from == right.from && left.until == right.until
    }

    /// Each tag between line ends, so that a tag is found as a whole; nil without tags.
    package var tagLines: String? {
        tags.isEmpty ? nil : "\n" + tags.joined(separator: "\n") + "\n"
    }

    private var texts: [String?] { [destination, details, note, externalID] }

    /// A note has at most so many bytes: with it, a link that has everything is a line of an export
    /// that an import takes.
    package static let noteBytesMax = 4_096
}

extension LinkContent {
    /// The bytes of the texts that the index has.
    package var indexedBytes: Int { (destination?.utf8.count ?? 0) + (details?.utf8.count ?? 0) }
}

extension LinkRecord {
    /// The record of a link under one of its slugs.
    package init(_ link: StoredLink, row: Int, slug: String) {
        self.init(
            collection: CollectionName(link.collection).number, id: UInt64(bitPattern: Int64(row)),
            slug: Array(slug.utf8))
        ownSlug = slug == link.slug ? nil : Array(link.slug.utf8)
        guard link.deleted == nil else {
            state = .deleted
            return
        }
        state = link.content.isDisabled ? .disabled : .active
        (from, until) = (link.content.from, link.content.until)
        destination = Array((link.content.destination ?? "").utf8)
        details = Array((link.content.details ?? "").utf8)
    }
}
