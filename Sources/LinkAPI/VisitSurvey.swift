import Diagnostics
import LinkStore
import Synchronization
import Visits

/// The visits of many links, which are summed up a part at a time: first what is not known of the links yet, then a part of the
/// hours. Each hour is read once, so what is written to the tables meanwhile counts once.
final class VisitSurvey: Sendable {
    private let visits: SharedVisits
    private let query: VisitQuery
    private let filter: VisitLinkFilter
    /// The hour after the last of which something can be counted.
    private let end: Int
    /// The days of UTC of which something can be kept.
    private let days: Range<Int>
    /// Seconds since 1970.
    private let now: Int
    private let state: Mutex<State>
    private let places: SurveyPlaces

    private struct State: Sendable {
        /// Of a store with too many links for columns: those that are chosen.
        var columns = LinkColumns()
        /// Of the last link that was looked at there.
        var lastLink = 0
        /// Nil before they are known.
        var links: SurveyedLinks?
        var hour: Int
        var sums: GroupedVisits
        /// Of a question by country.
        var countries = CountrySums()
        /// Of a question by the hosts of referring pages.
        var hosts = HostSums()
        /// The visitors of links, by day, and the day on which they are added next; nil where they are not asked for.
        var visitors: (sums: [Int: Int], next: Int)?
    }

    private static let linksAtOnce = 5_000
    /// The most links that are kept in memory meanwhile.
    private static let linksMax = 1_000_000
    /// The most memory for their texts and numbers.
    private static let bytesMax = 128 << 20

    init(_ call: APICall, _ query: VisitQuery, _ filter: VisitLinkFilter) throws(Problem) {
        guard let visits = call.visits else { throw .store("visits are not counted") }
        places = call.api.surveys
        guard places.take() else {
            throw .busy("\(SurveyPlaces.max) questions about visits of many links are under way")
        }
        (self.visits, self.query, self.filter, now) = (visits, query, filter, call.now)
        days = query.daysKept(at: now)
        guard !query.isByCountry, !query.isByReferrer else {
            end = 24 * days.upperBound
            state = Mutex(State(hour: 24 * days.lowerBound, sums: GroupedVisits(by: nil, of: 0)))
            return
        }
        // Nothing is kept for longer, and nothing is counted in the future.
        let first = 24 * (call.now / 86_400 - VisitStore.daysKept - 1)
        end = min(query.hours.upperBound, call.now / 3_600 + 24)
        let hour = max(query.hours.lowerBound, first)
        var state = State(hour: hour, sums: GroupedVisits(by: query.groups, of: 0))
        if query.hasSumOfVisitors { state.visitors = ([:], days.lowerBound) }
        self.state = Mutex(state)
    }

    deinit { places.giveBack() }

    /// Sums up the next part.
    func step(_ store: LinkStore) throws(Problem) -> APIResponse {
        let result: Result<APIResponse?, Problem> = state.withLock { state in
            do throws(Problem) {
                guard state.links != nil else {
                    try readLinks(store, &state)
                    return .success(nil)
                }
                try readVisits(&state)
                return try .success(isWhole(state) ? answer(state) : nil)
            } catch {
                return .failure(error)
            }
        }
        if let answer = try result.get() { return answer }
        return .unfinished { [self] store throws(Problem) in try step(store) }
    }

    // MARK: Links

    private func readLinks(_ store: LinkStore, _ state: inout State) throws(Problem) {
        if let ids = filter.links {
            // Of few links, not all of the store is looked at.
            let facts = try orProblem { () throws(StoreError) in try store.facts(of: ids) }
            for link in facts { state.columns.put(link, campaign: link.campaignText) }
            begin(state.columns, filter, &state)
        } else if !store.hasTooManyLinks {
            let isWhole = try orProblem { () throws(StoreError) in
                try store.updateColumns(limit: Self.linksAtOnce) { $0.campaignText }
            }
            if isWhole { begin(store.columns, filter, &state) }
        } else {
            try readChosen(store, &state)
        }
    }

    /// Reads a part of so many links that only those which are chosen are kept.
    private func readChosen(_ store: LinkStore, _ state: inout State) throws(Problem) {
        let last = state.lastLink
        let facts = try orProblem { () throws(StoreError) in
            try store.facts(after: last, limit: Self.linksAtOnce)
        }
        for link in facts where filter.has(link) {
            // Of a million links, texts that do not group them would take hundreds of megabytes.
            state.columns.put(
                query.links == .tag ? link : link.withoutTags,
                campaign: query.links == .campaign ? link.campaignText : "")
        }
        guard state.columns.links.count <= Self.linksMax else {
            throw Problem(
                .query,
                "the question is about more than \(Self.linksMax) links: name a collection, a tag or a campaign"
            )
        }
        guard state.columns.byteCount <= Self.bytesMax else {
            throw Problem(
                .query,
                "what is kept of the links of the question would take more than \(Self.bytesMax >> 20) MiB: "
                    + "name a collection, a tag or a campaign")
        }
        state.lastLink = facts.last?.number ?? last
        if facts.count < Self.linksAtOnce { begin(state.columns, nil, &state) }
    }

    /// - Parameter filter: the condition on the links; nil if all that are in the columns are chosen.
    private func begin(_ columns: LinkColumns, _ filter: VisitLinkFilter?, _ state: inout State) {
        let links = SurveyedLinks(columns, filter, by: query.links)
        if !query.isByCountry { state.sums = GroupedVisits(by: query.groups, of: links.count) }
        state.columns = LinkColumns()
        if links.count == 0 {
            state.hour = end
            state.visitors?.next = days.upperBound
        }
        state.links = links
    }

    // MARK: Visits

    private func isWhole(_ state: State) -> Bool {
        state.hour >= end && state.visitors.map { $0.next >= days.upperBound } ?? true
    }

    private func readVisits(_ state: inout State) throws(Problem) {
        guard !isWhole(state), let links = state.links?.links else { return }
        guard !query.isByCountry else { return try readCountries(of: links, &state) }
        guard !query.isByReferrer else { return try readReferrers(of: links, &state) }
        guard state.hour < end else { return try readVisitors(of: links, &state) }
        let hours = state.hour..<end
        state.hour = try orProblem { () throws(StoreError) in
            try visits.use { store throws(StoreError) in
                try store.addVisits(of: links, hours, to: &state.sums)
            }
        }
        if state.hour >= end { state.sums.finish() }
        guard !state.sums.isFull else {
            throw Problem(
                .query,
                "the answer would have more than \(GroupedVisits.sumsMax) sums: ask for a shorter period, for fewer links, "
                    + "or by one thing")
        }
    }

    private func readCountries(of links: LinkGroups, _ state: inout State) throws(Problem) {
        let days = state.hour / 24..<end / 24
        let next = try orProblem { () throws(StoreError) in
            try visits.use { store throws(StoreError) in
                try store.addCountries(of: links, days, to: &state.countries)
            }
        }
        // What has no room is said with the answer.
        state.hour = state.countries.isFull ? end : 24 * next
    }

    private func readReferrers(of links: LinkGroups, _ state: inout State) throws(Problem) {
        let days = state.hour / 24..<end / 24
        state.hour =
            try 24
            * orProblem { () throws(StoreError) in
                try visits.use { store throws(StoreError) in
                    try store.addReferrers(of: links, days, to: &state.hosts)
                }
            }
    }

    private func readVisitors(of links: LinkGroups, _ state: inout State) throws(Problem) {
        var (sums, next) = state.visitors ?? ([:], days.upperBound)
        let part = next..<days.upperBound
        next = try orProblem { () throws(StoreError) in
            try visits.use { store throws(StoreError) in
                try store.addVisitors(of: links, part, to: &sums)
            }
        }
        state.visitors = (sums, next)
    }

    // MARK: The answer

    private func answer(_ state: State) throws(Problem) -> APIResponse {
        guard let links = state.links else { throw .store("its links are not known") }
        guard !query.isByCountry else {
            return try CountryAnswer(
                query, state.countries, at: now,
                values: query.links == nil ? nil : { links.values(of: $0) }
            ).response()
        }
        var table = VisitAnswerTable(query)
        if let groups = query.groups, query.isByReferrer {
            table.rows = state.hosts.rows(by: groups).map(table.row)
            return try table.response()
        }
        if query.links == .link, query.groups == nil {
            table.rows = firstRows(of: links, state.sums, table)
            return try table.response()
        }
        var sums = [RowKey: SIMD8<Int>]()
        var values = [Int: [String]]()
        // Each is a row.
        if query.links == .link { try VisitAnswerTable.check(state.sums.count) }
        for place in 0..<state.sums.count {
            let (key, counts) = (state.sums.key(at: place), state.sums.counts(at: place))
            let own = values[key.group] ?? links.values(of: key.group)
            values[key.group] = own
            for value in own {
                sums[RowKey(value: value, number: key.number), default: .zero] &+= counts
            }
        }
        if query.links == nil || query.groups != nil { try VisitAnswerTable.check(sums.count) }
        var rows = sums.map { key, counts in
            var row = table.row(key.value, key.number, counts)
            if let visitors = state.visitors {
                row.visitors = visitors.sums[key.number >> GroupedVisits.secondBits] ?? 0
            }
            return (key: key, row: row)
        }
        if query.links != nil, query.groups == nil {
            rows.sort { ($1.row.visits, $0.key.value) < ($0.row.visits, $1.key.value) }
            table.rows = rows.prefix(Self.valuesMax).map(\.row)
            addOthers(rows.dropFirst(Self.valuesMax).map(\.row.counts), &table)
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

    /// The rows of the links with the most visits, and one of all others. Names are made for these alone, because most of
    /// the time would go into those that are not shown.
    private func firstRows(
        of links: SurveyedLinks, _ sums: GroupedVisits, _ table: VisitAnswerTable
    ) -> [VisitAnswerTable.Row] {
        struct One {
            let place, group, visits: Int
        }
        // Links with as many visits are in the order of their names.
        var first = FirstElements(Self.valuesMax) { (left: One, right: One) in
            left.visits == right.visits
                ? links.isBefore(left.group, right.group) : left.visits > right.visits
        }
        var others = SIMD8<Int>.zero
        for place in 0..<sums.count {
            let visits = sums.count(of: .visit, at: place)
            first.add(One(place: place, group: sums.key(at: place).group, visits: visits))
            others &+= sums.counts(at: place)
        }
        var result = table
        for one in first.sorted {
            let counts = sums.counts(at: one.place)
            result.rows.append(table.row(links.values(of: one.group)[0], 0, counts))
            others &-= counts
        }
        if sums.count > Self.valuesMax { addOthers([others], &result) }
        return result.rows
    }

    private func addOthers(_ others: [SIMD8<Int>], _ table: inout VisitAnswerTable) {
        guard !others.isEmpty else { return }
        let sum = others.reduce(SIMD8<Int>.zero) { $0 &+ $1 }
        table.rows.append(table.row(VisitStore.otherHosts, 0, sum))
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
