import Foundation
import Testing

@Suite("waymark lint, association files")
struct LintFileTests {
    static let hijack = #"{"applinks": {"details": [{"appIDs": ["K3W9Q7M2XA.com.example.app"]}]}}"#

    @Test func `the kind is told by the content, and can be said`() throws {
        #expect(try lint(Self.hijack).output.contains("[no-rules]"))
        #expect(try lint("[]").output.contains("[no-statements]"))
        #expect(try lint("[]", "--as", "aasa").output.contains("[root-type]"))
        #expect(try lint("version: 2\n").output.contains("[wrong-value]"))
    }

    @Test func `a caret stands under the column, whatever stands before it`() throws {
        let text =
            "{\"applinks\":\t{\"details\": [{\"appIDs\": [\"äöü\u{1B}\"], \"components\": 1}]}}"
        let outcome = try lint(text)
        let lines = outcome.output.split(separator: "\n")
        let head = try #require(lines.firstIndex { $0.contains("[paths-type]") })
        let caret = try #require(lines[head + 2].firstIndex(of: "^"))
        let column = lines[head + 2].distance(from: lines[head + 2].startIndex, to: caret)
        #expect(lines[head + 1].dropFirst(column).hasPrefix("1}]}}"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func `of a long line the part around the position is shown`() throws {
        let filler = String(repeating: " ", count: 5_000)
        let outcome = try lint("{\"applinks\":\(filler){\"details\": 1}\(filler)}")
        let shown = try #require(outcome.output.split(separator: "\n").first { $0.contains(" | ") })
        #expect(shown.utf8.count < 150)
        #expect(shown.contains("{\"details\": 1}"))
    }

    @Test func `for GitHub each finding is a workflow command`() throws {
        let outcome = try lint(Self.hijack, "--format", "github")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("::error file="))
        #expect(outcome.output.contains(",line=1,col=27,title=no-rules::the entry has neither"))
        #expect(outcome.output.split(separator: "\n").count == 1)
    }

    @Test func `as SARIF a result names its rule and position`() throws {
        let outcome = try lint(Self.hijack, "--format", "sarif")
        let log = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary
        let run = try #require((log?["runs"] as? [NSDictionary])?.first)
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
        let result = try #require((run["results"] as? [NSDictionary])?.first)
        #expect(result["ruleId"] as? String == "no-rules")
        #expect(result["level"] as? String == "error")
        #expect((result["message"] as? NSDictionary)?["text"] is String)
    }

    @Test func `a rule is suppressed by name or code, and one that is not found is a finding`()
        throws
    {
        #expect(try lint(Self.hijack, "--ignore", "no-rules").output == "")
        #expect(try lint(Self.hijack, "--ignore", "R01").status == 0)
        let unused = try lint(Self.hijack, "--ignore", "R01", "--ignore", "R07")
        #expect(unused.output.contains("warning: --ignore R07 suppresses nothing"))
        #expect(try lint(Self.hijack, "--ignore", "no-rule").status == 64)
    }

    @Test func `a rule is explained`() throws {
        let outcome = try Program.run("lint", "--explain", "R07")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("unreachable-rule (R07, error): "))
        #expect(try Program.run("lint", "--explain", "R99").status == 64)
    }

    @Test func `what a configuration would publish is said at its position, once`() throws {
        let text =
            smallestConfiguration.replacing(
                "home: {match: /}",
                with: #"home: {match: ["/a/*", {"/": /b, "?": {x: "*"}}]}"#)
            + "  uat: {extends: dev, hosts: [127.0.0.1]}\n"
        let outcome = try withConfiguration(text) { try Program.run("lint", $0) }
        #expect(outcome.output.components(separatedBy: "[query-star]").count == 2)
        #expect(outcome.output.contains("waymark.yaml:5:45: warning: \"*\" requires nothing"))
    }

    @Test("what willhaben's environments serve is clean", arguments: ["prod", "uat", "dev"])
    func willhaben(_ environment: String) throws {
        let configuration = "Tests/Fixtures/sites/willhaben/waymark.yaml"
        let rendered = try Program.run(
            "render", "aasa", "--config", configuration, "--env", environment)
        let outcome = try lint(rendered.output, "--fail-on", "note")
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
        #expect(try Program.run("lint", configuration, "--fail-on", "note").status == 0)
    }

    private func lint(_ text: String, _ options: String...) throws -> Program.Outcome {
        try withConfiguration(text, named: "file") { try Program.run(["lint", $0] + options) }
    }
}
