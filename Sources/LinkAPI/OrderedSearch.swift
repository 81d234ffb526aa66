import Diagnostics
import LinkStore
import Synchronization
import Visits

/// A list of links in the order of one of their properties, in which no database has them: a look at each link that meets the filter,
/// a part at a time, of which only the first ones after the last page are kept. By visits, the numbers of these links are
/// kept, and their visits are counted after that. So each page costs as much as the first.
final class OrderedSearch: Sendable {
    private let search: LinkSearch
    private let order: LinkOrder
    /// After which the page begins.
    private let last: OrderedPlace?
    /// Seconds since 1970.
    private let now: Int
    /// Nil in another order than that of visits.
    private let counting: Counting?
    private let state: Mutex<State>

    /// The visits that make the order.
    private struct Counting: Sendable {
        let visits: SharedVisits
        /// Since 1970.
        let hours: Range<Int>
        let places: SurveyPlaces
    }

    private struct State: Sendable {
        /// The last link that was looked at.
        var lastLooked: LinkID?
        var isLooked = false
        /// The links of the list, on all its pages.
        var count = 0
        var first: FirstElements<OrderedPlace>
        /// Of an order by visits.
        var links = LinkGroups()
        var numbers = [Int]()
        var hour: Int
        var sums = GroupedVisits(by: nil, of: 0)
        /// Of a list of links that end soon.
        var ending: EndingLinks?
    }

    /// The most links whose visits are counted.
    private static let countedMax = 1_000_000

    /// - Parameters:
    ///   - days: up to today, whose visits make the order.
    ///   - endDays: from now, in which the links end; nil for all links.
    init(
        _ call: APICall, _ search: LinkSearch, by order: LinkOrder, after last: OrderedPlace?,
        days: Int, endDays: Int?
    ) throws(Problem) {
        (self.search, self.order, self.last, now) = (search, order, last, call.now)
        let today = call.now / 86_400
        let hours = 24 * (today + 1 - days)..<24 * (today + 1)
        if order == .visits {
            guard let visits = call.visits else { throw .store("visits are not counted") }
            guard call.api.surveys.take() else {
                throw .busy(
                    "\(SurveyPlaces.max) questions about visits of many links are under way")
            }
            counting = Counting(visits: visits, hours: hours, places: call.api.surveys)
        } else {
            counting = nil
        }
        // One more tells whether there is another page.
        let first = FirstElements(search.limit + 1) { (left: OrderedPlace, right: OrderedPlace) in
            left.isBefore(right)
        }
        let ending = endDays.map { EndingLinks(days: $0, from: call.now) }
        state = Mutex(State(first: first, hour: hours.lowerBound, ending: ending))
    }

    deinit { counting?.places.giveBack() }

    /// Looks at the next part.
    /// - Returns: the answer; until it is whole, its `rest` goes on.
    func step(_ store: LinkStore) throws(Problem) -> APIResponse {
        let result: Result<APIResponse?, Problem> = state.withLock { state in
            do throws(Problem) {
                return .success(try answer(store, &state))
            } catch {
                return .failure(error)
            }
        }
        if let answer = try result.get() { return answer }
        return .unfinished { [self] store throws(Problem) in try step(store) }
    }

    /// - Returns: nil until the answer is whole.
    private func answer(_ store: LinkStore, _ state: inout State) throws(Problem) -> APIResponse? {
        guard state.isLooked else {
            if state.ending == nil || search.filter.ids != nil {
                try look(store, &state)
            } else {
                try lookAtEnding(store, &state)
            }
            return nil
        }
        if let counting, state.hour < counting.hours.upperBound {
            try count(counting, &state)
            return nil
        }
        return try page(store, &state)
    }

    // MARK: Parts

    private func look(_ store: LinkStore, _ state: inout State) throws(Problem) {
        let (filter, from) = (search.filter, state.lastLooked)
        let part = try orProblem { () throws(StoreError) in
            // Links that are named are found without a look at the others.
            let part =
                filter.ids == nil
                ? try store.link(filter, after: from, rows: search.partLinks) : nil
            try store.forEachLink(filter, after: from, upTo: part) { link in
                if state.ending.map({ $0.has(link) }) ?? true { take(link, &state) }
            }
            return part
        }
        guard state.numbers.count <= Self.countedMax else {
            throw Problem(
                .query,
                "order is visits, and the list has more than \(Self.countedMax) links: name a collection or a tag"
            )
        }
        state.lastLooked = part
        if part == nil { endLook(&state) }
    }

    /// Takes a link of the list.
    private func take(_ link: LinkKeys, _ state: inout State) {
        state.count += 1
        if counting == nil {
            add(order.place(of: link, at: now), &state)
        } else {
            state.numbers.append(link.number)
        }
    }

    /// Ends the look at links, whose visits are counted next where they make the order.
    private func endLook(_ state: inout State) {
        state.isLooked = true
        guard counting != nil else { return }
        state.numbers.sort()
        for (place, number) in state.numbers.enumerated() { state.links.add(number, to: place) }
        state.links.finish()
        state.sums = GroupedVisits(by: nil, of: state.numbers.count)
    }

    /// Looks at the next links that end soon.
    private func lookAtEnding(_ store: LinkStore, _ state: inout State) throws(Problem) {
        guard var ending = state.ending, state.lastLooked == nil else {
            return try look(store, &state)
        }
        // With one owner, its numbers are not copied.
        state.ending = nil
        let next = try orProblem { () throws(StoreError) in try ending.next(store) }
        state.ending = ending
        switch next {
        case .none: break
        case .all: try look(store, &state)
        case .end: endLook(&state)
        case .some(let ids):
            var filter = search.filter
            filter.ids = ids
            try orProblem { () throws(StoreError) in
                try store.forEachLink(filter, after: nil, upTo: nil) { link in
                    if ending.has(link) { take(link, &state) }
                }
            }
        }
    }

    private func add(_ place: OrderedPlace, _ state: inout State) {
        if last.map({ $0.isBefore(place) }) ?? true { state.first.add(place) }
    }

    private func count(_ counting: Counting, _ state: inout State) throws(Problem) {
        let (links, hours) = (state.links, state.hour..<counting.hours.upperBound)
        state.hour = try orProblem { () throws(StoreError) in
            try counting.visits.use { visits throws(StoreError) in
                try visits.addVisits(of: links, hours, to: &state.sums)
            }
        }
        guard state.hour >= counting.hours.upperBound else { return }
        state.sums.finish()
        guard !state.sums.isFull else {
            throw Problem(
                .query,
                "order is visits, and more than \(GroupedVisits.sumsMax) links were visited: ask for fewer days, or name a "
                    + "collection or a tag")
        }
        var visits = [Int](repeating: 0, count: state.numbers.count)
        for place in 0..<state.sums.count {
            visits[state.sums.key(at: place).group] = state.sums.count(of: .visit, at: place)
        }
        for (number, count) in zip(state.numbers, visits) {
            let link = LinkKeys(number: number, slug: "", until: nil, generation: 0)
            add(order.place(of: link, visits: count, at: now), &state)
        }
    }

    private func page(_ store: LinkStore, _ state: inout State) throws(Problem) -> APIResponse {
        let places = state.first.sorted
        var found = FoundLinks(search.limit)
        let links = try orProblem { () throws(StoreError) in
            try store.links(
                search.filter, numbered: places.map(\.link), bytesMax: found.left.bytesMax)
        }
        found.append(links.map(\.link))
        let byNumber = Dictionary(places.map { ($0.link, $0) }) { one, _ in one }
        let byID = Dictionary(links.map { ($0.link.id, byNumber[$0.row]) }) { one, _ in one }
        // A link that does not meet the filter any more is missing, and others come behind it.
        let tally = search.counts ? LinkTally(count: state.count) : nil
        return search.answer(found, tally, hasMore: places.count > search.limit) {
            link in
            let place = byID[link.id].flatMap(\.self)
            return place.map { self.order.text(of: $0, link.id) } ?? link.id.description
        }
    }
}
