import LinkIndex
import LinkStore

// Links of the collection `short`, as suites make and find them.

func content(_ destination: String) -> LinkContent {
    var content = LinkContent()
    content.destination = destination
    return content
}

func id(_ number: Int) -> LinkID {
    var random = SystemRandomNumberGenerator()
    return LinkID(milliseconds: 1_700_000_000_000 + number, random: &random)
}

@discardableResult
func create(
    _ store: LinkStore, _ slug: String, _ content: LinkContent, _ number: Int = 0,
    isExact: Bool = false
) throws -> Result<StoredLink, LinkConflict> {
    try store.transaction { generation throws(StoreError) in
        try store.create(
            id(number), "short", slug: slug, content, isExact: isExact, at: (100, 100),
            generation: generation)
    }
}

/// Makes the links `s0`, `s1` and so on, all in one generation.
func createLinks(_ count: Int, in store: LinkStore) throws {
    try store.transaction { generation throws(StoreError) in
        for number in 0..<count {
            _ = try store.create(
                id(number), "short", slug: "s\(number)", LinkContent(), isExact: false,
                at: (1, 1), generation: generation)
        }
    }
}

/// The link that the index finds by this very slug.
func record(_ store: LinkStore, _ slug: String) -> LinkRecord? {
    var lookup = LinkLookup()
    let number = CollectionName("short").number
    guard store.index.find(number, Array(slug.utf8).span, isExact: true, &lookup) else {
        return nil
    }
    return lookup.found
}
