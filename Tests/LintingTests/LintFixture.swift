import Foundation
import Associations
import Diagnostics
import Linting
import SiteConfiguration
import TestSupport
import Testing

/// A file of `Tests/Fixtures/lint`: a text that fails a rule, or the nearest one that passes it, a
/// line of ten hyphens, and what is said of it. `UPDATE_FIXTURES=1` writes the second part anew.
struct LintFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let expected: String

    var testDescription: String { name }

    /// The rule that the file is about.
    var rule: String { String(name.prefix { $0 != "." }) }
    var isToFail: Bool { name.hasSuffix(".fails.txt") }

    static let all: [LintFixture] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            FileManager.default.contents(atPath: "\(directory)/\(name)").map {
                LintFixture(name: name, bytes: $0)
            }
        }
    }()

    private init(name: String, bytes: Data) {
        self.name = name
        let separator = bytes.range(of: Data(Self.separator.utf8))
        input = Array(bytes[..<(separator?.lowerBound ?? bytes.endIndex)])
        expected = String(
            decoding: bytes[(separator?.upperBound ?? bytes.endIndex)...], as: UTF8.self)
    }

    /// What is found, by the kind that the content has.
    var findings: [Diagnostic] {
        switch FileKind(of: input, name: "file") {
        case .association: return Linter.lint(AssociationReading(input, file: "file"))
        case .assetLinks: return Linter.lint(AssetLinksReading(input, file: "file"))
        case .configuration:
            let (site, diagnostics) = Configuration.read(
                input, file: "file", directory: Self.directory)
            return diagnostics + (site.map { Linter.lint($0, at: 1_800_000_000) } ?? [])
        }
    }

    /// The findings as text, one after the other.
    var actual: String {
        findings.map { "\($0)\n" }.joined()
            .replacingOccurrences(of: Self.directory + "/", with: "")
    }

    func update(with actual: String) throws {
        try Data(input + Array((Self.separator + actual).utf8)).write(
            to: URL(filePath: "\(Self.directory)/\(name)"))
    }

    static let directory = repository("Tests/Fixtures/lint")
    private static let separator = "\n----------\n"
}

/// Whether fixtures are to be written anew, for a person to review.
let updatesFixtures = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"
