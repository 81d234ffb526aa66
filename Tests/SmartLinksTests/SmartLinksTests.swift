import Foundation
import Synchronization
import Testing

@testable import SmartLinks

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private var link: URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.path) = ("https", "go.example.com", "/s/spring")
    (parts.percentEncodedQuery, parts.fragment) = ("utm_source=mail%20x&a=b+c", "top")
    return parts.url ?? URL(fileURLWithPath: "/")
}

/// Answers with this status and content, after so many seconds.
private func answering(
    _ status: Int, _ content: String, after seconds: Double = 0,
    _ look: @escaping @Sendable (URLRequest) -> Void = { _ in }
) -> SmartLinks.Transport {
    { request in
        look(request)
        try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
        let response = HTTPURLResponse(
            url: link, statusCode: status, httpVersion: nil, headerFields: nil)
        guard let response else { throw CancellationError() }
        return (Data(content.utf8), response)
    }
}

@Suite struct SmartLinksTests {
    private static let whole = """
        {"url": "https://go.example.com/s/spring?utm_source=mail", "canonical": "https://go.example.com/s/spring",
         "state": "active", "app": {"path": "/offers/42", "data": {"coupon": "A1", "days": [1, null, true]},
         "minVersion": "2.1"}, "campaign": {"source": "mail"}, "page": {"title": "Spring sale"},
         "web": "https://www.example.com/spring", "later": {"unknown": 1}}
        """

    @Test func whatTheLinkSaysIsRead() async throws {
        let links = SmartLinks(hosts: ["GO.example.com"], transport: answering(200, Self.whole))
        guard case .link(let said) = await links.resolve(link) else {
            return #expect(Bool(false), "no link")
        }
        #expect(said.state == .active)
        #expect(said.canonical.absoluteString == "https://go.example.com/s/spring")
        #expect(said.app?.path == "/offers/42" && said.app?.minVersion == "2.1")
        #expect(said.app?.data?["coupon"]?.string == "A1")
        #expect(said.app?.data?["days"] == .array([.number(1), .null, .boolean(true)]))
        #expect(said.campaign == ["source": "mail"])
        #expect(said.page?.title == "Spring sale")
        #expect(said.web?.absoluteString == "https://www.example.com/spring")
        struct Offer: Decodable { let coupon: String }
        #expect(try said.app?.data?.decoded(Offer.self).coupon == "A1")
    }

    @Test func anOpenIsReportedToTheHostOfTheLink() async throws {
        let sent = Mutex([URLRequest]())
        let links = SmartLinks(
            hosts: ["go.example.com"],
            transport: answering(204, "") { request in sent.withLock { $0.append(request) } })
        #expect(await links.reportOpen(link, isFirst: true))
        let request = try #require(sent.withLock { $0.first })
        #expect(request.url?.absoluteString == "https://go.example.com/_/opens")
        #expect(request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        let content = try #require(request.httpBody)
        let said = try JSONDecoder().decode([[String: JSON]].self, from: content)
        #expect(said.count == 1 && said[0].keys.sorted() == ["at", "first", "url"])
        #expect(said[0]["url"]?.string == link.absoluteString)
        #expect(said[0]["first"] == .boolean(true))
        // Another host is told nothing.
        let other = try #require(URL(string: "https://other.example/s/spring"))
        #expect(await !links.reportOpen(other))
        #expect(sent.withLock { $0.count } == 1)
        let refusing = SmartLinks(hosts: ["go.example.com"], transport: answering(429, ""))
        #expect(await !refusing.reportOpen(link))
    }

    @Test func aLinkWithoutAnythingIsRead() async {
        let text =
            #"{"url": "https://a.example/x", "canonical": "https://a.example/x", "state": "expired"}"#
        let links = SmartLinks(hosts: ["go.example.com"], transport: answering(200, text))
        guard case .link(let said) = await links.resolve(link) else {
            return #expect(Bool(false), "no link")
        }
        #expect(said.state == .expired && said.app == nil && said.web == nil)
    }

    @Test(arguments: [
        (404, #"{"state": "unknown"}"#, Resolution.unknown), (200, "not json", .offline),
        (200, "{}", .offline), (503, "", .offline), (302, "", .offline),
        (200, #"{"url": "x", "canonical": "x", "state": "other"}"#, .offline),
    ])
    func otherAnswersAreNoLink(status: Int, content: String, expected: Resolution) async {
        let links = SmartLinks(hosts: ["go.example.com"], transport: answering(status, content))
        #expect(await links.resolve(link) == expected)
    }

    @Test func theHostOfTheLinkIsAskedForTheWholeURL() throws {
        let links = SmartLinks(hosts: ["go.example.com"])
        let request = try #require(links.request(for: link))
        #expect(
            request.url?.absoluteString
                == "https://go.example.com/_/resolve?url=https%3A%2F%2Fgo.example.com%2Fs%2Fspring"
                + "%3Futm_source%3Dmail%2520x%26a%3Db%2Bc%23top")
        let other = try #require(URL(string: "https://GO.example.com:8443/s/%C3%BC"))
        #expect(
            links.request(for: other)?.url?.absoluteString.hasPrefix(
                "https://go.example.com:8443/_/resolve?url=") == true)
    }

    @Test(arguments: [
        "http://go.example.com/s/a", "https://evil.example/s/a", "shop://go.example.com/s/a",
        "https://go.example.com.evil.example/", "https://user@evil.example/?go.example.com",
    ])
    func noOtherHostIsAsked(url: String) async throws {
        let links = SmartLinks(
            hosts: ["go.example.com"],
            transport: answering(200, "{}") { _ in
                Issue.record("it was asked")
            })
        #expect(await links.resolve(try #require(URL(string: url))) == .unknown)
    }

    @Test func anAnswerThatDoesNotComeInTimeIsNotWaitedFor() async {
        let links = SmartLinks(
            hosts: ["go.example.com"], seconds: 0.05,
            transport: answering(200, Self.whole, after: 3_600))
        #expect(await links.resolve(link) == .offline)
    }

    @Test func aHostThatIsNotThereIsOffline() async throws {
        let links = SmartLinks(hosts: ["localhost"], seconds: 5)
        let url = try #require(URL(string: "https://localhost:1/s/a"))
        #expect(await links.resolve(url) == .offline)
    }
}
