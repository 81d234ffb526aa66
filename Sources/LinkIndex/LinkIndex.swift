private import Memory

/// All stored links of an environment, as the loops answer them: it is built by the store's thread,
/// published, and never changes. Finding a link allocates nothing and waits for nothing.
package final class LinkIndex: Sendable {
    /// The generation of the store that it shows.
    package let generation: Int
    private let records: RecordTable

    /// An index without links.
    package init() { (generation, records) = (0, RecordTable()) }

    /// An index of these records, each with another slug.
    package init(_ records: consuming LinkRecords, generation: Int) {
        self.generation = generation
        self.records = records.table()
    }

    private init(_ generation: Int, _ records: RecordTable) {
        (self.generation, self.records) = (generation, records)
    }

    /// The number of slugs: of links, aliases and deleted links.
    package var count: Int { records.count }
    /// The memory of all records.
    package var bytes: Int { records.bytes }

    /// This index with records in place of those with the same slug, or beside the others.
    package func changed(_ changes: [LinkChange], generation: Int) -> LinkIndex {
        LinkIndex(generation, records.changed(by: changes.map(\.ofTable)))
    }

    /// Finds a slug as it is written, or else, unless letter case matters, in another case.
    /// - Parameters:
    ///   - scratch: holds the record that is found.
    ///   - isExact: whether letter case matters.
    /// - Returns: whether there is one.
    package func find(
        _ collection: UInt32, _ slug: Span<UInt8>, isExact: Bool, _ scratch: inout LinkLookup
    ) -> Bool {
        guard slug.count <= LinkRecord.slugBytesMax else { return false }
        let hash = keyedHash(collection, slug)
        let isFound = records.find(hash, into: &scratch.record) { record in
            record.has(slug, of: collection)
        }
        guard !isFound, !isExact else { return isFound }
        return records.find(hash, into: &scratch.record) { record in
            record.hasFolded(slug, of: collection)
        }
    }

    /// Calls `body` with each record, in no order.
    package func forEach(_ body: (Span<UInt8>) -> Void) { records.forEach(body) }
}

/// Many records for a new index.
package struct LinkRecords: ~Copyable {
    private var builder = RecordTable.Builder()

    package init() {}

    /// Adds a record.
    /// - Parameter append: appends each of its texts.
    package mutating func add(
        _ head: LinkRecordHead, _ append: (LinkRecordHead.Part, inout [UInt8]) -> Void
    ) {
        builder.add { bytes in
            let slug = head.write(to: &bytes, append)
            return keyedHash(head.collection, bytes.span.extracting(slug))
        }
    }

    fileprivate consuming func table() -> RecordTable { RecordTable(builder) }
}

/// The memory of one search, which is used again.
package struct LinkLookup: Sendable {
    /// The bytes of the record that was found (`LinkRecordView`).
    package fileprivate(set) var record = [UInt8]()

    package init() {}

    /// Copies a part of the record, in place of what was there.
    package func copy(_ range: Range<Int>, into bytes: inout [UInt8]) {
        if bytes.count != range.count {
            bytes.removeAll(keepingCapacity: true)
            bytes += record[range]
        } else {
            bytes.copy(record, range, to: 0)
        }
    }
}

/// A record that is added to an index, replaces one, or is removed from it.
package struct LinkChange: Sendable {
    package let collection: UInt32
    package let slug: [UInt8]
    /// Nil removes the slug.
    package let record: [UInt8]?

    package init(_ record: LinkRecord) {
        (collection, slug, self.record) = (record.collection, record.slug, record.bytes)
    }

    package init(removing slug: [UInt8], of collection: UInt32) {
        (self.collection, self.slug, record) = (collection, slug, nil)
    }

    fileprivate var ofTable: RecordTable.Change {
        RecordTable.Change(
            hash: keyedHash(collection, slug.span), record: record
        ) { [collection, slug] record in
            record.has(slug.span, of: collection)
        }
    }
}

extension UInt8 {
    fileprivate var folded: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}

extension Span<UInt8> {
    fileprivate func has(_ slug: Span<UInt8>, of collection: UInt32) -> Bool {
        LinkRecordView.slug(in: self, of: collection).map { isEqual($0, to: slug) } ?? false
    }

    fileprivate func hasFolded(_ slug: Span<UInt8>, of collection: UInt32) -> Bool {
        guard let own = LinkRecordView.slug(in: self, of: collection), own.count == slug.count
        else { return false }
        for index in 0..<slug.count
        where self[own.lowerBound + index].folded != slug[index].folded {
            return false
        }
        return true
    }
}

/// The name of a collection: that of its link, and where a configuration has several sites, the
/// site's before it.
package struct CollectionName: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// What records have of it: its FNV-1a hash. The configuration is checked for two with the same.
    package let number: UInt32

    package init(_ name: String) {
        description = name
        number = name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
