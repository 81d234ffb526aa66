import Associations
import Foundation
import Resolution
import SiteConfiguration
import TestSupport
import Testing

/// Pairs of random versions. Every link that they answer differently must be in the comparison.
@Suite("No changed response escapes a comparison that is complete")
struct SiteComparisonTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// Set WAYMARK_DIFF_PAIRS to try more.
    private static let pairs = environment["WAYMARK_DIFF_PAIRS"].flatMap(Int.init) ?? 150
    private static let seed = environment["WAYMARK_SEED"].flatMap(UInt64.init) ?? 1

    @Test func `every change of a random link has the same words as one in the comparison`() throws
    {
        var (complete, changing) = (0, 0)
        for number in 0..<Self.pairs {
            var random = SplitMix(seed: Self.seed &+ UInt64(number))
            let old = randomLinks(&random)
            let new = changed(old, &random)
            let (before, after) = (try site(old), try site(new))
            let comparison = SiteComparison(
                old: before, new: after, directories: (".", "."), files: [])
            guard comparison.isComplete else { continue }
            complete += 1
            let found = Set(
                comparison.changes.filter { $0.subject == "response" }.map {
                    [$0.before, $0.after]
                })
            let (first, second) = (LinkResolver(before), LinkResolver(after))
            let visitor = Visitor(userAgent: "")
            for _ in 0..<60 {
                let url = try LinkURL("https://a.example" + randomTarget(&random))
                let was = words(first.decide(url, for: visitor, at: nil).answer)
                let now = words(second.decide(url, for: visitor, at: nil).answer)
                guard was != now else { continue }
                changing += 1
                #expect(
                    found.contains([was, now]),
                    "seed \(Self.seed &+ UInt64(number)): \(url) from \(was) to \(now)\n\(old)\n\(new)"
                )
            }
        }
        #expect(complete * 100 >= Self.pairs * 98, "\(complete) of \(Self.pairs) are complete")
        #expect(changing > Self.pairs)
        if Self.environment["WAYMARK_DIFF_PAIRS"] != nil {
            print("\(Self.pairs) pairs, \(complete) complete, \(changing) links that change")
        }
    }

    /// Each link has a destination of its own, so that words tell which one decides.
    private func randomLinks(_ random: inout SplitMix) -> [String] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in randomLink(&random) }
    }

    private func randomLink(_ random: inout SplitMix) -> String {
        let exclude =
            Int.random(in: 0..<3, using: &random) == 0
            ? "exclude: \(randomRule(&random)), " : ""
        let name = Int.random(in: 0..<1_000_000, using: &random)
        return "{\(exclude)match: \(randomRule(&random)), web: \"https://d\(name).example/\"}"
    }

    private func randomRule(_ random: inout SplitMix) -> String {
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            ["a", "b", "ab", "*", "a*", "*b", "?"].randomElement(using: &random) ?? ""
        }
        let path = "/" + parts.joined(separator: "/")
        guard Int.random(in: 0..<4, using: &random) == 0 else { return "\"\(path)\"" }
        let flag = Bool.random(using: &random) ? ", caseSensitive: false" : ""
        let query = Bool.random(using: &random) ? ", \"?\": {q: \"1*\"}" : ""
        return "{\"/\": \"\(path)\"\(query)\(flag)}"
    }

    private func changed(_ links: [String], _ random: inout SplitMix) -> [String] {
        var links = links
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let index = Int.random(in: 0..<links.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: links.insert(randomLink(&random), at: index)
            case 1: links[index] = randomLink(&random)
            case 2: links.swapAt(index, Int.random(in: 0..<links.count, using: &random))
            default: if links.count > 1 { links.remove(at: index) }
            }
        }
        return links
    }

    private func randomTarget(_ random: inout SplitMix) -> String {
        let parts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            ["a", "b", "ab", "A", "aab", "x"].randomElement(using: &random) ?? ""
        }
        let query = ["", "", "?q=1", "?q=12&r=3", "?q=2"].randomElement(using: &random) ?? ""
        return "/" + parts.joined(separator: "/") + query
    }

    private func words(_ answer: WebAnswer) -> String {
        if case .redirect(let url, _) = answer {
            return "302 \(String(decoding: url, as: UTF8.self))"
        }
        return "404"
    }

    private func site(_ links: [String]) throws -> Site {
        let lines = links.enumerated().map { "  l\($0): \($1)\n" }
        let text = """
            version: 1
            apps: {a: {ios: {id: W4X7K2M9QH.com.example.a}}}
            links:
            \(lines.joined())  app: {match: /app}
            environments:
              dev: {hosts: [a.example], tls: {certificate: a, key: b}, publish: {a: [app]}}
            """
        let (configuration, findings) = Configuration.read(Array(text.utf8), file: "x")
        return try #require(configuration?.environments[0].sites[0], "\(findings)\n\(text)")
    }
}
