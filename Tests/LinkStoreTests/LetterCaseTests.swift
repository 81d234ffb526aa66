import LinkIndex
import LinkStore
import TestSupport
import Testing

/// Slugs that only letter case tells apart, in a collection in which case mattered when they were made.
@Suite struct LetterCaseTests {
    private struct Model {
        var slugs = [String: LinkID]()
        /// In the order in which the store has got them.
        var links = [(id: LinkID, slugs: [String])]()

        mutating func add(_ slug: String, to id: LinkID) {
            slugs[slug] = id
            if let place = links.firstIndex(where: { $0.id == id }) {
                links[place].slugs.append(slug)
            } else {
                links.append((id, [slug]))
            }
        }

        /// The link as it is written, or else the one that the store has got first.
        func link(_ slug: String) -> LinkID? {
            slugs[slug]
                ?? links.first { link in
                    link.slugs.contains { $0.lowercased() == slug.lowercased() }
                }?.id
        }
    }

    private static let words = ["ab", "sale", "k-9"]

    private func anyCase(_ word: String, _ random: inout SplitMix) -> String {
        String(word.map { Bool.random(using: &random) ? Character($0.uppercased()) : $0 })
    }

    private func expect(_ store: LinkStore, _ model: Model, _ place: String) throws {
        var random = SplitMix(seed: 1)
        let others = Self.words.flatMap { word in
            [word, word.uppercased(), anyCase(word, &random), anyCase(word, &random)]
        }
        for slug in Set(Array(model.slugs.keys) + others) {
            let found = try store.link("short", foundBy: slug, isExact: false)?.id
            #expect(found == model.link(slug), "\(place): \(slug)")
            var lookup = LinkLookup()
            let number = CollectionName("short").number
            guard store.index.find(number, Array(slug.utf8).span, isExact: false, &lookup) else {
                #expect(model.link(slug) == nil, "\(place): \(slug)")
                continue
            }
            // The link itself, whatever the slug by which it is found.
            let row = try #require(try model.link(slug).flatMap { try store.number(of: $0) })
            #expect(lookup.found?.id == UInt64(row), "\(place): \(slug)")
            #expect(
                try store.link("short", foundBy: slug, isExact: true)?.id == model.slugs[slug],
                "\(place): \(slug)")
        }
    }

    /// Imports bring links of any age, so numbers do not follow identities.
    private func change(
        _ store: LinkStore, _ model: inout Model, _ random: inout SplitMix
    ) throws {
        var next = model
        try store.transaction { generation throws(StoreError) in
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let slug = anyCase(Self.words.randomElement(using: &random) ?? "", &random)
                let known = next.links.randomElement(using: &random)?.id
                let kind = Int.random(in: 0..<8, using: &random)
                if kind < 4 {
                    let id =
                        kind < 2
                        ? store.makeID(milliseconds: 2_000_000, &random)
                        : LinkID(
                            milliseconds: Int.random(in: 0..<2_000_000, using: &random),
                            random: &random)
                    let made = try store.create(
                        id, "short", slug: slug, content("https://a.example/"), isExact: true,
                        at: (1, 1), generation: generation)
                    if case .success = made { next.add(slug, to: id) }
                } else if let known, kind < 6 {
                    let edit = try store.addAliases(
                        [slug], to: known, isExact: true, at: 2, generation: generation)
                    if case .done = edit { next.add(slug, to: known) }
                } else if let known, kind == 6 {
                    let number = Int.random(in: 0..<100, using: &random)
                    _ = try store.update(known, expected: nil, at: 3, generation: generation) { _ in
                        var link = content("https://a.example/\(number)")
                        link.isDisabled = number < 50
                        return link
                    }
                } else if let known, Int.random(in: 0..<4, using: &random) == 0 {
                    _ = try store.delete(known, expected: nil, at: 4, generation: generation)
                }
            }
        }
        model = next
    }

    /// Makes the links anew elsewhere, a few at a time and in any order, as an import does.
    private func move(
        _ model: inout Model, to path: String, _ random: inout SplitMix
    ) throws -> LinkStore {
        let store = try LinkStore(path)
        model.links.shuffle(using: &random)
        var rest = model.links[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...10, using: &random))
            rest = rest.dropFirst(part.count)
            try store.transaction { generation throws(StoreError) in
                for (id, slugs) in part {
                    _ = try store.create(
                        id, "short", slug: slugs[0], content("https://a.example/"), isExact: true,
                        at: (1, 1), generation: generation)
                    _ = try store.addAliases(
                        Array(slugs.dropFirst()), to: id, isExact: true, at: 1,
                        generation: generation)
                }
            }
        }
        return store
    }

    @Test(arguments: 1...12)
    func `a slug in another case leads to the link that came first`(seed: Int) throws {
        let directory = StoreDirectory()
        var (random, model) = (SplitMix(seed: UInt64(seed)), Model())
        var path = directory.database
        var store: LinkStore? = try LinkStore(path)
        /// The file is free when nobody has the store any more.
        func close() throws {
            try store?.close()
            store = nil
        }
        for round in 1...60 {
            try change(try #require(store), &model, &random)
            try expect(try #require(store), model, "round \(round)")
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                try close()
                store = try LinkStore(path)
                try expect(try #require(store), model, "round \(round), after a start")
            case 1:
                try close()
                path = "\(directory.path)/\(round).db"
                store = try move(&model, to: path, &random)
                try expect(try #require(store), model, "round \(round), moved")
            default: break
            }
        }
        #expect(model.slugs.count > 12)
        try close()
    }
}
