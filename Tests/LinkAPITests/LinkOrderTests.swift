import Foundation
import LinkStore
import TestSupport
import Testing
import Visits

@testable import LinkAPI

/// Orders of lists that are not that of creation.
@Suite struct LinkOrderTests {
    private func slugs(_ answer: APIResponse) -> [String] {
        #expect(answer.status == 200, "\(answer.text)")
        return (answer.object["links"] as? [[String: Any]] ?? []).map {
            $0["slug"] as? String ?? ""
        }
    }

    /// All pages of a list.
    private func pages(_ api: TestAPI, _ query: String) -> [[String]] {
        var (path, all) = ("links?\(query)", [[String]]())
        while all.count < 100 {
            let answer = api.ask("GET", path)
            all.append(slugs(answer))
            guard let next = answer.fields["Link"]?.split(separator: ">").first else { break }
            path = String(next.dropFirst("</v1/".count)).removingPercentEncoding ?? ""
        }
        return all
    }

    private struct Made {
        let slug: String
        let isMail: Bool
        var ends: Int?
        var visits = 0
        var changed: Int
    }

    /// An API with so many links, some of which end, were changed and were visited.
    private func api(_ count: Int) throws -> (TestAPI, [Made]) {
        let api = try TestAPI()
        var random = SplitMix(seed: 11)
        var all = [Made]()
        for number in 0..<count {
            let slug = "s\(UInt32.random(in: 0..<1_000_000, using: &random))"
            guard !all.contains(where: { $0.slug == slug }) else { continue }
            let isMail = number % 9 == 0
            let end =
                number % 3 == 0 ? api.now + Int.random(in: 1...9, using: &random) * 86_400 : nil
            let until = end.map { #", "until": "\#(time(ofHour: $0 / 3_600))""# } ?? ""
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/", "tags": [\#(isMail ? "\"mail\"" : "")]\#(until)}"#
            )
            all.append(
                Made(
                    slug: slug, isMail: isMail, ends: end.map { $0 / 3_600 * 3_600 },
                    visits: number % 4 == 0 ? 0 : Int.random(in: 1...4, using: &random),
                    changed: number))
        }
        try api.count { batch in
            for (number, link) in all.enumerated() {
                let hour = api.now / 3_600
                if link.visits > 0 {
                    batch.add(VisitKey(link: number + 1, hour: hour - 48, .visit), link.visits)
                }
                batch.add(VisitKey(link: number + 1, hour: hour, .bot), 50)
                batch.add(
                    VisitKey(link: number + 1, hour: hour - 24 * 20, .visit), 100 - number % 100)
            }
        }
        return (api, all)
    }

    @Test func everyPageGoesOnWhereTheLastHasEnded() throws {
        let (api, all) = try api(150)
        let links = Array(all.enumerated())
        func expected(_ isBefore: (Made, Made) -> Bool?) -> [String] {
            // Of equal ones, the newest is the first.
            links.sorted { isBefore($0.element, $1.element) ?? ($0.offset > $1.offset) }
                .map(\.element.slug)
        }
        func differ<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
            left == right ? nil : left < right
        }
        let orders: [(String, [String])] = [
            ("order=slug", expected { differ($0.slug, $1.slug) }),
            ("order=ending", expected { differ($0.ends ?? .max, $1.ends ?? .max) }),
            ("order=changed", expected { differ($1.changed, $0.changed) }),
            ("order=visits&days=7", expected { differ($1.visits, $0.visits) }),
        ]
        let mail = Set(all.filter(\.isMail).map(\.slug))
        for (query, slugs) in orders {
            #expect(api.ask("GET", "links?\(query)&limit=200").fields["Link"] == nil)
            #expect(api.parts > 1)
            for limit in [7, 50, 150, 200] {
                let found = pages(api, "\(query)&limit=\(limit)")
                #expect(found.flatMap(\.self) == slugs, "\(query) \(limit)")
                #expect(found.dropLast().allSatisfy { $0.count == limit })
            }
            #expect(
                pages(api, "\(query)&tag=mail&limit=5").flatMap(\.self)
                    == slugs.filter(mail.contains))
            #expect(
                pages(api, "\(query)&q=S1&limit=3").flatMap(\.self)
                    == slugs.filter { $0.contains("s1") })
        }
        // Twenty days ago, others were visited.
        let most = links.max { left, right in
            let counts = [left, right].map { $0.element.visits + 100 - $0.offset % 100 }
            return (counts[0], left.offset) < (counts[1], right.offset)
        }
        #expect(slugs(api.ask("GET", "links?order=visits")).first == most?.element.slug)
    }

    @Test func endsThatAreOverComeLast() throws {
        let api = try TestAPI()
        for (slug, end) in [("a", 3), ("b", 1), ("c", 0), ("d", 2)] {
            let until = end == 0 ? "" : #", "until": "\#(time(ofHour: api.now / 3_600 + end))""#
            _ = try api.create(
                #"{"collection": "short", "slug": "\#(slug)", "destination": "https://www.example.com/"\#(until)}"#
            )
        }
        #expect(slugs(api.ask("GET", "links?order=ending")) == ["b", "d", "a", "c"])
        api.now += 2 * 3_600 + 1_800
        #expect(slugs(api.ask("GET", "links?order=ending")) == ["a", "c", "d", "b"])
    }

    /// The index finds them, and their rows say whether they meet the rest of the question.
    @Test func linksThatEndSoonAreFoundWithoutTheOthers() throws {
        let (api, all) = try api(150)
        for days in [1, 3, 9, 366] {
            let soon = all.enumerated().filter { _, link in
                link.ends.map { $0 > api.now && $0 <= api.now + days * 86_400 } ?? false
            }.sorted {
                ($0.element.ends ?? 0, -$0.offset) < ($1.element.ends ?? 0, -$1.offset)
            }.map(\.element)
            let query = "order=ending&ends-within=\(days)"
            for limit in [4, 200] {
                #expect(
                    pages(api, "\(query)&limit=\(limit)").flatMap(\.self) == soon.map(\.slug))
            }
            #expect(
                slugs(api.ask("GET", "links?\(query)&tag=mail&limit=200"))
                    == soon.filter(\.isMail).map(\.slug))
        }
        // In another order, too.
        let soon = Set(
            all.filter { $0.ends.map { $0 <= api.now + 3 * 86_400 } ?? false }.map(\.slug))
        for order in ["slug", "changed", "visits"] {
            let whole = slugs(api.ask("GET", "links?order=\(order)&limit=200"))
            for limit in [4, 200] {
                let found = pages(api, "order=\(order)&ends-within=3&limit=\(limit)")
                #expect(found.flatMap(\.self) == whole.filter(soon.contains), "\(order) \(limit)")
            }
        }
        let first = all.first { $0.ends != nil }
        let id = api.ask("GET", "links:find?collection=short&slug=\(first?.slug ?? "")")["id"]
        _ = api.ask("PATCH", "links/\(id)", #"{"state": "disabled"}"#, ["if-match": "*"])
        let query = "links?order=ending&ends-within=30&limit=200"
        #expect(slugs(api.ask("GET", query)).contains(first?.slug ?? ""))
        #expect(!slugs(api.ask("GET", "\(query)&state=active")).contains(first?.slug ?? ""))
        _ = api.ask("DELETE", "links/\(id)", "", ["if-match": "*"])
        #expect(!slugs(api.ask("GET", query)).contains(first?.slug ?? ""))
    }

    /// Links that change between the parts of a list, and between its pages.
    @Test func whatChangesMeanwhileIsThereOnce() throws {
        let (api, all) = try api(60)
        let id = api.ask("GET", "links:find?collection=short&slug=\(all[5].slug)")["id"]
        defer { api.betweenParts = {} }
        var isFirst = true
        api.betweenParts = {
            guard isFirst else { return }
            isFirst = false
            #expect(throws: Never.self) {
                try api.count { batch in
                    batch.add(VisitKey(link: 6, hour: api.now / 3_600, .visit), 1_000)
                }
            }
        }
        let first = api.ask("GET", "links?order=visits&days=7&limit=10")
        #expect(slugs(first).first == all[5].slug && slugs(first).count == 10)
        // The last of the page is gone, and its place is still one.
        let next = try #require(first.fields["Link"]?.split(separator: ">").first)
        let last = (first.object["links"] as? [[String: Any]])?.last?["id"] as? String ?? ""
        #expect(api.ask("DELETE", "links/\(last)", "", ["if-match": "*"]).status == 204)
        let path = String(next.dropFirst("</v1/".count)).removingPercentEncoding ?? ""
        let second = slugs(api.ask("GET", path))
        #expect(second.count == 10 && Set(second).isDisjoint(with: slugs(first)))
        #expect(api.ask("GET", "links?order=slug&id=\(id),\(last)").text.contains(id))
    }

    @Test(
        arguments: [
            ("order=newest&days=7", "days is used with order=visits"), ("days=7", "order=visits"),
            ("order=slug&after=x", "must be that of the answer's Link"),
            ("order=visits&after=00000000-0000-7000-8000-000000000000", "must be that"),
            ("order=visits&after=00000000-0000-7000-8000-000000000000--1", "must be that"),
            (
                "order=visits&after=00000000-0000-7000-8000-000000000000-99999999999999999999",
                "must be"
            ),
            ("order=ending&after=00000000-0000-7000-8000-000000000000-01", "must be that"),
            ("ends-within=3", "ends-within is used with order=ending"),
            ("order=oldest&ends-within=3", "ends-within is used with order=ending"),
            ("order=ending&ends-within=0", "must be 1"),
            ("changed-since=0&order=ending&ends-within=3", "cannot be used with changed-since"),
            ("order=visits&days=0", "must be 1"), ("order=visit", "did you mean"),
            ("changed-since=0&order=slug", "cannot be used with changed-since"),
        ])
    func whatCannotBeIsRefused(_ query: String, _ reason: String) throws {
        let api = try TestAPI()
        try api.count { _ in }
        let answer = api.ask("GET", "links?\(query)")
        #expect(answer.status == 400 && answer["detail"].contains(reason), "\(answer.text)")
    }

    @Test(
        arguments: [
            ("slug", "", 3), ("slug", "zz-z", 0), ("ending", "0", 3), ("visits", "0", 0),
            ("visits", "999", 3), ("changed", "9223372036854775807", 3), ("changed", "0", 0),
        ])
    func aPlaceOfALinkThatIsNotThereIsAPlace(_ order: String, _ key: String, _ count: Int) throws {
        let (api, _) = try api(3)
        let after = "00000000-0000-7000-8000-000000000000-\(key)"
        #expect(slugs(api.ask("GET", "links?order=\(order)&after=\(after)")).count == count)
    }

    @Test func theOrderOfVisitsNeedsTheirScope() throws {
        let (api, _) = try api(3)
        let token = api.ask("POST", "tokens", #"{"name": "reader", "scopes": ["links.read"]}"#)[
            "token"]
        let answer = api.ask("GET", "links?order=visits", token: token)
        #expect(answer.status == 403 && answer["detail"].contains("stats.read"), "\(answer.text)")
        #expect(slugs(api.ask("GET", "links?order=slug", token: token)).count == 3)
        let none = try TestAPI()
        #expect(none.ask("GET", "links?order=visits").status == 503)
    }
}
