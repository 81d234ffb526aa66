import Associations
import Diagnostics
import Testing

@testable import SiteConfiguration

@Suite("Limits of a configuration, at each and one beyond")
struct LimitTests {
    @Test func `the size of the file`() {
        let text = smallest + "#"
        let limit = ConfigurationLimits.fileBytesMax
        let padding = String(repeating: "x", count: limit - text.utf8.count)
        #expect(read(text + padding) == [])
        #expect(
            read(text + padding + "x") == [
                "f:1:1: error: file has \(limit + 1) bytes, may have \(limit) [file-size]"
            ])
    }

    @Test func `mappings and lists nest 32 deep`() {
        func nested(_ levels: Int) -> [String] {
            let lists = levels - 1
            return read(
                "x: " + String(repeating: "[", count: lists)
                    + String(repeating: "]", count: lists)
            ).filter { $0.contains("[nesting]") }
        }
        #expect(nested(32) == [])
        let refusal =
            "f:1:35: error: mappings and lists are 33 deep here, may be 32 [nesting]\n"
            + "    no key needs so many; look for a bracket that is not closed"
        #expect(nested(33) == [refusal])
        #expect(nested(100_000) == [refusal])
    }

    @Test func `so many findings are kept, and the rest is counted`() {
        func unknownKeys(_ count: Int) -> [String] {
            read(smallest + (0..<count).map { "zebra\($0): 1\n" }.joined())
        }
        let limit = ConfigurationLimits.findingsMax
        #expect(unknownKeys(limit).count == limit)
        #expect(unknownKeys(limit).allSatisfy { $0.contains("[unknown-key]") })
        #expect(unknownKeys(limit + 7).count == limit + 1)
        #expect(
            unknownKeys(limit + 7).last
                == "f:1:1: error: 7 more findings are not shown [too-many-findings]")
    }

    /// Requests are let in by how many values they have.
    @Test func `a value takes few bytes beside its text`() {
        #expect(MemoryLayout<Value>.stride <= 56)
        #expect(MemoryLayout<Value.Entry>.stride <= 96)
    }

    @Test func `errors are kept before all others`() {
        var findings = Findings()
        let limit = ConfigurationLimits.findingsMax
        let positions = (1...limit * 2).map { SourcePosition(file: "f", line: $0, column: 1) }
        for position in positions { findings.warning(.unusedKey, at: position, "no use") }
        for position in positions[..<3] { findings.error(.unknownKey, at: position, "no key") }
        let sorted = findings.sorted(file: "f")
        #expect(sorted.count { $0.rule == .unknownKey } == 3)
        #expect(sorted.count == limit + 1)
        #expect(sorted.last?.message == "\(limit + 3) more findings are not shown")
    }

    @Test func `headers have 256 rules, and 4,096 bytes in one response`() {
        func findings(_ rules: [String]) -> [String] {
            read(smallest + "    headers: [\(rules.joined(separator: ", "))]\n")
        }
        let rule = "{match: /a, set: {X-A: a}}"
        #expect(findings([String](repeating: rule, count: 256)) == [])
        #expect(
            findings([String](repeating: rule, count: 257)).map { $0.contains("257 rules, may") }
                == [true])
        // `X-A: ` and the line's end have 7 bytes. A shorter value of the same field adds none.
        let whole = String(repeating: "x", count: 4_089)
        #expect(findings(["{set: {X-A: \(whole)}}", rule]) == [])
        for more in ["{set: {X-A: \(whole)x}}", "{set: {X-A: \(whole), B: c}}"] {
            #expect(findings([more]).map { $0.contains("bytes in one response, may") } == [true])
        }
    }

    @Test func `a file has so many environments`() {
        func environments(_ count: Int) -> [String] {
            read(smallest + (1..<count).map { "  e\($0): {extends: dev}\n" }.joined())
        }
        let limit = ConfigurationLimits.environmentsMax
        #expect(environments(limit) == [])
        #expect(
            environments(limit + 1) == [
                "f:\(limit + 10):3: error: file has \(limit + 1) environments, may have \(limit) "
                    + "[too-many]"
            ])
    }

    @Test func `an environment extends another over so many steps`() {
        func chain(_ steps: Int) -> [String] {
            read(
                smallest + "  e1: {extends: dev}\n"
                    + (2..<(steps + 1)).map { "  e\($0): {extends: e\($0 - 1)}\n" }.joined())
        }
        let limit = ConfigurationLimits.extendsStepsMax
        #expect(chain(limit) == [])
        #expect(
            chain(limit + 1) == [
                "f:\(limit + 11):3: error: environment extends over more than \(limit) others "
                    + "[extends-cycle]\n    let it extend one that is nearer to the first"
            ])
    }

    @Test func `a schema takes so many bytes of JSON`() {
        func schema(_ bytes: Int) -> [String] {
            let others = #"{"@context": "https://schema.org", "@type": "A", "x": ""}"#.utf8.count
            let text = String(repeating: "x", count: bytes - others)
            return read(
                smallest.replacing(
                    "match: /", with: "match: /, page: {schema: {'@type': A, x: \(text)}}"))
        }
        let limit = ConfigurationLimits.schemaBytesMax
        #expect(schema(limit) == [])
        #expect(schema(limit + 1).count == 1)
        #expect(
            schema(limit + 1).first?.contains(
                "\"schema\" has \(limit + 1) bytes as JSON, may have \(limit) [too-many]") == true)
    }

    @Test func `an environment has so many hosts`() {
        func hosts(_ count: Int) -> [String] {
            let list = (0..<count).map { "h\($0)" }.joined(separator: ",")
            return read(smallest.replacing("[localhost]", with: "[\(list)]"))
        }
        let limit = ConfigurationLimits.hostsMax
        #expect(hosts(limit) == [])
        #expect(hosts(limit + 1).count == 1)
        #expect(hosts(limit + 1).first?.contains("has \(limit + 1) hosts, may have 4096") == true)
    }

    @Test func `a name has 64 characters`() {
        func name(_ length: Int) -> [String] {
            read(smallest.replacing("home", with: String(repeating: "n", count: length)))
        }
        #expect(name(64) == [])
        // Where it is declared, and where it is used.
        #expect(name(65).count == 2)
    }

    @Test func `the association file`() throws {
        func bytes(_ length: Int) throws -> (Configuration?, [Diagnostic]) {
            let path = "/" + String(repeating: "x", count: length)
            let text = smallest.replacing("match: /", with: "match: \(path)")
            return Configuration.read(Array(text.utf8), file: "f", directory: ".")
        }
        // A component of some length has a line of its own.
        let short = 1_000
        let rest =
            try #require(try bytes(short).0?.environments[0].sites[0].associations.aasa).count
            - short
        let limit = AssociationFile.bytesMax
        let (fits, nothing) = try bytes(limit - rest)
        #expect(fits?.environments[0].sites[0].associations.aasa?.count == limit)
        #expect(nothing == [])
        let (exceeds, diagnostics) = try bytes(limit - rest + 1)
        #expect(exceeds == nil)
        #expect(
            diagnostics.map(\.message) == [
                "an association file of environment \"dev\" would have \(limit + 1) bytes, may have \(limit)"
            ])
    }

    @Test func `a file that would be far too large is not made first`() {
        let path = "/" + String(repeating: "x", count: 100_000)
        let apps = (0..<2_000).map { "  a\($0): {ios: {id: ABCDE12345.a\($0)}}\n" }.joined()
        let publish = (0..<2_000).map { "a\($0): home" }.joined(separator: ", ")
        let text = smallest.replacing("apps:\n", with: "apps:\n" + apps)
            .replacing("match: /", with: "match: \(path)")
            .replacing("app: [home]", with: publish)
        let findings = read(text + "  uat: {extends: dev}\n")
        #expect(findings.count == 1)
        #expect(findings[0].contains("would have more than 200018000 bytes"))
        #expect(findings[0].contains("; the same in \"uat\" ["))
    }

    private func read(_ text: String) -> [String] {
        Configuration.read(Array(text.utf8), file: "f", directory: ".").diagnostics
            .map(\.description)
    }

    private let smallest = """
        version: 1
        apps:
          app: {ios: {id: ABCDE12345.com.example.app}}
        links:
          home: {match: /}
        environments:
          dev:
            hosts: [localhost]
            tls: {certificate: certs/dev.pem, key: certs/dev.key}
            publish: {app: [home]}

        """
}
