import Associations
import Testing

@testable import Linting

@Suite("Entries that open nothing")
struct OpeningEntryTests {
    private static let closed = [RuleText(path: "*", exclude: true), RuleText(path: "/item/*")]
    private static let open = [RuleText(path: "/a", exclude: true), RuleText(path: "/item/*")]

    @Test("an app is searched for behind many others", arguments: [0, 70])
    func many(_ others: Int) {
        let apps = (0..<others).map { AppRules(appID: "T.o\($0)", rules: Self.open, entry: $0) }
        let entries = OpeningEntries(
            LinkRuleSet(
                apps: apps + [
                    AppRules(appID: "T.closed", rules: Self.closed, entry: others),
                    AppRules(appID: "T.open", rules: Self.open, entry: others + 1),
                    AppRules(appID: "T.all", rules: nil, entry: others + 2),
                ], variables: []))
        #expect(entries.fault(of: "T.closed") != nil)
        #expect(entries.fault(of: "T.open") == nil && entries.fault(of: "T.all") == nil)
    }
}
