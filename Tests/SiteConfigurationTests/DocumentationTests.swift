import Diagnostics
import Foundation
import Testing

@testable import SiteConfiguration
import TestSupport

@Suite("docs/configuration.md")
struct DocumentationTests {
    let text: String

    init() throws {
        let data = try #require(
            FileManager.default.contents(atPath: repository("docs/configuration.md")))
        text = String(decoding: data, as: UTF8.self)
    }

    @Test func `every key of the table is described`() {
        let missing = Shape.configuration.allKeys.filter { key in
            !text.contains("`\(key)`") && !text.contains(".\(key)`")
        }
        #expect(missing == [])
    }

    @Test func `every choice of a key is described`() {
        let choices = Shape.configuration.allChoices.subtracting(["false"])
        #expect(choices.filter { !text.contains($0) } == [])
    }

    @Test func `every rule is listed`() {
        #expect(configurationRules.filter { !text.contains("`\($0.rawValue)`") } == [])
    }

    @Test func `every limit is stated`() {
        let limits = [
            "16,777,216 bytes": ConfigurationLimits.fileBytesMax,
            "32 levels": ConfigurationLimits.nestingMax,
            "64 environments": ConfigurationLimits.environmentsMax,
            "4,096 hosts": ConfigurationLimits.hostsMax,
            "100 findings": ConfigurationLimits.findingsMax,
            "16 steps": ConfigurationLimits.extendsStepsMax,
            "64 characters": ConfigurationLimits.nameBytesMax,
            "16,384 bytes": ConfigurationLimits.schemaBytesMax,
            "40 bytes": Campaign.appleTokenBytesMax,
        ]
        for (words, limit) in limits {
            #expect(text.contains(words))
            #expect(words.replacing(",", with: "").hasPrefix("\(limit) "))
        }
    }

    @Test func `its example is accepted`() throws {
        let example = try #require(text.components(separatedBy: "```yaml\n").dropFirst().first)
        let yaml = try #require(example.components(separatedBy: "```").first)
        let (site, diagnostics) = Configuration.read(Array(yaml.utf8), file: "f", directory: ".")
        #expect(diagnostics == [])
        #expect(site != nil)
    }
}

extension Shape {
    /// The words among which keys choose, of this shape and those that its keys hold.
    fileprivate var allChoices: Set<String> {
        Set(keys.flatMap { $0.kind.choices }).union(
            keys.flatMap { $0.kind.shapes.flatMap(\.allChoices) })
    }
}

extension Kind {
    fileprivate var choices: [String] {
        switch self {
        case .text(let format): format.choices
        case .list(let kind, _), .names(_, let kind): kind.choices
        case .object, .json: []
        case .either(let kinds): kinds.flatMap(\.choices)
        }
    }
}
