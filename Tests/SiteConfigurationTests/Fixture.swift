import Diagnostics
import Foundation
import Testing

@testable import SiteConfiguration
import TestSupport

/// A file of `Tests/Fixtures/configurations`: a configuration, a line of ten hyphens, and what is
/// to be said about it. `UPDATE_FIXTURES=1` writes the second part anew.
struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let input: String
    let expected: String

    var testDescription: String { name }

    static let all: [Fixture] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)") else {
                return nil
            }
            return Fixture(name: name, text: String(decoding: data, as: UTF8.self))
        }
    }()

    private init(name: String, text: String) {
        self.name = name
        let parts = text.components(separatedBy: Self.separator)
        input = parts[0]
        expected = parts.dropFirst().joined(separator: Self.separator)
    }

    /// What the reader says, one diagnostic after the other.
    var actual: String {
        Configuration.read(Array(input.utf8), file: "waymark.yaml", directory: Self.directory)
            .diagnostics.map { "\($0)\n" }.joined()
            .replacingOccurrences(of: Self.directory + "/", with: "")
    }

    func update(with actual: String) throws {
        try Data((input + Self.separator + actual).utf8).write(
            to: URL(filePath: "\(Self.directory)/\(name)"))
    }

    static let directory = fixtures("configurations")
    private static let separator = "\n----------\n"
}

/// Whether fixtures are to be written anew, for a person to review.
let updatesFixtures = ProcessInfo.processInfo.environment["UPDATE_FIXTURES"] == "1"

/// A file under `Tests/Fixtures`.
func fixtures(_ path: String) -> String { repository("Tests/Fixtures/\(path)") }

/// What the reader of a configuration can find: a section of the names.
let configurationRules = RuleName.allCases.drop { $0 != .fileMissing }
    .prefix { $0 != .landingSameHost }
