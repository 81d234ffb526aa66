import HTTPClient
import Testing

@testable import LiveCheck

/// The next check of a watch, and the news in a result; nothing is asked.
@Suite("The plan of the watch")
struct WatchPlanTests {
    private static let now = HostReportTests.now
    private static let hour = 3_600

    private static func plan(_ names: String..., every seconds: Int? = hour) -> WatchPlan {
        var plan = WatchPlan()
        take(names, &plan, every: seconds)
        return plan
    }

    private static func take(
        _ names: [String], _ plan: inout WatchPlan, every seconds: Int? = hour,
        isOther: Bool = false, now: Int = now
    ) {
        plan.take(
            names.map { CheckedHost($0, port: 443) }, every: seconds, isOther: isOther, now: now)
    }

    private static func isChecked(_ plan: WatchPlan, _ now: Int) -> String? {
        guard case .check(let host) = plan.next(now: now) else { return nil }
        return host.name
    }

    private static func pause(_ plan: WatchPlan, _ now: Int) -> Int? {
        guard case .wait(let milliseconds) = plan.next(now: now) else { return nil }
        return milliseconds
    }

    /// A host that was just checked.
    private static func found(
        _ name: String, now: Int = now, _ change: (inout HostSurvey) -> Void = { _ in }
    ) -> CheckedHost {
        var host = CheckedHost(name, port: 443)
        host.last = (HostReport(HostReportTests.survey(change), now: now), now)
        return host
    }

    private static let refused = HostReportTests.unreached(
        HostReportTests.failed(.connect, .refused))

    @Test func `without hosts nothing is ever due`() {
        #expect(Self.pause(WatchPlan(), Self.now) == .max)
        #expect(Self.plan(every: nil).hosts == nil)
    }

    @Test func `each is checked once, and then waits for its time`() {
        var plan = Self.plan("a.example", "b.example")
        for name in ["a.example", "b.example"] {
            #expect(Self.isChecked(plan, Self.now) == name)
            _ = plan.take(Self.found(name), isAwaited: false, now: Self.now, random: 0.5)
        }
        // The clock is looked at every five minutes.
        #expect(Self.pause(plan, Self.now) == 300_000)
        #expect(Self.pause(plan, Self.now + Self.hour - 2) == 2_000)
        #expect(Self.isChecked(plan, Self.now + Self.hour) == "a.example")
    }

    @Test func `a clock that is set back keeps no host waiting`() {
        var plan = Self.plan("a.example", "b.example")
        for name in ["a.example", "b.example"] {
            _ = plan.take(Self.found(name), isAwaited: false, now: Self.now, random: 1)
        }
        #expect(Self.pause(plan, Self.now) == 300_000)
        let before = Self.now - 86_400
        for name in ["a.example", "b.example"] {
            #expect(Self.isChecked(plan, before) == name)
            _ = plan.take(Self.found(name), isAwaited: false, now: before, random: 0.5)
        }
        #expect(Self.pause(plan, before) == 300_000)
    }

    @Test(arguments: [(0.0, 3_240), (0.5, 3_600), (1.0, 3_960)])
    func `checks of one moment come apart`(_ random: Double, _ seconds: Int) {
        var plan = Self.plan("a.example")
        _ = plan.take(Self.found("a.example"), isAwaited: false, now: Self.now, random: random)
        #expect(plan.hosts?.first?.next == Self.now + seconds)
    }

    @Test func `a fault is news once, and so is its end`() {
        var plan = Self.plan("a.example")
        let results = [
            Self.found("a.example"), Self.found("a.example", Self.refused),
            Self.found("a.example", Self.refused), Self.found("a.example"),
        ]
        let news = results.map {
            plan.take($0, isAwaited: false, now: Self.now, random: 0.5)
        }
        #expect(news.map { $0.change?.verdict } == [nil, .broken, nil, .healthy])
        #expect(news.map { $0.change?.wasHealthy } == [nil, true, nil, false])
        #expect(news.map(\.isReached) == [true, false, false, true])
    }

    @Test func `a host that awaits its certificate is reached, and nothing else is known of it`() {
        var plan = Self.plan("a.example")
        let first = plan.take(
            Self.found("a.example"), isAwaited: true, now: Self.now, random: 0.5)
        #expect(first.isReached && first.change == nil)
        #expect(plan.hosts?.first?.host.last == nil)
        // With its certificate, it is checked at once.
        Self.take(["a.example"], &plan)
        #expect(Self.isChecked(plan, Self.now) == "a.example")
        let second = plan.take(
            Self.found("a.example"), isAwaited: false, now: Self.now, random: 0.5)
        #expect(!second.isReached)
    }

    @Test func `after a reload it is known what was found, and other settings are seen at work`() {
        var plan = Self.plan("a.example")
        _ = plan.take(Self.found("a.example"), isAwaited: false, now: Self.now, random: 0.5)
        Self.take(["a.example", "b.example"], &plan, now: Self.now + 10)
        #expect(plan.hosts?.map { $0.host.last != nil } == [true, false])
        #expect(plan.hosts?.map(\.next) == [Self.now + Self.hour, Self.now + 10])
        Self.take(["a.example"], &plan, isOther: true, now: Self.now + 20)
        #expect(plan.hosts?.map(\.next) == [Self.now + 20])
        // What is not watched any more has no result.
        let late = plan.take(
            Self.found("b.example", Self.refused), isAwaited: false, now: Self.now, random: 0.5)
        #expect(late.change == nil)
    }
}
