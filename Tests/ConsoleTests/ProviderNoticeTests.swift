import Testing

@testable import Console

/// Pages about signing in at a provider of OpenID Connect.
@Suite("Pages about a provider")
struct ProviderNoticeTests {
    private static let name = "<b>Shop</b>"
    private static let url = "https://id.example.com/authorize?a=b&c=%22"

    private static func setting(_ language: ConsoleLanguage = .en) -> ConsoleSetting {
        ConsoleSetting(environment: "prod", language: language, isSecure: true, provider: name)
    }

    @Test("each says what to do", arguments: ConsoleLanguage.allCases)
    func notices(_ language: ConsoleLanguage) {
        let notices: [(ConsoleNotice, Int, offersSignIn: Bool)] = [
            (.leadingOn(to: Self.url, Self.name), 200, false),
            (.signedIn(to: "/console/"), 200, false),
            (.attemptInvalid, 403, true), (.providerRefused(Self.name), 403, true),
            (.providerAway(Self.name), 503, true), (.providerWrong(Self.name), 403, true),
            (.noRole(Self.name), 403, true), (.signInNeeded(path: "/console/"), 401, true),
            (.signedOut, 200, true), (.linkInvalid, 403, true), (.notFound, 404, false),
            (.signIn(action: "/console/sign-in/x"), 200, false),
        ]
        for (notice, status, offersSignIn) in notices {
            let answer = Console.notice(notice, Self.setting(language))
            #expect(answer.status == status && PageStructure(answer.content).faults == [])
            #expect(
                answer.text.contains(#"action="/console/sign-in/openid""#) == offersSignIn,
                "\(notice)")
            #expect(!answer.text.contains(Self.name) && !answer.text.contains("{name}"))
        }
        let plain = ConsoleSetting(environment: "prod", language: language, isSecure: true)
        let without = Console.notice(.signInNeeded(path: "/console/"), plain)
        #expect(!without.text.contains("openid"))
    }

    @Test func `a page leads on by itself, and without that by a link`() {
        let there = Console.notice(.leadingOn(to: Self.url, Self.name), Self.setting()).text
        let written = "https://id.example.com/authorize?a=b&amp;c=%22"
        #expect(there.contains(#"<meta http-equiv="refresh" content="0;url=\#(written)">"#))
        #expect(there.contains(#"href="\#(written)""#))
        let back = Console.notice(.signedIn(to: "/console/visits?by=tag"), Self.setting()).text
        #expect(
            back.contains(#"<meta http-equiv="refresh" content="0;url=/console/visits?by=tag">"#))
        #expect(back.contains(#"href="/console/visits?by=tag""#))
        for notice in [ConsoleNotice.noRole(Self.name), .signedOut, .attemptInvalid] {
            #expect(!Console.notice(notice, Self.setting()).text.contains("refresh"))
        }
        #expect(
            Console.notice(.providerAway(Self.name), Self.setting()).field("Retry-After") == "5")
    }
}
