import LinkIndex
import TestSupport
import Testing

@Suite struct LinkIndexTests {
    private let short = CollectionName("short").number
    private let other = CollectionName("other").number

    private func record(_ slug: String, _ id: UInt64 = 1, in collection: UInt32? = nil)
        -> LinkRecord
    {
        LinkRecord(
            collection: collection ?? short, id: id, slug: Array(slug.utf8),
            destination: Array("https://www.example.com/\(slug)/\(id)".utf8))
    }

    private func find(
        _ index: LinkIndex, _ slug: String, isExact: Bool = false, in collection: UInt32? = nil
    ) -> LinkRecord? {
        var scratch = LinkLookup()
        let bytes = Array(slug.utf8)
        return index.find(collection ?? short, bytes.span, isExact: isExact, &scratch)
            ? scratch.found : nil
    }

    @Test func recordsHaveTheirValuesAfterReading() {
        var record = record("h7mtx3k9qz", 1 << 40)
        #expect(LinkRecord(record.bytes) == record)
        (record.from, record.until) = (-1, 1_900_000_000)
        record.details = Array(#"{"page":{"title":"x"}}"#.utf8)
        #expect(LinkRecord(record.bytes) == record)
        record.from = nil
        for state in [LinkRecord.State.active, .disabled, .deleted] {
            record.state = state
            #expect(LinkRecord(record.bytes) == record)
        }
    }

    @Test func `indexes with the same records have one sum, in whatever order they came`() {
        // Parts share leaves where there are many.
        let many = (0..<20_000).map { record("s\($0)", UInt64($0 + 100_000)) }
        // Slugs that differ in letter case alone, of which the first is found in all of them.
        let links = many + [record("CASE", 600), record("case", 601), record("Case", 602)]
        func sum(_ index: LinkIndex) -> UInt64 {
            (0..<index.partCount).reduce(0) { $0 &+ index.sum(ofPart: $1) }
        }
        func index(_ links: [LinkRecord], by size: Int) -> LinkIndex {
            stride(from: 0, to: links.count, by: size).reduce(LinkIndex()) { index, start in
                let changes = links[start..<min(start + size, links.count)]
                return index.changed(changes.compactMap { LinkChange($0) }, generation: start)
            }
        }
        let whole = sum(index(links, by: 1_000))
        #expect(sum(index(links.reversed(), by: 700)) == whole)
        #expect(sum(index(links.shuffled(), by: 3_000)) == whole)
        #expect(index(links, by: 1_000).partCount > 2)
        var changed = links
        changed[77].state = .disabled
        let other = index(changed, by: 1_000)
        #expect(sum(other) != whole)
        #expect(sum(other.changed([LinkChange(links[77])!], generation: 9)) == whole)
        #expect(sum(index(links.dropLast(), by: 1_000)) != whole)
        #expect(sum(LinkIndex()) == 0)
    }

    @Test func theLinksWithATextAreFound() throws {
        var links = ["one", "Two-SOUGHT", "three", "four", "five", "six"].enumerated().map {
            record($1, UInt64($0 + 1))
        }
        links[2].details = Array(#"{"page":{"title":"Sought here"}}"#.utf8)
        // Only its row tells what it is.
        links[3].details = Array(#"{"page":{"title":"a \"b\""}}"#.utf8)
        (links[4].state, links[4].details) = (.deleted, links[2].details)
        var alias = record("sought-alias", 6)
        alias.ownSlug = Array("six".utf8)
        var index = LinkIndex().changed(
            (links + [alias]).compactMap { LinkChange($0) }, generation: 1)
        func found(_ text: String) throws -> Set<UInt64> {
            let search = try #require(RecordSearch(text.utf8))
            var found = Set<UInt64>()
            for part in 0..<index.partCount {
                index.forEachLink(inPart: part, with: search) { found.insert($0) }
            }
            return found
        }
        // A link is found by an alias, too.
        #expect(try found("sought") == [2, 3, 4, 6] && found("SIX/6") == [4, 6])
        #expect(try found("SOUGHT-alias") == [4, 6])
        // What another program has written.
        var odd = record("odd", 9)
        odd.destination = Array("https://www.example.com/ sought".utf8)
        index = index.changed([odd].compactMap { LinkChange($0) }, generation: 2)
        #expect(try found("nothing") == [4, 0])
        odd.state = .deleted
        index = index.changed([odd].compactMap { LinkChange($0) }, generation: 3)
        #expect(try found("nothing") == [4])
    }

    /// As those of a file that somebody has changed.
    @Test func bytesThatNoIndexHasAreNoRecord() {
        var full = record("lenz", 7)
        (full.from, full.until) = (1, -2)
        full.details = Array(#"{"web":{"default":"x"}}"#.utf8)
        var (alias, oddAlias, deleted) = (record("a"), full, record("gone"))
        alias.ownSlug = Array("lenz".utf8)
        oddAlias.ownSlug = []
        (deleted.state, deleted.destination) = (.deleted, [])
        for record in [full, alias, oddAlias, deleted, record("x", LinkRecord.idMax)] {
            let bytes = record.bytes
            /// Whether the bytes are taken, and found again.
            func isTaken(_ bytes: [UInt8]) -> Bool {
                var records = LinkRecords()
                // Between others, as in a file.
                guard records.add([1] + bytes + [2], 1..<bytes.count + 1) else { return false }
                var found = [[UInt8]]()
                LinkIndex(records, generation: 1).forEach { record in
                    found.append(record.indices.map { record[$0] })
                }
                return found == [bytes]
            }
            #expect(isTaken(bytes))
            // The details have no length of their own: all other parts must be there.
            let end = bytes.count - record.details.count
            let cut = (0..<bytes.count).map { Array(bytes[..<$0]) }
            for bytes in cut where bytes.count < end { #expect(!isTaken(bytes)) }
            // Many others are records, too; none of them is anything but what it says.
            let changed = bytes.indices.flatMap { index in
                (0..<8).map { bit in
                    var changed = bytes
                    changed[index] ^= 1 << UInt8(bit)
                    return changed
                }
            }
            for bytes in cut + changed + [bytes + [0]] where isTaken(bytes) {
                #expect(LinkRecord(bytes).bytes == bytes)
            }
        }
        var records = LinkRecords()
        let isTaken = records.add([UInt8](repeating: 0, count: 40_000), 0..<40_000)
        #expect(!isTaken)
    }

    @Test func theRecordOfAnAliasHasTheSlugOfItsLink() {
        var record = record("lenz")
        (record.from, record.details) = (1, Array(repeating: 0x20, count: 100))
        let own = record.bytes.count
        record.ownSlug = []
        #expect(LinkRecord(record.bytes) == record)
        // Records of links have no byte for it.
        #expect(record.bytes.count == own + 1)
        for count in [1, LinkRecord.slugBytesMax] {
            record.ownSlug = Array(repeating: 0x61, count: count)
            let read = LinkRecord(record.bytes)
            #expect(read.slug == record.slug && read.ownSlug == record.ownSlug)
            // The link itself has the rest.
            #expect(read.destination == [] && read.details == [] && read.from == nil)
            #expect(read.state == .disabled)
            #expect(record.bytes.count == 14 + record.slug.count + count + 1)
        }
        // Another program has written the link: its alias is answered as before.
        record.ownSlug = Array(repeating: 0x61, count: LinkRecord.slugBytesMax + 1)
        let read = LinkRecord(record.bytes)
        #expect(read.ownSlug == [] && read.state == .active && read.details == record.details)
    }

    @Test func aSlugIsFoundAsWrittenBeforeOtherCases() {
        let index = LinkIndex().changed(
            ["Ab", "aB", "cd"].enumerated().compactMap { LinkChange(record($1, UInt64($0))) },
            generation: 1)
        #expect(find(index, "Ab")?.id == 0)
        #expect(find(index, "aB")?.id == 1)
        #expect(find(index, "AB") != nil)
        #expect(find(index, "AB", isExact: true) == nil)
        #expect(find(index, "CD")?.id == 2)
        #expect(find(index, "c") == nil)
        #expect(find(index, "cd", in: other) == nil)
        #expect(find(index, "") == nil)
    }

    @Test func anIndexDoesNotChangeWhenTheNextOneDoes() {
        let first = LinkIndex().changed([record("a", 1)].compactMap(LinkChange.init), generation: 1)
        let second = first.changed(
            [record("a", 2), record("b", 3)].compactMap(LinkChange.init), generation: 2)
        #expect(find(first, "a")?.id == 1)
        #expect(find(first, "b") == nil)
        #expect(find(second, "a")?.id == 2)
        #expect((first.count, second.count) == (1, 2))
        #expect((first.generation, second.generation) == (1, 2))
    }

    @Test func `a change copies a leaf, and many changes all of an index`() {
        let slugs = (0..<6_400).map { "slug\($0)" }
        let index = LinkIndex().changed(
            slugs.compactMap { LinkChange(record($0)) }, generation: 1)
        #expect(LinkIndex().copiedBytes(byChanges: 10) == 0 && index.copiedBytes(byChanges: 0) == 0)
        let leaf = index.copiedBytes(byChanges: 1)
        #expect(leaf == 64 * (index.bytes / 6_400) && index.copiedBytes(byChanges: 10) == 10 * leaf)
        #expect(index.copiedBytes(byChanges: 6_400) == index.bytes)
    }

    @Test func ofTwoChangesOfOneSlugTheLaterDecides() {
        let index = LinkIndex().changed(
            [record("a", 1), record("b", 1), record("a", 2), record("a", 3)]
                .compactMap(LinkChange.init), generation: 1)
        #expect(find(index, "a")?.id == 3)
        #expect(find(index, "b")?.id == 1)
        #expect(index.count == 2)
    }

    @Test func itAgreesWithADictionaryOverManyChanges() {
        var random = SplitMix(seed: 7)
        var (index, model) = (LinkIndex(), [String: UInt64]())
        for round in 1...60 {
            var changes = [LinkChange]()
            for _ in 0..<Int.random(in: 0...700, using: &random) {
                let slug = "s\(Int.random(in: 0..<6_000, using: &random))"
                let collection = slug.utf8.count % 2 == 0 ? short : other
                let id = UInt64.random(in: 0..<1 << 47, using: &random)
                model[slug] = id
                if let change = LinkChange(record(slug, id, in: collection)) {
                    changes.append(change)
                }
            }
            index = index.changed(changes, generation: round)
            #expect(index.count == model.count)
        }
        for number in 0..<6_000 {
            let slug = "s\(number)"
            let collection = slug.utf8.count % 2 == 0 ? short : other
            #expect(find(index, slug, in: collection)?.id == model[slug])
        }
        var seen = [String: UInt64]()
        index.forEach { bytes in
            let view = LinkRecordView(bytes)
            seen[view.slug.map { String(UnicodeScalar(bytes[$0])) }.joined()] = view.id
        }
        #expect(seen == model)
    }

    @Test func largeRecordsDivideTheirLeaf() {
        var records = [LinkRecord]()
        for number in 0..<200 {
            var record = record("large-\(number)", UInt64(number))
            record.details = Array(repeating: 0x20, count: LinkRecord.detailsBytesMax)
            records.append(record)
        }
        let index = LinkIndex().changed(records.compactMap(LinkChange.init), generation: 1)
        for number in 0..<200 { #expect(find(index, "large-\(number)")?.id == UInt64(number)) }
    }

    /// Slugs that differ from one another only in letter case.
    private func variants(_ count: Int, detailsBytes: Int = 0) -> [LinkRecord] {
        (0..<count).map { number in
            let slug = (0..<24).map { number >> $0 & 1 == 0 ? "a" : "A" }.joined()
            var record = record(slug, UInt64(number))
            record.details = Array(repeating: 0x20, count: detailsBytes)
            return record
        }
    }

    private func expectVariants(_ records: [LinkRecord], in index: LinkIndex) {
        #expect(index.count == records.count)
        var (missing, seen) = (0, Set<UInt64>())
        for record in records {
            let slug = String(decoding: record.slug, as: UTF8.self)
            if find(index, slug, isExact: true) != record { missing += 1 }
        }
        #expect(missing == 0)
        index.forEach { seen.insert(LinkRecordView($0).id) }
        #expect(seen.count == records.count)
        #expect(find(index, "aaaaaaaaaaaaaaaaaaaaaaaB") == nil)
        // Where letter case does not matter, one of them is answered.
        #expect(find(index, String(repeating: "A", count: 24)) != nil)
    }

    @Test(arguments: [(64, 0), (65, 0), (1_000, 0), (21, 16_384), (24, 16_384), (200, 16_384)])
    func slugsThatDifferOnlyInCaseAreAllFound(count: Int, detailsBytes: Int) {
        var records = variants(count, detailsBytes: detailsBytes)
        var loaded = LinkRecords()
        for record in records {
            let oddity = loaded.add(LinkRecordHead(collection: short, id: record.id)) {
                part, bytes in
                switch part {
                case .slug: bytes += record.slug
                case .destination: bytes += record.destination
                case .details: bytes += record.details
                case .ownSlug: Issue.record("it is no alias")
                }
            }
            #expect(oddity == nil)
        }
        expectVariants(records, in: LinkIndex(loaded, generation: 1))
        var index = LinkIndex().changed(records.compactMap(LinkChange.init), generation: 1)
        expectVariants(records, in: index)
        // One after the other, and then each is changed.
        index = LinkIndex()
        for (number, record) in records.enumerated() {
            index = index.changed([record].compactMap(LinkChange.init), generation: number)
        }
        expectVariants(records, in: index)
        for number in records.indices {
            records[number].state = .disabled
            index = index.changed(
                [records[number]].compactMap(LinkChange.init), generation: number)
        }
        expectVariants(records, in: index)
        index = index.changed((records + records).compactMap(LinkChange.init), generation: 1)
        expectVariants(records, in: index)
    }

    @Test func ofSeveralCasesThatAreNotWrittenTheOldestLinkIsFound() {
        var records = LinkRecords()
        for (slug, id) in [("aB", UInt64(7)), ("Ab", 3), ("other", 1), ("AB", 9)] {
            _ = records.add(LinkRecordHead(collection: short, id: id)) { part, bytes in
                if part == .slug { bytes += slug.utf8 }
            }
        }
        var index = LinkIndex(records, generation: 1)
        #expect(find(index, "ab")?.id == 3 && find(index, "aB")?.id == 7)
        #expect(find(index, "ab", isExact: true) == nil)
        for slug in ["Ab", "aB"] {
            let id: UInt64 = slug == "Ab" ? 3 : 7
            index = index.changed([LinkChange(record(slug, id))].compactMap(\.self), generation: 2)
            #expect(find(index, "ab")?.id == 3)
        }
        var variants = [UInt64]()
        index.forEachCaseVariant { variants.append(LinkRecordView($0).id) }
        #expect(variants.count == 2 && Set(variants).isSubset(of: [3, 7, 9]))
    }

    /// A node that has followed, and one that has loaded, have the records in any order.
    @Test(arguments: [2, 4, 5, 6, 9, 40])
    func theOldestOfAnyNumberOfCasesIsFoundInWhicheverOrderTheyCame(count: Int) throws {
        for seed in 0..<20 {
            var random = SplitMix(seed: UInt64(seed) + 1)
            // The case that is asked for is none of them.
            let records = Array(variants(count + 1).dropFirst()).shuffled(using: &random)
            let asked = String(repeating: "a", count: 24)
            var followed = LinkIndex()
            var loaded = LinkRecords()
            for (number, record) in records.enumerated() {
                followed = followed.changed(
                    [LinkChange(record)].compactMap(\.self), generation: number)
                _ = loaded.add(LinkRecordHead(collection: short, id: record.id)) { part, bytes in
                    if part == .slug { bytes += record.slug }
                    if part == .destination { bytes += record.destination }
                }
            }
            let atOnce = LinkIndex().changed(records.compactMap(LinkChange.init), generation: 1)
            for index in [followed, LinkIndex(loaded, generation: 1), atOnce] {
                #expect(find(index, asked)?.id == 1)
                expectVariants(records, in: index)
            }
        }
    }

    @Test func manySlugsThatDifferOnlyInCaseCostNoMoreThanOthers() {
        let records = variants(100_000)
        var index = LinkIndex()
        for start in stride(from: 0, to: records.count, by: 10_000) {
            index = index.changed(
                records[start..<start + 10_000].compactMap(LinkChange.init), generation: start)
        }
        expectVariants(records, in: index)
    }

    @Test(
        arguments: [
            (1, 0, 0, nil), (64, 2_048, 16_384, nil), (0, 9, 5, .slugBytes(0)),
            (65, 9, 5, .slugBytes(65)), (300, 9, 5, .slugBytes(300)),
            (5, 2_049, 5, .destinationBytes(2_049)), (5, 70_000, 5, .destinationBytes(70_000)),
            (5, 9, 16_385, .detailsBytes(16_385)), (5, 9, 70_000, .detailsBytes(70_000)),
        ] as [(Int, Int, Int, LinkOddity?)])
    func anOddRecordIsKeptAndNotAnswered(
        slug: Int, destination: Int, details: Int, oddity: LinkOddity?
    ) {
        func text(_ count: Int) -> [UInt8] { Array(repeating: 0x61, count: count) }
        var record = LinkRecord(
            collection: short, id: LinkRecord.idMax, slug: text(slug),
            destination: Array("https://".utf8.prefix(destination)) + text(max(destination - 8, 0)),
            details: text(details))
        func expect(_ index: LinkIndex) {
            let found = find(index, String(repeating: "a", count: min(slug, 64)), isExact: true)
            // Without a slug, nobody can find it.
            guard 1...64 ~= slug else {
                #expect(found == nil && index.count == 0)
                return
            }
            #expect(found?.state == (oddity == nil ? .active : .disabled))
            #expect(found?.destination.count == (oddity == nil ? destination : 0))
        }
        var loaded = LinkRecords()
        let head = LinkRecordHead(collection: short, id: record.id)
        let found = loaded.add(head) { part, bytes in
            bytes +=
                part == .slug
                ? record.slug
                : part == .details ? record.details : record.destination
        }
        #expect(found == oddity)
        expect(LinkIndex(loaded, generation: 1))
        expect(LinkIndex().changed([record].compactMap(LinkChange.init), generation: 1))
        record.id += 1
        guard 1...64 ~= slug else { return }
        #expect(LinkRecord(record.bytes).state == .disabled)
    }

    @Test func aDestinationHasVisibleCharactersOnly() {
        for byte in UInt8.min ... .max {
            for position in 0..<17 {
                var record = record("a")
                record.destination = Array("https://aaaaaaaaaaaaaaaaa".utf8)
                record.destination[8 + position] = byte
                let isAnswered = LinkRecord(record.bytes).state == .active
                #expect(isAnswered == (0x21...0x7E ~= byte), "\(byte) at \(position)")
            }
        }
    }

    @Test(
        arguments: [
            ("", true), ("https://a.b", true), ("http://a.b", true), ("HTTPS://A.B", true),
            ("http://a", true), ("x", false), ("//evil.net", false), ("javascript:alert(1)", false),
            ("http:/a.b/", false), ("httpx://a.b", false), ("ftp://a.b/", false),
            (" https://a", false),
            ("http://", false), ("/http://a.b", false), ("store", false),
        ])
    func aDestinationBeginsWithASchemeOfTheWeb(destination: String, isAnswered: Bool) {
        var record = record("a")
        record.destination = Array(destination.utf8)
        #expect((LinkRecord(record.bytes).state == .active) == isAnswered)
    }
}
