/// A row that a database has read, with its columns by their numbers from 0.
package protocol StoreRow {
    func isNull(_ column: Int) -> Bool
    /// 0 for null.
    func integer(_ column: Int) -> Int
    func optionalInteger(_ column: Int) -> Int?
    /// The bytes of a text or a blob; none for null.
    func bytes(_ column: Int) -> [UInt8]
    func append(_ column: Int, to bytes: inout [UInt8])
    func text(_ column: Int) -> String
    func optionalText(_ column: Int) -> String?
}

/// The value of a statement's parameter, in either kind of database.
package protocol StoreValue {
    static var null: Self { get }
    static func integer(_ number: Int) -> Self
    static func boolean(_ isTrue: Bool) -> Self
    static func text(_ text: String) -> Self
    static func blob(_ bytes: [UInt8]) -> Self
}

// Null for nil.
extension StoreValue {
    static func optional(_ text: String?) -> Self { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int?) -> Self { number.map { .integer($0) } ?? .null }
    static func optional(_ id: LinkID?) -> Self { id.map { .blob($0.bytes) } ?? .null }
}

/// The parts of a text between separators; none of them is empty.
package func parts(of text: String, at separator: Unicode.Scalar) -> [String] {
    text.utf8.split(separator: UInt8(ascii: separator)).map { String(decoding: $0, as: UTF8.self) }
}

extension StoredLink {
    /// A link without its aliases.
    /// - Parameter row: its number, identity, collection, slug, destination, details, tags and note; whether it is
    ///   disabled, and archived; its start, its end and its external identifier; when it was made, changed and
    ///   deleted, and its generation.
    package init?(_ row: some StoreRow) {
        guard let id = LinkID(row.bytes(1)) else { return nil }
        var content = LinkContent()
        (content.destination, content.details) = (row.optionalText(4), row.optionalText(5))
        content.tags = parts(of: row.text(6), at: "\n")
        content.note = row.optionalText(7)
        (content.isDisabled, content.isArchived) = (row.integer(8) != 0, row.integer(9) != 0)
        (content.from, content.until) = (row.optionalInteger(10), row.optionalInteger(11))
        content.externalID = row.optionalText(12)
        self.init(
            id: id, collection: row.text(2), slug: row.text(3), content: content,
            created: row.integer(13), updated: row.integer(14), generation: row.integer(16),
            deleted: row.optionalInteger(15))
    }
}

extension LinkFacts {
    /// - Parameter row: the members in their order.
    package init?(_ row: some StoreRow) {
        guard let id = LinkID(row.bytes(1)) else { return nil }
        self.init(
            number: row.integer(0), id: id, collection: row.text(2), tags: row.text(3),
            destination: row.optionalText(4), generation: row.integer(5))
    }
}
