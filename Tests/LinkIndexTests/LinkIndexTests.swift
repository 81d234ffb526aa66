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
            ? LinkRecord(scratch.record) : nil
    }

    @Test func recordsHaveTheirValuesAfterReading() {
        var record = record("h7mtx3k9qz", 1 << 40)
        #expect(LinkRecord(record.bytes) == record)
        (record.from, record.until, record.isAlias) = (-1, 1_900_000_000, true)
        record.details = Array(#"{"page":{"title":"x"}}"#.utf8)
        #expect(LinkRecord(record.bytes) == record)
        record.from = nil
        for state in [LinkRecord.State.active, .disabled, .deleted] {
            record.state = state
            #expect(LinkRecord(record.bytes) == record)
        }
    }

    @Test func aSlugIsFoundAsWrittenBeforeOtherCases() {
        let index = LinkIndex().changed(
            ["Ab", "aB", "cd"].enumerated().map { LinkChange(record($1, UInt64($0))) },
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
        let first = LinkIndex().changed([LinkChange(record("a", 1))], generation: 1)
        let second = first.changed(
            [LinkChange(record("a", 2)), LinkChange(record("b", 3))], generation: 2)
        #expect(find(first, "a")?.id == 1)
        #expect(find(first, "b") == nil)
        #expect(find(second, "a")?.id == 2)
        #expect((first.count, second.count) == (1, 2))
        #expect((first.generation, second.generation) == (1, 2))
        let third = second.changed(
            [LinkChange(removing: Array("a".utf8), of: short)], generation: 3)
        #expect(find(third, "a") == nil)
        #expect(third.count == 1)
    }

    @Test func ofTwoChangesOfOneSlugTheLaterDecides() {
        let index = LinkIndex().changed(
            [
                LinkChange(record("a", 1)), LinkChange(record("a", 2)),
                LinkChange(record("b", 1)),
                LinkChange(removing: Array("b".utf8), of: short),
                LinkChange(removing: Array("c".utf8), of: short), LinkChange(record("c", 3)),
            ], generation: 1)
        #expect(find(index, "a")?.id == 2)
        #expect(find(index, "b") == nil)
        #expect(find(index, "c")?.id == 3)
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
                if Int.random(in: 0..<4, using: &random) == 0 {
                    model[slug] = nil
                    changes.append(LinkChange(removing: Array(slug.utf8), of: collection))
                } else {
                    let id = UInt64.random(in: 0..<1 << 47, using: &random)
                    model[slug] = id
                    changes.append(LinkChange(record(slug, id, in: collection)))
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
        let index = LinkIndex().changed(records.map(LinkChange.init), generation: 1)
        for number in 0..<200 { #expect(find(index, "large-\(number)")?.id == UInt64(number)) }
    }
}
