import Diagnostics
import Glibc
import LinkStore
import Services
import SiteConfiguration
import TestSupport
import Testing
import Visits

@testable import Origin

@Suite("Visits of stored links, over sockets")
struct VisitTests {
    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"

    /// Previews, search engines, assistants, monitors, libraries, and nothing at all.
    private static let programs = [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
        "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "Slackbot 1.0 (+https://api.slack.com/robots)", "Twitterbot/1.0", "WhatsApp/2.23.20.0",
        "TelegramBot (like TwitterBot)",
        "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
        "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
        "Pinterest/0.2 (+https://www.pinterest.com/bot.html)",
        "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
        "SkypeUriPreview Preview/0.5", "Viber/13.0",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like "
            + "Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; "
            + "+http://www.google.com/bot.html)",
        "Googlebot-Image/1.0", "AdsBot-Google (+http://www.google.com/adsbot.html)",
        "Mediapartners-Google", "GoogleOther", "Google-InspectionTool/1.0",
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
        "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
        "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
        "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            + "Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
        "Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)",
        "Mozilla/5.0 (compatible; SeznamBot/4.0; +http://napoveda.seznam.cz/seznambot-intro/)",
        "CCBot/2.0 (https://commoncrawl.org/faq/)",
        "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; "
            + "+https://openai.com/gptbot)",
        "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
        "Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
        "Mozilla/5.0 (compatible; Bytespider; spider-feedback@bytedance.com)",
        "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
        "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
        "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)",
        "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
        "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)", "curl/8.5.0", "Wget/1.21.4",
        "python-requests/2.31.0", "Go-http-client/2.0", "okhttp/4.12.0", "axios/1.6.8",
        "Apache-HttpClient/4.5.14 (Java/17.0.9)", "AASA-Bot/1.0.0", "",
    ]

    /// What is sent, and how often; what of it is counted.
    private struct Asked {
        var method = "GET"
        var path = "/s/a"
        var fields = "User-Agent: \(VisitTests.iPhone)\r\n"
        var client = "192.0.2.1"
    }

    private func send(_ asked: [Asked], to store: StoreOrigin) throws {
        let client = try TestClient(port: store.origin.httpPort)
        for one in asked {
            client.send(
                "\(one.method) \(one.path) HTTP/1.1\r\nHost: localhost\r\n"
                    + "X-Forwarded-Proto: https\r\nX-Forwarded-For: \(one.client)\r\n"
                    + "\(one.fields)\r\n")
            _ = try client.readResponse(isHead: one.method == "HEAD")
        }
    }

    private func link(_ store: StoreOrigin) throws -> String {
        let client = try store.client
        client.send(store.creation("a"))
        let parts = try client.readResponse().body.split(separator: "\"")
        let member = try #require(parts.firstIndex(of: "id"))
        return String(parts[member + 2])
    }

    private func read(_ store: StoreOrigin, _ path: String) throws -> String {
        let client = try store.client
        client.send(store.request("GET", path))
        return try client.readResponse().body
    }

    private func wait(
        _ store: StoreOrigin, _ path: String, until text: String
    ) throws -> String {
        var last = ""
        _ = try waits {
            last = try read(store, path)
            return last.contains(text)
        }
        return last
    }

    @Test(arguments: [1, 2])
    func `people are counted, and programs apart`(_ loops: Int) throws {
        let store = try StoreOrigin(loops: loops)
        let id = try link(store)
        try TestSupport.wait { store.service.visits.visits.isOpen }
        // The loops know the day's key within a second.
        usleep(1_200_000)
        let ahead = [
            "Sec-Purpose: prefetch", "Sec-Purpose: prefetch;prerender",
            "Sec-Purpose: prefetch;anonymous-client-ip", "Purpose: prefetch", "X-Moz: prefetch",
            "X-Purpose: preview", "Purpose: preview",
        ]
        var asked = [Asked]()
        for client in 1...5 { asked.append(Asked(client: "192.0.2.\(client)")) }
        // The same visitor again, and one more network of IPv6 with two addresses.
        asked.append(Asked())
        asked.append(Asked(client: "2001:db8::1"))
        asked.append(Asked(client: "2001:db8::2"))
        // People whose user agents could be taken for those of programs.
        for person in [
            "Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/138.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
                + "like Gecko) Mobile/15E148 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5)",
        ] {
            asked.append(Asked(fields: "User-Agent: \(person)\r\n"))
        }
        // Visits that are no visitors.
        for field in ["Sec-GPC: 1", "DNT: 1"] {
            asked.append(
                Asked(
                    fields: "User-Agent: \(Self.iPhone)\r\n\(field)\r\n", client: "198.51.100.1"))
        }
        for program in Self.programs { asked.append(Asked(fields: "User-Agent: \(program)\r\n")) }
        for field in ahead {
            asked.append(Asked(fields: "User-Agent: \(Self.iPhone)\r\n\(field)\r\n"))
        }
        asked.append(Asked(method: "HEAD"))
        asked.append(Asked(path: "/s/unknown"))
        for one in asked { try send([one], to: store) }

        let counts =
            "\"visits\": 12, \"notFound\": 0, \"bots\": 46, \"prefetches\": 7, \"probes\": 1"
        // The loops hand over one after the other.
        let text = try wait(store, "links/\(id)/visits", until: counts)
        #expect(text.contains(counts), "\(text)")
        #expect(text.contains("\"visitors\": 8"), "\(text)")
        let all = try read(store, "visits")
        #expect(all.contains("\"visits\": 12, \"notFound\": 0, \"bots\": 46"))
        #expect(
            try read(store, "links/\(id)/visits?by=platform").contains(
                "\"platform\": \"ios\", \"visits\": 11"))
        #expect(try wait(store, "misses", until: "/s/unknown").contains("\"path\": \"/s/unknown\""))
    }

    @Test func `an app reports which links have opened it`() throws {
        let store = try StoreOrigin()
        let id = try link(store)
        func report(
            _ content: String, _ type: String = "application/json", scheme: String = "https"
        ) throws -> Int {
            let client = try TestClient(port: store.origin.httpPort)
            client.send(
                "POST /_/opens HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: \(scheme)\r\n"
                    + "X-Forwarded-For: 192.0.2.7\r\nContent-Type: \(type)\r\n"
                    + "Content-Length: \(content.utf8.count)\r\n\r\n\(content)")
            return try client.readResponse(isHead: true).status
        }
        let url = #""url": "https://localhost/s/a?x=1""#
        #expect(try report("[{\(url)}, {\(url), \"first\": true}]") == 204)
        #expect(try report("[{\(url), \"at\": \"1999-01-01T00:00:00Z\"}]") == 204)
        // Whoever asks learns nothing of links.
        #expect(try report(#"[{"url": "https://localhost/s/unknown"}, {"url": "x"}]"#) == 204)
        #expect(try report("[]") == 204)
        // A URL that was opened does not belong on an open line.
        #expect(try report("[]", scheme: "http") == 404)
        for wrong in [
            "{\(url)}", "[1]", "[{}]", "[{\(url), \"first\": 1}]", "[{\(url), \"at\": \"now\"}]",
            "[{\(url), \"user\": \"u\"}]",
        ] {
            #expect(try report(wrong) == 422, "\(wrong)")
        }
        #expect(try report("[") == 400)
        #expect(try report("[{\(url)}]", "text/plain") == 415)
        let statuses = try (0..<70).map { _ in try report("[]") }
        #expect(statuses.first == 204 && statuses.last == 429)
        let text = try wait(store, "links/\(id)/visits", until: "\"firstOpens\": 1")
        #expect(text.contains("\"visits\": 0") && text.contains("\"opens\": 2"), "\(text)")
    }

    @Test func `a file that is removed is begun again, and an operator hears of it`() throws {
        let store = try StoreOrigin()
        let id = try link(store)
        try TestSupport.wait { store.service.visits.visits.isOpen }
        #expect(unlink(store.service.path + ".visits") == 0)
        try send([Asked()], to: store)
        let text = try wait(store, "links/\(id)/visits", until: "\"visits\": 1")
        #expect(text.contains("\"visits\": 1"))
        #expect(access(store.service.path + ".visits", W_OK) == 0)
        let findings = store.origin.reported.compactMap { event in
            if case .service(.finding(let finding)) = event { finding.message } else { nil }
        }
        #expect(findings.contains { $0.contains("was removed or replaced while it is served") })
    }

    @Test func `a stop writes what was counted`() throws {
        var store: StoreOrigin? = try StoreOrigin()
        _ = try link(#require(store))
        try TestSupport.wait { store?.service.visits.visits.isOpen != false }
        try send(
            [
                Asked(),
                Asked(
                    fields: "Referer: https://news.example/today\r\nUser-Agent: \(Self.iPhone)\r\n"),
            ], to: #require(store))
        let path = try #require(store).service.path + ".visits"
        let directory = try #require(store).origin.directory
        store = nil
        let file = try VisitStore(path)
        let hour = Int(time(nil)) / 3_600
        let rows = try file.visits(of: 1, hour - 24..<hour + 1, by: .hour)
        #expect(rows.map(\.counts).reduce(0) { $0 + ($1[.visit] ?? 0) } == 2)
        let referrers = try file.visits(of: 1, hour - 48..<hour + 24, by: .referrer)
        #expect(referrers.map(\.host) == ["news.example"])
        withExtendedLifetime(directory) {}
    }
}
