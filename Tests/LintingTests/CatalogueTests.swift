import Foundation
import Associations
import Diagnostics
import Linting
import Testing

import TestSupport

@Suite("The catalogue of rules")
struct CatalogueTests {
    @Test func `every name that a finding can carry is in it, once`() {
        let names = Catalogue.rules.map(\.name)
        #expect(Set(RuleName.allCases).subtracting(names) == [])
        #expect(names.count == Set(names).count)
    }

    /// Each of these is of several forms of one fault.
    private static let sharedCodes: Set = [
        "A08", "A21", "A23", "A25", "A40", "A41", "A44", "A50", "H07", "H21", "J01", "J17", "K07",
        "K12", "K16", "R32",
    ]

    @Test func `a code is of one rule, but for those of several forms of a fault`() {
        let codes = Dictionary(grouping: Catalogue.rules.compactMap(\.code)) { $0 }
        #expect(Set(codes.filter { $1.count > 1 }.keys) == Self.sharedCodes)
    }

    @Test func `docs/lint-rules.md is what the catalogue says`() throws {
        let path = repository("docs/lint-rules.md")
        if updatesFixtures {
            return try Data(Catalogue.document.utf8).write(to: URL(filePath: path))
        }
        let written = FileManager.default.contents(atPath: path) ?? Data()
        #expect(String(decoding: written, as: UTF8.self) == Catalogue.document)
    }

    @Test(
        "a rule is found by its name and by its code",
        arguments: ["unreachable-rule", "R07", "r07"])
    func find(_ word: String) {
        #expect(Catalogue.rules(called: word).map(\.name) == [.unreachableRule])
    }

    @Test func `a file may have 131,072 bytes, and not one more`() {
        let text = Array("{\"webcredentials\": {\"apps\": []}}".utf8)
        for (count, rules) in [(131_072, []), (131_073, ["file-size"])] {
            let padded = text + Array(repeating: 0x20, count: count - text.count)
            #expect(
                Linter.lint(AssociationReading(padded, file: "f")).map(\.rule.rawValue) == rules)
        }
    }

    private func findings(inComponents rules: [String]) -> [Diagnostic] {
        let text =
            #"{"applinks": {"details": [{"appIDs": ["K3W9Q7M2XA.a.b"], "components": ["#
            + rules.joined(separator: ",\n") + "]}]}}"
        return Linter.lint(AssociationReading(Array(text.utf8), file: "f"))
    }

    @Test func `from its fourth position on a cause is one finding that counts the others`() {
        let three = findings(inComponents: (1...3).map { #"{"/": "/x\#($0)*"}"# })
        #expect(three.map(\.rule) == Array(repeating: .prefixWithoutSlash, count: 3))
        let rules = (1...900).map { #"{"/": "/x\#($0)*", "a": 1}"# }
        let found = findings(inComponents: rules)
        #expect(
            found.filter { $0.rule != .redundantRule }.map(\.message) == [
                #""/x1*" matches every path with this beginning, such as "/x1xyz", and 899 more "#
                    + "like it in lines 2, 3, 4, 5, 6, 7, 8, 9 and others",
                #""a" is not a key of a component, and is ignored, and 899 more like it in "#
                    + "lines 2, 3, 4, 5, 6, 7, 8, 9 and others",
            ])
    }

    @Test func `of very many causes 1,000 are shown, and every error among them`() {
        let strange = (1...1_500).map { #"{"/": "/x/\#($0)", "strange\#($0)": 1}"# }
        let found = findings(
            inComponents: strange + [#"{"/": "NOT /login"}"#, #"{"/": "/a#b"}"#, #"{"/": 5}"#])
        #expect(found.count == 1_001)
        #expect(
            found.filter { $0.severity == .error }.map(\.rule) == [
                .notInComponent, .fragmentInPath, .partType,
            ])
        #expect(found.last?.rule == .tooManyFindings)
        #expect(found.last?.severity == .warning)
        #expect(found.last?.message == "503 more findings are not shown")
    }

    @Test func `every finding says what to do`() {
        let silent = LintFixture.all.flatMap { fixture in
            fixture.findings.filter { $0.advice == nil }.map { "\(fixture.name): \($0)" }
        }
        #expect(silent == [])
    }

    @Test func `every part of a rule says something`() {
        for rule in Catalogue.rules {
            for text in [rule.title, rule.wrong, rule.shows, rule.fix, rule.source] {
                #expect(text.utf8.count >= 4, "\(rule.name)")
            }
            #expect(!rule.title.hasSuffix("."), "\(rule.name)")
        }
    }

    @Test func `what rests on one report says so where it is found`() {
        let reported = Set(
            Catalogue.rules.filter { $0.evidence == .reported }.map(\.name.rawValue))
        // Both say the same of every system, whoever reported it.
        let elsewhere: Set = ["duplicate-rule", "details-type", "app-ids-type"]
        let silent = LintFixture.all.filter(\.isToFail).filter { fixture in
            reported.subtracting(elsewhere).contains(fixture.rule)
                && !fixture.findings.contains {
                    $0.rule.rawValue == fixture.rule
                        && $0.message.contains("reported for current systems")
                }
        }
        #expect(silent.map(\.name) == [])
    }
}
