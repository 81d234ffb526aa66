import Testing

@Suite("Scripts")
struct ScriptTests {
    private static let page = "Tests/README.md"
    private static let stages = "Tests/stages.sh"

    @Test func `each script has a row in the page of tests, and each row a script`() throws {
        let scripts = Repository.files.filter { path in
            path.hasPrefix("Tests/") && Repository.text(of: path)?.hasPrefix("#!") == true
        }
        #expect(try rows().map(\.path).sorted() == scripts)
    }

    @Test func `a row says which stages run its script`() throws {
        let text = try #require(Repository.text(of: Self.stages))
        let quick = try #require(part(of: text, from: "test_quickly() {"))
        let thorough = try #require(part(of: text, from: "test_thoroughly() {"))
        // These two are run by what a stage runs.
        let indirectly = ["Tests/Smoke/smoke", "Tests/Tools/slowest-tests"]
        for row in try rows() {
            let isRun = { (stages: Substring) in
                [" \(row.path) ", " \(row.path)\n", "\"\(row.path) "]
                    .contains(where: stages.contains)
            }
            let expected =
                isRun(quick) || indirectly.contains(row.path)
                ? "quick" : isRun(thorough) ? "thorough" : "hand"
            #expect(row.runsIn == expected, "\(row.path)")
        }
    }

    private struct Row {
        let path: String
        let runsIn: String
    }

    private func rows() throws -> [Row] {
        let text = try #require(Repository.text(of: Self.page))
        return text.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: #/\| \[[^\]]+\]\(([^)]+)\) \| .* \| (\w+) \|/#)
                .map { Row(path: "Tests/\($0.1)", runsIn: String($0.2)) }
        }
    }

    /// The lines of a function of a shell script.
    private func part(of text: String, from beginning: String) -> Substring? {
        text.firstRange(of: beginning).map { text[$0.upperBound...].prefix { $0 != "}" } }
    }
}
