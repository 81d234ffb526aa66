private import Diagnostics
package import LinkIndex

/// The links of a store that are not answered, because another program has written them so.
package struct UnansweredLinks: Equatable, Sendable {
    package private(set) var count = 0
    /// The slug of the first, and why.
    package private(set) var first: (slug: String, oddity: LinkOddity)?

    mutating func add(_ slug: String, _ oddity: LinkOddity) {
        count += 1
        if first == nil { first = (slug, oddity) }
    }

    /// A text that counts them, and says what is wrong with the first; nil if there are none.
    package var fact: String? {
        guard let first else { return nil }
        let isOne = count == 1
        let links = isOne ? "a link that is" : "\(count) links that are"
        let these = isOne ? "it" : "them"
        return "\(links) not answered, because no request can have made \(these): of "
            + "\(quoted(first.slug)), \(first.oddity)"
    }

    package static func == (left: UnansweredLinks, right: UnansweredLinks) -> Bool {
        left.count == right.count && left.first?.slug == right.first?.slug
    }
}

/// The index that is built of the rows of a store.
package struct LinkLoading: ~Copyable {
    private var records = LinkRecords()
    private(set) var unanswered = UnansweredLinks()
    /// The highest number of a link that the index can have.
    private(set) var lastRow = 0
    private(set) var names = [UInt32: CollectionName]()

    package init() {}

    consuming func index(_ generation: Int) -> LinkIndex {
        LinkIndex(records, generation: generation)
    }

    /// Adds a collection.
    package mutating func add(_ name: CollectionName) { names[name.number] = name }

    /// Adds a slug of a link.
    /// - Parameters:
    ///   - oddity: what is odd about its row.
    ///   - slug: for the operator, if it is not answered.
    ///   - append: appends each of its texts.
    package mutating func add(
        _ head: LinkRecordHead, _ oddity: LinkOddity?, slug: () -> String,
        _ append: (LinkRecordHead.Part, inout [UInt8]) -> Void
    ) {
        if head.id <= LinkRecord.idMax { lastRow = max(lastRow, Int(head.id)) }
        let found = records.add(head, append)
        if let oddity = found ?? oddity { unanswered.add(slug(), oddity) }
    }

    /// Numbers that others have given to links are not given again.
    package mutating func skipNumbers(to row: Int) { lastRow = max(lastRow, row) }
}
