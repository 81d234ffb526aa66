import Diagnostics
import LinkIndex
import LinkStore
import Synchronization

/// A search for a text that begins in memory: the index has all that is searched of a link but its note, so only the rows of
/// links that can have the text are read, and those of links that another program has written so that the index cannot have them
/// (`OddRows`). It looks at a part at a time. Where very many links can have the text, the list is made row by row (`LinkSearch`), and
/// where it is not full soon, of those that can have it, in the list's order.
final class IndexedSearch: Sendable {
    private let search: LinkSearch
    /// A part of the text that is in the index as it is written.
    private let fragment: [UInt8]
    private let sought: RecordSearch
    private let last: LinkID?
    private let state = Mutex(State())

    private struct State {
        /// The index in which it was begun.
        var index: LinkIndex?
        var part = 0
        var numbers = Set<UInt64>()
        /// The numbers where they are very many.
        var many: LinkNumbers?
        var lastNote: LinkID?
        /// Whether all notes were looked at.
        var hasNotes = false
        var ids = Set<LinkID>()
        /// The links that can have the text, in the order of the list; nil before they are known.
        var candidates: ArraySlice<LinkID>?
        /// The same, also those of pages before; only where they are counted.
        var all = [LinkID]()
        var found: FoundLinks?
        /// The links with the text in their note that are still to come, in the order of the list; nil before they are put in order.
        var noted: ArraySlice<LinkID>?
        /// The candidates of the last look at the list's order, where the numbers are very many.
        var ahead: Ahead?
        /// The parts that are read row by row before the next look, and those that the last looks have led to; none after one that
        /// has found few.
        var (partsOfRows, denseParts) = (0, 0)

        mutating func insert(_ number: UInt64, most: Int) {
            many?.insert(number)
            if many == nil { numbers.insert(number) }
            if numbers.count > most { becomeMany() }
        }

        mutating func becomeMany() {
            if many == nil { (many, numbers) = (LinkNumbers(numbers), []) }
        }
    }

    /// Links of the list that can have the text, and the last that was looked at; nil at the end.
    private struct Ahead {
        var ids: ArraySlice<LinkID>
        let last: LinkID?
    }

    /// Some milliseconds of a million links.
    private static let partsAtOnce = 16
    private static let notesAtOnce = 10_000
    /// The sizes of the steps. Tests have smaller ones.
    struct Sizes: Sendable {
        /// Of more links, not all are kept and put in order: without further conditions, a page is full soon.
        var candidates = 10_000
        /// The parts that are looked at row by row then, before all links that can have the text are looked for.
        var partsOfRows = 4
        /// The links that are looked at in the list's order to find those that can have the text.
        var links = 20_000
        /// The most of these that are read by their numbers. More are read row by row.
        var dense = 5_000
    }

    private let sizes: Sizes

    /// - Returns: nil if the search is for no text, or only rows can tell which links have it.
    init?(_ search: LinkSearch, _ sizes: Sizes = Sizes()) {
        self.sizes = sizes
        guard let text = search.filter.text, search.filter.ids == nil,
            case .creation(let last) = search.place
        else { return nil }
        let fragment = Array(Self.fragment(of: text))
        guard let sought = RecordSearch(fragment) else { return nil }
        (self.search, self.fragment, self.sought, self.last) = (search, fragment, sought, last)
    }

    /// The longest part of a text that each link with the text has in the index: without letters that have several
    /// forms, and without what JSON escapes.
    static func fragment(of text: String) -> ArraySlice<UInt8> {
        let bytes = Array(text.utf8)
        // A text with a line end can reach from one member to the next.
        guard !bytes.contains(UInt8(ascii: "\n")) else { return [] }
        let isPlain = bytes.allSatisfy { $0 < 0x80 }
        let parts = bytes.indices.split { place in
            let byte = bytes[place]
            // The sign of Kelvin is another form of k.
            return byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "\"")
                || byte == UInt8(ascii: "\\") || !isPlain && byte | 0x20 == UInt8(ascii: "k")
                // A letter with a mark behind it, U+0300 to U+036F, can be one letter there.
                || place + 1 < bytes.count && 0xCC...0xCD ~= bytes[place + 1]
        }
        return parts.max { $0.count < $1.count }.map { bytes[$0] } ?? []
    }

    /// Looks at the next part.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    func step(_ store: LinkStore) throws(StoreError) -> APIResponse {
        let result: Result<APIResponse?, StoreError> = state.withLock { state in
            do throws(StoreError) {
                return .success(try answer(store, &state))
            } catch {
                return .failure(error)
            }
        }
        if let answer = try result.get() { return answer }
        return .unfinished { [self] store throws(Problem) in
            try orProblem { () throws(StoreError) in try step(store) }
        }
    }

    /// - Returns: nil until the answer is whole.
    private func answer(
        _ store: LinkStore, _ state: inout State
    ) throws(StoreError) -> APIResponse? {
        if state.index == nil { _ = try store.refresh() }
        let index = state.index ?? store.index
        state.index = index
        guard !isOdd(store, state) else { return try search.step(store) }
        if state.many != nil || state.numbers.count + state.ids.count > sizes.candidates {
            state.becomeMany()
            state.partsOfRows = sizes.partsOfRows
            return LinkSearch(search, finder: self).later
        }
        if state.part < index.partCount {
            lookAtPart(of: index, &state)
            return nil
        }
        guard let candidates = state.candidates else {
            if state.hasNotes {
                try findCandidates(store, &state)
            } else {
                try readNotes(store, &state)
            }
            return nil
        }
        return try page(candidates, store, &state)
    }

    /// Whether the text can be in rows of which the index does not know.
    private func isOdd(_ store: LinkStore, _ state: State) -> Bool {
        let odd = store.oddRows
        return odd.areTooMany
            || !odd.areAll && (state.many?.has(0) ?? state.numbers.contains(0))
    }

    private func lookAtPart(of index: LinkIndex, _ state: inout State) {
        let end = min(state.part + Self.partsAtOnce, index.partCount)
        for part in state.part..<end {
            index.forEachLink(inPart: part, with: sought) { number in
                state.insert(number, most: sizes.candidates)
            }
        }
        state.part = end
    }

    private func readNotes(_ store: LinkStore, _ state: inout State) throws(StoreError) {
        // A page of a list with the oldest first has none of the links before it.
        let isWhole = search.filter.isNewestFirst || search.counts
        let first = state.lastNote ?? (isWhole ? nil : last)
        var ids = Set<LinkID>()
        let part = try store.links(withNote: fragment, after: first, rows: Self.notesAtOnce) {
            ids.insert($0)
        }
        state.ids.formUnion(ids)
        (state.lastNote, state.hasNotes) = (part, part == nil)
    }

    private func findCandidates(_ store: LinkStore, _ state: inout State) throws(StoreError) {
        // The number 0 stands for links that are odd.
        state.numbers.remove(0)
        let numbers = state.numbers.map { Int($0) } + store.oddRows.rows
        state.ids.formUnion(try store.ids(of: numbers))
        state.numbers = []
        if search.counts { state.all = Array(state.ids) }
        state.candidates = inOrder(state.ids, after: last)[...]
    }

    /// Those of some links that are after one in the list, in its order.
    private func inOrder(_ ids: some Sequence<LinkID>, after last: LinkID?) -> [LinkID] {
        ids.filter { isInOrder(last, $0) }.sorted { isInOrder($0, $1) }
    }

    /// Whether a link comes after another one in the list, or is in it where that is nil.
    private func isInOrder(_ first: LinkID?, _ id: LinkID) -> Bool {
        guard let first else { return true }
        return search.filter.isNewestFirst ? id.isBefore(first) : first.isBefore(id)
    }

    /// Reads the rows of the next candidates.
    private func page(
        _ candidates: ArraySlice<LinkID>, _ store: LinkStore, _ state: inout State
    ) throws(StoreError) -> APIResponse? {
        var (filter, found) = (search.filter, state.found ?? FoundLinks(search.limit))
        state.found = nil
        filter.ids = Array(candidates.prefix(LinkFilter.idsMax))
        let rest = candidates.dropFirst(LinkFilter.idsMax)
        found.append(
            try store.links(
                filter, after: nil, limit: found.left.limit, bytesMax: found.left.bytesMax))
        guard found.isFull || rest.isEmpty else {
            (state.found, state.candidates) = (found, rest)
            return nil
        }
        guard search.counts else { return try search.answer(found, store) }
        if last == nil, !found.isFull {
            return search.answer(found, LinkTally(count: found.links.count))
        }
        return try LinkCount(search.filter, among: state.all).answer(store) {
            [search, found] tally in search.answer(found, tally)
        }
    }
}

// MARK: Very many

extension IndexedSearch {
    /// The next links of the list that can have the text, where they are very many.
    enum Next {
        /// They are not known yet.
        case unknown
        /// Only rows can tell.
        case rows
        /// At most `LinkFilter.idsMax` links, and the last that was looked at; nil at the end.
        case links([LinkID], last: LinkID?)
    }

    func next(after last: LinkID?, _ store: LinkStore) throws(StoreError) -> Next {
        let result: Result<Next, StoreError> = state.withLock { state in
            do throws(StoreError) {
                return .success(try next(after: last, store, &state))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func next(
        after last: LinkID?, _ store: LinkStore, _ state: inout State
    ) throws(StoreError) -> Next {
        let index = state.index ?? store.index
        guard state.many?.lacksSome == false, !isOdd(store, state),
            state.ids.count <= sizes.candidates
        else { return .rows }
        if state.partsOfRows > 0 {
            state.partsOfRows -= 1
            return .rows
        }
        if state.part < index.partCount {
            lookAtPart(of: index, &state)
            return .unknown
        }
        guard state.hasNotes else {
            try readNotes(store, &state)
            return .unknown
        }
        if state.ahead == nil { state.ahead = try look(after: last, store, &state) }
        guard let ahead = state.ahead else {
            // To look for each of so many links would take as long. The longer that lasts, the later is the next look.
            let parts = (sizes.links - 1) / search.partLinks + 1
            state.denseParts = max(2 * state.denseParts, parts)
            state.partsOfRows = state.denseParts - 1
            return .rows
        }
        state.denseParts = 0
        let ids = ahead.ids.prefix(LinkFilter.idsMax)
        let rest = ahead.ids.dropFirst(LinkFilter.idsMax)
        state.ahead = rest.isEmpty ? nil : Ahead(ids: rest, last: ahead.last)
        return .links(Array(ids), last: rest.isEmpty ? ahead.last : ids.last)
    }

    /// - Returns: those of the next links of the list that can have the text; nil for very many.
    private func look(
        after last: LinkID?, _ store: LinkStore, _ state: inout State
    ) throws(StoreError) -> Ahead? {
        let (many, odd) = (state.many, store.oddRows.rows)
        let part = try store.ids(
            search.filter, after: last, rows: sizes.links, limit: sizes.dense + 1
        ) { many?.has($0) ?? false || odd.contains($0) }
        // Those with the text in their note, up to the last that was looked at.
        var noted = state.noted ?? inOrder(state.ids, after: nil)[...]
        noted = noted.drop { !isInOrder(last, $0) }
        state.noted = noted
        noted = noted.prefix { part.last == nil || !isInOrder(part.last, $0) }
        guard part.ids.count + noted.count <= sizes.dense else { return nil }
        let ids = noted.isEmpty ? part.ids : inOrder(Set(part.ids).union(noted), after: nil)
        return Ahead(ids: ids[...], last: part.last)
    }
}
