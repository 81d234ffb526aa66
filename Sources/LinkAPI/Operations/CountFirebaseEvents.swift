import Diagnostics
import LinkStore
import SiteConfiguration
import Visits

/// Counts what has happened with a link, whose URL is escaped in the path.
struct CountFirebaseEvents: Operation {
    static let route = APIRoute(
        "countFirebaseEvents", "GET", "{shortLink}/linkStats", [.statsRead],
        "Count the events of a link, whose URL is escaped in the path",
        query: [
            Parameter(
                "durationDays", .number(1...VisitStore.daysKept),
                "Up to today; 7 by default.")
        ], [Answer(200, "FirebaseStatistics")])

    let call: APICall
    private let link: StoredLink
    private let number: Int

    init(call: APICall) throws(Problem) {
        self.call = call
        link = try call.allowed(call.link(at: call.values[0]))
        number = try call.number(of: link)
    }

    func answer() throws(Problem) -> APIResponse {
        let today = call.now / 86_400
        let days = call.request.number("durationDays") ?? 7
        let begin = max(24 * (today + 1 - days), link.created / 3_600)
        let hours = begin..<max(begin + 1, 24 * (today + 1))
        func rows(_ grouping: VisitStore.Grouping) throws(Problem) -> [VisitStore.Row] {
            try call.readVisits { store throws(StoreError) in
                try store.visits(of: number, hours, by: grouping)
            }
        }
        var events = [String: Int]()
        for row in try rows(.platform) {
            let name =
                switch WebPlatform.allCases[min(row.group, WebPlatform.allCases.count - 1)] {
                case .ios, .ipad: "IOS"
                case .android: "ANDROID"
                case .desktop: "DESKTOP"
                }
            events["\(name) CLICK", default: 0] += row.counts[.visit] ?? 0
        }
        // Which platform a redirect, or an app, was for is not counted.
        for row in try rows(.outcome) where row.group != Int(VisitOutcome.page.rawValue) {
            events["OTHER REDIRECT", default: 0] += row.counts[.visit] ?? 0
        }
        for row in try rows(.day) {
            events["OTHER APP_FIRST_OPEN", default: 0] += row.counts[.firstOpen] ?? 0
            events["OTHER APP_RE_OPEN", default: 0] += row.counts[.open] ?? 0
        }
        let list = events.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { key, count in
            let words = key.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            return JSONText.object([
                ("platform", .string(words[0])), ("count", .string("\(count)")),
                ("event", .string(words[1])),
            ])
        }
        return APIResponse(200, .object([("linkEventStats", .array(list))]))
    }
}
