internal import Memory

/// All stored links of an environment, as the loops answer them: it is built by the store's thread,
/// published, and never changes. Finding a link allocates nothing and waits for nothing.
package final class LinkIndex: Sendable {
    /// The generation of the store that it shows.
    package let generation: Int
    /// By hashes that are the same in any letter case.
    let records: RecordTable
    /// Further records of slugs that differ from some of those only in letter case, by hashes of the
    /// slugs as they are written.
    let variants: RecordTable

    /// An index without links.
    package convenience init() { self.init(0, RecordTable(), RecordTable()) }

    /// An index of these records, each with another slug.
    package convenience init(_ records: consuming LinkRecords, generation: Int) {
        let (records, variants) = records.tables()
        self.init(generation, records, variants)
    }

    private init(_ generation: Int, _ records: RecordTable, _ variants: RecordTable) {
        (self.generation, self.records, self.variants) = (generation, records, variants)
    }

    /// The number of slugs: of links, aliases and deleted links.
    package var count: Int { records.count + variants.count }
    /// The memory of all records.
    package var bytes: Int { records.bytes + variants.bytes }

    /// The memory that an index with so many changes takes beside this one, about: they share all but the leaves that changes
    /// touch.
    package func copiedBytes(byChanges changes: Int) -> Int {
        count == 0 ? 0 : min(bytes, changes * RecordTable.leafRecordsMax * (bytes / count))
    }

    /// This index with records in place of those with the same slug, or beside the others. Of two
    /// changes of one slug, the later decides.
    package func changed(_ changes: [LinkChange], generation: Int) -> LinkIndex {
        var (usual, further) = ([LinkChange](), [LinkChange]())
        usual.reserveCapacity(changes.count)
        for change in changes.withoutReplaced() {
            if isVariant(change) { further.append(change) } else { usual.append(change) }
        }
        var (records, excess) = records.changed(by: usual.map(\.ofTable))
        for index in excess {
            further.append(Self.exchanged(usual[index], for: &records))
        }
        return LinkIndex(generation, records, variants.changed(by: further.map(\.ofVariants)).table)
    }

    /// Puts a record that found no room in the place of the newest link's record, if that link is newer. So the table
    /// keeps the oldest links, in whichever order they came, and a request in another letter case finds the oldest.
    /// - Returns: the record that has no place.
    private static func exchanged(
        _ change: LinkChange, for records: inout RecordTable
    ) -> LinkChange {
        let hash = keyedHash(change.collection, change.slug.span)
        var (newest, other, scratch) = (change.id, [UInt8](), [UInt8]())
        _ = records.find(hash, into: &scratch) { record in
            let id = LinkRecordView.id(in: record)
            if id > newest {
                newest = id
                other = record.indices.map { record[$0] }
            }
            return false
        }
        guard !other.isEmpty, let moved = LinkChange(LinkRecord(other)) else { return change }
        records = records.changed(by: [change.ofTable(replacing: moved)]).table
        return moved
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

    /// Finds a slug as it is written, or else, unless letter case matters, in another case: of several
    /// links, the one that the store has got first.
    /// - Parameters:
    ///   - scratch: holds the record of the link that is found, also by an alias.
    ///   - isExact: whether letter case matters.
    /// - Returns: whether there is one.
    package func find(
        _ collection: UInt32, _ slug: Span<UInt8>, isExact: Bool, _ scratch: inout LinkLookup
    ) -> Bool {
        guard slug.count <= LinkRecord.slugBytesMax,
            findRecord(collection, slug, isExact: isExact, &scratch)
        else { return false }
        guard LinkRecordView.isOfAlias(scratch.record.span) else {
            scratch.alias = 0..<0
            return true
        }
        follow(collection, &scratch)
        return true
    }

    /// Finds the link of the alias that was found. One whose link has a slug that no record can have
    /// stays what it is: a record of nothing that is answered.
    private func follow(_ collection: UInt32, _ scratch: inout LinkLookup) {
        // Moved out, and back: nothing is copied or allocated, but for the first time.
        var (record, alias, own) = ([UInt8](), [UInt8](), [UInt8]())
        swap(&alias, &scratch.record)
        swap(&record, &scratch.aliasRecord)
        swap(&own, &scratch.ownSlug)
        let view = LinkRecordView(alias.span)
        own.removeAll(keepingCapacity: true)
        if let range = view.ownSlug { own += alias[range] }
        let isFound = records.find(keyedHash(collection, own.span), into: &record) {
            $0.has(own.span, of: collection)
        }
        if isFound || variants.count > 0 && findVariant(collection, own.span, into: &record) {
            swap(&scratch.record, &record)
            swap(&scratch.aliasRecord, &alias)
            scratch.alias = view.slug
        } else {
            swap(&scratch.record, &alias)
            swap(&scratch.aliasRecord, &record)
            scratch.alias = 0..<0
        }
        swap(&own, &scratch.ownSlug)
    }

    private func findRecord(
        _ collection: UInt32, _ slug: Span<UInt8>, isExact: Bool, _ scratch: inout LinkLookup
    ) -> Bool {
        let hash = keyedHash(collection, slug)
        let isFound = records.find(hash, into: &scratch.record) { record in
            record.has(slug, of: collection)
        }
        if isFound { return true }
        if variants.count > 0, findVariant(collection, slug, into: &scratch.record) { return true }
        guard !isExact else { return false }
        // Several links have the slug in other cases if case mattered when they were made. The oldest one is
        // found, whichever was changed last.
        var first = UInt64.max
        _ = records.find(hash, into: &scratch.record) { record in
            if record.hasFolded(slug, of: collection) {
                first = min(first, LinkRecordView.id(in: record))
            }
            return false
        }
        guard first < .max else { return false }
        return records.find(hash, into: &scratch.record) { record in
            record.hasFolded(slug, of: collection) && LinkRecordView.id(in: record) == first
        }
    }

    /// Calls `body` with each record, in no order.
    package func forEach(_ body: (Span<UInt8>) -> Void) {
        records.forEach(body)
        variants.forEach(body)
    }

    /// Calls `body` with each record of a slug that differs only in letter case from a slug of another link,
    /// except for one of the slugs that do so.
    package func forEachCaseVariant(_ body: (Span<UInt8>) -> Void) {
        var (last, collection, id) = ([UInt8](), UInt32(0), UInt64(0))
        records.forEach { record in
            let view = LinkRecordView(record)
            // Those of one hash follow each other.
            if view.id != id, record.hasFolded(last.span, of: collection) { body(record) }
            last.removeAll(keepingCapacity: true)
            for index in view.slug { last.append(record[index]) }
            (collection, id) = (view.collection, view.id)
        }
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
        // The oldest links stay, because they are found in other letter cases.
        builder.removeExcess({ LinkRecordView.id(in: $0) < LinkRecordView.id(in: $1) }) { record in
            further.add { bytes in
                for index in record.indices { bytes.append(record[index]) }
                let view = LinkRecordView(record)
                return exactHash(view.collection, record.extracting(view.slug))
            }
        }
        return (RecordTable(builder), RecordTable(further))
    }
}

extension LinkRecords {
    /// Adds a record of another index, of which the bytes may have been changed.
    /// - Parameter range: of `bytes`, in which the record is.
    /// - Returns: false for bytes that no index has; they are not added.
    package mutating func add(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard let view = LinkRecordView(checking: bytes.span.extracting(range)) else {
            return false
        }
        let head = LinkRecordHead(view)
        var isSame = false
        builder.add { written in
            let start = written.count
            let (slug, oddity) = head.write(to: &written) { part, written in
                let part = view.range(part)
                let first = range.lowerBound
                written += bytes[first + part.lowerBound..<first + part.upperBound]
            }
            isSame =
                oddity == nil
                && written.span.isEqual(start..<written.count, to: bytes.span.extracting(range))
            guard isSame, let slug else {
                written.removeLast(written.count - start)
                return nil
            }
            return keyedHash(head.collection, written.span.extracting(slug))
        }
        return isSame
    }
}

/// The memory of one search, which is used again.
package struct LinkLookup: Sendable {
    /// The bytes of the record of the link that was found (`LinkRecordView`).
    package fileprivate(set) var record = [UInt8]()
    /// The record of the alias by which it was found, and its slug there; an empty range if it was
    /// found by its own.
    fileprivate var aliasRecord = [UInt8]()
    fileprivate var alias = 0..<0
    /// The slug of its link.
    fileprivate var ownSlug = [UInt8]()

    package init() {}

    /// The slug by which the link was found, as it is written.
    package var slug: ArraySlice<UInt8> {
        guard alias.isEmpty else { return aliasRecord[alias] }
        return record.isEmpty ? [] : record[LinkRecordView(record.span).slug]
    }

    /// The link that was found, under the slug by which it was found; nil before the first.
    package var found: LinkRecord? {
        guard !record.isEmpty else { return nil }
        var result = LinkRecord(record)
        if !alias.isEmpty {
            (result.ownSlug, result.slug) = (result.slug, Array(aliasRecord[alias]))
        }
        return result
    }

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
    /// The reason for which its link is not answered; nil if it is.
    package let oddity: LinkOddity?

    /// The number of its link.
    fileprivate var id: UInt64 { LinkRecordView.id(in: record.span) }

    /// The slug that it changes.
    package var name: SlugName { SlugName(collection: collection, slug: slug) }

    /// Nil for a record that no index can have.
    package init?(_ record: LinkRecord) {
        (collection, slug) = (record.collection, record.slug)
        (self.record, oddity) = record.written
        if self.record.isEmpty { return nil }
    }

    fileprivate var ofTable: RecordTable.Change { change(keyedHash(collection, slug.span)) }

    /// The change that puts this record in the place of another one with the same hash.
    fileprivate func ofTable(replacing other: LinkChange) -> RecordTable.Change {
        RecordTable.Change(hash: keyedHash(collection, slug.span), record: record) { record in
            record.has(other.slug.span, of: other.collection)
        }
    }

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
        let kept = reversed().filter { seen.insert($0.name).inserted }
        return kept.reversed()
    }
}

/// A slug of a collection, as it is written.
package struct SlugName: Hashable, Sendable {
    package let collection: UInt32
    package let slug: [UInt8]

    package init(collection: UInt32, slug: [UInt8]) {
        (self.collection, self.slug) = (collection, slug)
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
        where self[own.lowerBound + index].folded != slug[index].folded { return false }
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
