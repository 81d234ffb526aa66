/// The redirects of a directive, and what Caddy orders it by.
struct CaddyEntry {
    let kind: Kind
    /// The only path of its matcher.
    let path: String?
    let hasMatcher: Bool
    var rules = [RedirectRule]()
    /// The paths of a block.
    var taken = [String]()

    /// Whether one of its rules is for all paths of the block.
    var answersAll: Bool {
        rules.contains { $0.match == taken && $0.exclude.isEmpty && $0.query.isEmpty }
    }

    enum Kind: Int { case redirect, handle, route }

    init(kind: Kind, _ matcher: CaddyMatcher) {
        self.kind = kind
        path = matcher.written.count == 1 ? matcher.written[0] : nil
        hasMatcher = !matcher.isEmpty
    }

    /// Caddy compares two paths by their length, and a directive with a matcher comes before one
    /// without. Others are equal, which is no order of all of them: it sorts by insertion, and so
    /// does this as long as there are few.
    static func inOrder(_ entries: [CaddyEntry]) -> [CaddyEntry] {
        [Kind.redirect, .handle, .route].flatMap { kind -> [CaddyEntry] in
            var list = entries.filter { $0.kind == kind }
            guard list.count <= insertionMax else {
                return list.enumerated().sorted { left, right in
                    (left.element.rank, left.offset) < (right.element.rank, right.offset)
                }.map(\.element)
            }
            for number in list.indices {
                var place = number
                while place > 0, list[place].comes(before: list[place - 1]) {
                    list.swapAt(place, place - 1)
                    place -= 1
                }
            }
            return list
        }
    }

    private static let insertionMax = 1_000

    private var rank: Int { path.map { -$0.utf8.count } ?? (hasMatcher ? 0 : 1) }

    private func comes(before other: CaddyEntry) -> Bool {
        guard let path, let second = other.path else { return hasMatcher && !other.hasMatcher }
        func trimmed(_ text: String) -> Substring.UTF8View {
            text.utf8.last == UInt8(ascii: "*") ? text.utf8.dropLast() : text.utf8[...]
        }
        if trimmed(path).elementsEqual(trimmed(second)) {
            return path.utf8.count < second.utf8.count
        }
        return path.utf8.count > second.utf8.count
    }
}
