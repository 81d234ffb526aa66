import Testing

@testable import LinkStore

@Suite("Identities of links")
struct LinkIDTests {
    @Test func `one that is made later comes later, whatever the clock says`() throws {
        let directory = StoreDirectory()
        defer { withExtendedLifetime(directory) {} }
        var random = SystemRandomNumberGenerator()
        var made = [LinkID]()
        for milliseconds in [1_800_000_000_000, 1_700_000_000_000, 1_600_000_000_000] {
            // Each time another process.
            let store = try LinkStore(directory.database)
            for _ in 0..<2 {
                let id = store.makeID(milliseconds: milliseconds, &random)
                made.append(id)
                _ = try store.transaction { generation throws(StoreError) in
                    try store.create(
                        id, "short", slug: "s\(made.count)", LinkContent(), isExact: false,
                        at: (100, 100), generation: generation)
                }
            }
        }
        let texts = made.map(\.description)
        #expect(texts == texts.sorted() && Set(texts).count == made.count)
    }

    @Test(arguments: [
        ("0197a000-0000-7000-8000-000000000000", "0197a000-0000-7000-8000-000000000001"),
        ("0197a000-0000-7000-bfff-ffffffffffff", "0197a000-0000-7001-8000-000000000000"),
        ("0197a000-0000-7fff-bfff-ffffffffffff", "0197a000-0001-7000-8000-000000000000"),
        ("ffffffff-ffff-7fff-bfff-ffffffffffff", nil),
    ])
    func `the next one keeps the form`(_ id: String, _ next: String?) throws {
        #expect(try #require(LinkID(id)).successor?.description == next)
    }
}
