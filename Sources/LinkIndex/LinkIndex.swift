private import Memory

/// All stored links of an environment, as the loops answer them: it is built by the store's thread,
/// published, and never changes. Finding a link allocates nothing and waits for nothing.
package final class LinkIndex: Sendable {
    /// The generation of the store that it shows.
    package let generation: Int
    /// By hashes that are the same in any letter case.
    private let records: RecordTable
    /// Further records of slugs that differ from some of those only in letter case, by hashes of the
    /// slugs as they are written.
    private let variants: RecordTable

    /// An index without links.
    package init() { (generation, records, variants) = (0, RecordTable(), RecordTable()) }

    /// An index of these records, each with another slug.
    package init(_ records: consuming LinkRecords, generation: Int) {
        self.generation = generation
        (self.records, variants) = records.tables()
    }

    private init(_ generation: Int, _ records: RecordTable, _ variants: RecordTable) {
        (self.generation, self.records, self.variants) = (generation, records, variants)
    }

    /// The number of slugs: of links, aliases and deleted links.
    package var count: Int { records.count + variants.count }
    /// The memory of all records.
    package var bytes: Int { records.bytes + variants.bytes }

    /// This index with records in place of those with the same slug, or beside the others. Of two
    /// changes of one slug, the later decides.
    package func changed(_ changes: [LinkChange], generation: Int) -> LinkIndex {
        var (usual, further) = ([LinkChange](), [LinkChange]())
        usual.reserveCapacity(changes.count)
        for change in changes.withoutReplaced() {
            if isVariant(change) { further.append(change) } else { usual.append(change) }
        }
        let (records, excess) = records.changed(by: usual.map(\.ofTable))
        for index in excess { further.append(usual[index]) }
        return LinkIndex(
            generation, records, variants.changed(by: further.map(\.ofVariants)).table)
    }

    private func isVariant(_ change: LinkChange) -> Bool {
        guard variants.count > 0 else { return false }
        var found = [UInt8]()
        return findVariant(change.collection, change.slug.span, into: &found)
    }

    private func findVariant(
        _ collection: UInt32, _ slug: Span<UInt8>, into found: inout [UInt8]
    ) -> Bool {
        variants.find(exactHash(collection, slug), into: &found) { $0.has(slug, of: collection) }
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
        if isFound { return true }
        if variants.count > 0, findVariant(collection, slug, into: &scratch.record) { return true }
        guard !isExact else { return false }
        return records.find(hash, into: &scratch.record) { record in
            record.hasFolded(slug, of: collection)
        }
    }

    /// Calls `body` with each record, in no order.
    package func forEach(_ body: (Span<UInt8>) -> Void) {
        records.forEach(body)
        variants.forEach(body)
    }
}

/// Many records for a new index.
package struct LinkRecords: ~Copyable {
    private var builder = RecordTable.Builder()

    package init() {}

    /// Adds a record; an odd one as one that is not answered.
    /// - Parameter append: appends each of its texts.
    /// - Returns: what is odd.
    package mutating func add(
        _ head: LinkRecordHead, _ append: (LinkRecordHead.Part, inout [UInt8]) -> Void
    ) -> LinkOddity? {
        var oddity: LinkOddity?
        builder.add { bytes in
            let (slug, found) = head.write(to: &bytes, append)
            oddity = found
            return slug.map { keyedHash(head.collection, bytes.span.extracting($0)) }
        }
        return oddity
    }

    fileprivate consuming func tables() -> (RecordTable, variants: RecordTable) {
        var further = RecordTable.Builder()
        builder.removeExcess { record in
            further.add { bytes in
                for index in record.indices { bytes.append(record[index]) }
                let view = LinkRecordView(record)
                return exactHash(view.collection, record.extracting(view.slug))
            }
        }
        return (RecordTable(builder), RecordTable(further))
    }
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

/// A record that is added to an index, or replaces the one with its slug.
package struct LinkChange: Sendable {
    let collection: UInt32
    let slug: [UInt8]
    private let record: [UInt8]

    /// Nil for a record that no index can have.
    package init?(_ record: LinkRecord) {
        (collection, slug, self.record) = (record.collection, record.slug, record.bytes)
        if self.record.isEmpty { return nil }
    }

    fileprivate var ofTable: RecordTable.Change { change(keyedHash(collection, slug.span)) }

    fileprivate var ofVariants: RecordTable.Change { change(exactHash(collection, slug.span)) }

    private func change(_ hash: UInt64) -> RecordTable.Change {
        RecordTable.Change(hash: hash, record: record) { [collection, slug] record in
            record.has(slug.span, of: collection)
        }
    }
}

extension [LinkChange] {
    /// Without the changes of a slug that a later one changes again.
    fileprivate func withoutReplaced() -> [LinkChange] {
        guard count > 1 else { return self }
        var seen = Set<SlugName>(minimumCapacity: count)
        let kept = reversed().filter {
            seen.insert(SlugName(collection: $0.collection, slug: $0.slug)).inserted
        }
        return kept.reversed()
    }
}

private struct SlugName: Hashable {
    let collection: UInt32
    let slug: [UInt8]
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
    /// Its FNV-1a hash, for records. The configuration is checked for two with the same.
    package let number: UInt32

    package init(_ name: String) {
        description = name
        number = name.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
