import Diagnostics
import LinkStore
import Synchronization
import Visits

/// The visits of many links, which are summed up a part at a time: first a part of the links, then a part of the
/// hours. Each hour is read once, so what is written to the tables meanwhile counts once.
final class VisitSurvey: Sendable {
    private let visits: SharedVisits
    private let query: VisitQuery
    private let filter: VisitLinkFilter
    /// The hour after the last of which something can be counted.
    private let end: Int
    private let state: Mutex<State>
    private let places: SurveyPlaces

    private struct State: Sendable {
        var links = LinkGroups()
        /// Of the last link that was looked at.
        var lastLink = 0
        var hasLinks = false
        /// The values of each group, and the group of values.
        var values = [[String]]()
        var groups = [[[UInt8]]: Int]()
        var hour: Int
        var sums: GroupedVisits
    }

    private static let linksAtOnce = 5_000
    /// The most links, and different sums, that are kept in memory meanwhile.
    private static let linksMax = 1_000_000
    private static let sumsMax = 200_000

    init(_ call: APICall, _ query: VisitQuery, _ filter: VisitLinkFilter) throws(Problem) {
        guard let visits = call.visits else { throw .store("visits are not counted") }
        places = call.api.surveys
        guard places.take() else {
            throw .store("\(SurveyPlaces.max) questions about visits of many links are under way")
        }
        (self.visits, self.query, self.filter) = (visits, query, filter)
        // Nothing is kept for longer, and nothing is counted in the future.
        let first = 24 * (call.now / 86_400 - VisitStore.daysKept - 1)
        end = min(query.hours.upperBound, call.now / 3_600 + 24)
        let hour = max(query.hours.lowerBound, first)
        state = Mutex(State(hour: hour, sums: GroupedVisits(by: query.groups)))
    }

    deinit { places.giveBack() }

    /// Sums up the next part.
    func step(_ store: LinkStore) throws(Problem) -> APIResponse {
        let result: Result<APIResponse?, Problem> = state.withLock { state in
            do throws(Problem) {
                guard state.hasLinks else {
                    try readLinks(store, &state)
                    return .success(nil)
                }
                try readVisits(&state)
                return try .success(state.hour < end ? nil : answer(state))
            } catch {
                return .failure(error)
            }
        }
        if let answer = try result.get() { return answer }
        var response = APIResponse(200)
        response.rest = UnfinishedAnswer { [self] store throws(Problem) in try step(store) }
        return response
    }

    private func readLinks(_ store: LinkStore, _ state: inout State) throws(Problem) {
        let last = state.lastLink
        let (facts, hasMore) = try orProblem { () throws(StoreError) in
            try filter.facts(store, after: last, limit: Self.linksAtOnce)
        }
        for link in facts where filter.has(link) {
            let values = query.links?.values(of: link) ?? [""]
            let key = values.map { Array($0.utf8) }
            let group = state.groups[key] ?? state.values.count
            if group == state.values.count {
                state.groups[key] = group
                state.values.append(values)
            }
            state.links.add(link.number, to: group)
        }
        guard state.links.links.count <= Self.linksMax else {
            throw Problem(
                .query,
                "the question is about more than \(Self.linksMax) links: name a collection, a tag or a campaign"
            )
        }
        state.lastLink = facts.last?.number ?? last
        state.hasLinks = !hasMore
        if state.links.links.isEmpty, state.hasLinks { state.hour = end }
    }

    private func readVisits(_ state: inout State) throws(Problem) {
        guard state.hour < end else { return }
        let (links, begin, last) = (state.links, state.hour, end)
        let groups = query.groups
        let part = try orProblem { () throws(StoreError) in
            try visits.use { store throws(StoreError) in
                let most = store.hoursAtOnce(of: links.links.count)
                // Up to the end of a day, so that a day whose hours are not kept any more is read once.
                let end = last - begin <= most ? last : (begin / 24 + most / 24) * 24
                let days =
                    groups?.has(.hour) == true ? 0..<0 : begin / 24..<(end + 23) / 24
                let sums = try store.visits(of: links, begin..<end, days: days, by: groups)
                return (end: end, sums: sums)
            }
        }
        state.sums.add(part.sums)
        state.hour = part.end
        guard state.sums.sums.count <= Self.sumsMax else {
            throw Problem(
                .query,
                "the answer would have more than \(Self.sumsMax) sums: ask for a shorter period, for fewer links, or "
                    + "by one thing")
        }
    }

    // MARK: The answer

    private func answer(_ state: State) throws(Problem) -> APIResponse {
        var sums = [RowKey: SIMD8<Int>]()
        for (key, counts) in state.sums.sums {
            for value in state.values[key.group] {
                sums[RowKey(value: value, number: key.number), default: .zero] &+= counts
            }
        }
        if query.links == nil || query.groups != nil { try VisitAnswerTable.check(sums.count) }
        var table = VisitAnswerTable(query)
        var rows = sums.map { key, counts in
            (key: key, row: table.row(key.value, key.number, counts))
        }
        if query.links != nil, query.groups == nil {
            rows.sort {
                ($1.row.visits, $0.key.value) < ($0.row.visits, $1.key.value)
            }
            table.rows = rows.prefix(Self.valuesMax).map(\.row)
            let others = rows.dropFirst(Self.valuesMax)
            if !others.isEmpty {
                let counts = others.reduce(into: SIMD8<Int>.zero) { $0 &+= $1.row.counts }
                table.rows.append(table.row(VisitStore.otherHosts, 0, counts))
            }
        } else {
            let isByLinkFirst = query.isByLinkFirst
            rows.sort { left, right in
                isByLinkFirst
                    ? (left.key.value, left.key.number) < (right.key.value, right.key.number)
                    : (left.key.number, left.key.value) < (right.key.number, right.key.value)
            }
            table.rows = rows.map(\.row)
        }
        return try table.response()
    }

    /// The most values that an answer names.
    private static let valuesMax = 1_000

    /// The key of a row. Values are compared by their scalars, as filters compare them: two tags can look the same.
    private struct RowKey: Hashable {
        let value: String
        let number: Int

        static func == (left: RowKey, right: RowKey) -> Bool {
            left.number == right.number && left.value.isScalarwise(right.value)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(number)
            for byte in value.utf8 { hasher.combine(byte) }
        }
    }
}

/// The room for questions about visits of many links: each keeps what it knows of its links in memory until its answer.
final class SurveyPlaces: Sendable {
    static let max = 4
    private let taken = Mutex(0)

    func take() -> Bool {
        taken.withLock { taken in
            guard taken < Self.max else { return false }
            taken += 1
            return true
        }
    }

    func giveBack() { taken.withLock { $0 -= 1 } }
}
