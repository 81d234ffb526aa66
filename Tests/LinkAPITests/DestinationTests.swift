import Foundation
import LinkAPI
import Testing
import URISyntax

/// Where a link may lead: nowhere that its collection does not allow, however a URL is written.
@Suite struct DestinationTests {
    @Test(arguments: [
        ("https://play.google.com/store/apps/details?id=com.example.shop", true),
        ("https://play.google.com/store/apps/details?id=com.example.shop&referrer=a%3Db", true),
        ("https://play.google.com/store/apps/details?hl=de&id=com.example.shop#top", true),
        ("https://play.google.com/store/apps/details?id=com.example.other", false),
        ("https://play.google.com/store/apps/details?id=com.example.shop&id=com.other", false),
        ("https://play.google.com/store/apps/details", false),
        ("https://play.google.com/store/apps/dev?id=com.example.shop", false),
        ("http://play.google.com/store/apps/details?id=com.example.shop", false),
        ("https://play.google.com:443/store/apps/details?id=com.example.shop", true),
        ("https://play.google.com:80/store/apps/details?id=com.example.shop", false),
        ("https://play.google.com:8443/store/apps/details?id=com.example.shop", false),
        ("https://play.google.com.evil.example/store/apps/details?id=com.example.shop", false),
        ("https://apps.apple.com/app/id123456789", true),
        ("https://apps.apple.com/at/app/shop/id123456789?pt=11&ct=c&mt=8", true),
        ("https://apps.apple.com:443/app/id123456789", true),
        ("https://apps.apple.com/app/id1234567890", false),
        ("https://apps.apple.com/app/id12345678", false),
        ("https://apps.apple.com/id123456789/other", false),
        ("https://apps.apple.com.evil.example/app/id123456789", false),
    ])
    func `store allows the pages of the configuration's apps`(_ url: String, _ isAllowed: Bool)
        throws
    {
        let api = try TestAPI(
            TestAPI.configuration.replacing(
                "store: 123456789}}",
                with: "store: 123456789}, android: {package: com.example.shop, sha256: "
                    + "[\"\(Array(repeating: "AB", count: 32).joined(separator: ":"))\"]}}"))
        let answer = api.ask(
            "POST", "links", #"{"collection": "short", "destination": "\#(url)"}"#)
        #expect(answer.status == (isAllowed ? 201 : 422), "\(answer.text)")
        #expect(answer.faults == (isAllowed ? [] : ["/destination destination-not-allowed"]))
    }

    private static let allowed = "www.example.com"

    /// What follows the scheme; each would lead some program somewhere else.
    private static let evasions = [
        "evil.example/", "evil.example", "evil.example#@www.example.com/",
        "evil.example?www.example.com", "evil.example/www.example.com",
        "www.example.com.evil.example/", "www.example.com@evil.example/",
        "www.example.com:443@evil.example/", "www.example.com%40evil.example/",
        "www.example.com%2eevil.example/", "www.example.com%00.evil.example/",
        "www.example.com\\\\@evil.example/", "evil.example\\\\www.example.com/",
        "www.example.com:8443/", "www.example.com:444/", "www.example.com:08/",
        "a.example.org:8443/shop/1", "a.example.org:443/other", "www.example.com:80@evil.example/",
        "www.example.com./",
        "www.example.com:/", "www.example.com:x/", "wwww.example.com/", "example.com/",
        "xwww.example.com/", "www-example.com/", "www.example.co/", "www.example.comm/",
        "www.example.com\\u0000.evil.example/", "www.example.com\\t.evil.example/",
        "www.example.com\\n.evil.example/", "www.example.com\\r\\nLocation: https://evil.example/",
        "www.example.com\\u3002evil.example/", "\\uff57ww.example.com/", "www.ex\\u00e4mple.com/",
        "www.example.com\\u202e/", " www.example.com/", "127.0.0.1/", "[::1]/", "2130706433/",
        "localhost/", "a.example.org/", "a.example.org/shop", "a.example.org/shop/../x",
        "a.example.org/shop/%2e%2e/x", "a.example.org/shop/.%2E/x", "a.example.org/shop/./x",
        "a.example.org/shop/..%2fx", "a.example.org/shop/%2E.%5Cx", "a.example.org/shop/..;a=b/x",
        "a.example.org/shop/%252e%252E/x", "a.example.org/shop/1%2F..%2f..%2fx",
        "example.org/shop/1", "a.example.org.evil.example/shop/1", "go.example.com/s/other",
        "GO.example.com/s/other", "go.example.com:443/s/other",
    ]

    private static let schemes = [
        "https://", "http://", "HTTPS://", "//", "https:", "https:/", "https:\\\\\\\\",
        "javascript:",
        "data:text/html,", "ftp://", "\\u0009https://", "intent://",
    ]

    /// The members that lead somewhere, with the URL as `%`.
    private static let members = [
        #""destination": "%""#, #""web": "%""#, #""web": {"ios": "%", "default": "landing"}"#,
        #""web": {"default": "308 %"}"#,
        #""destination": "https://www.example.com/", "until": "2099-01-01T00:00:00Z", "after": "%""#,
    ]

    @Test(arguments: schemes.indices)
    func `no URL leads to a host that is not allowed`(_ number: Int) throws {
        let api = try TestAPI()
        let scheme = Self.schemes[number]
        var tries = 0
        for evasion in Self.evasions {
            for member in Self.members {
                tries += 1
                let url = scheme + evasion
                let answer = api.ask(
                    "POST", "links",
                    #"{"collection": "short", "#
                        + member.replacing("%", with: url) + "}")
                #expect([400, 422].contains(answer.status), "\(url) in \(member): \(answer.text)")
            }
        }
        #expect(tries == 57 * 5)
        // The nearest that is right.
        for member in Self.members {
            let answer = api.ask(
                "POST", "links",
                #"{"collection": "short", "#
                    + member.replacing("%", with: "https://\(Self.allowed)/") + "}")
            #expect(answer.status == 201, "\(member): \(answer.text)")
        }
    }

    /// The port that the scheme has is no other place (RFC 9110 §4.2), and exports write it.
    @Test(
        arguments: [
            "https://www.example.com:443/x", "http://www.example.com:80/x",
            "HTTPS://www.example.com:0443/", "https://www.example.com:443",
            "https://a.example.org:443/shop/1",
        ], members)
    func `the port of the scheme is the host`(_ url: String, _ member: String) throws {
        let api = try TestAPI()
        let answer = api.ask(
            "POST", "links",
            #"{"collection": "short", "# + member.replacing("%", with: url) + "}")
        #expect(answer.status == 201, "\(answer.text)")
        // A destination has one form.
        let isDestination = member == Self.members[0]
        let shown = isDestination ? try WebURL(url).withoutDefaultPort.description : url
        #expect(answer.text.contains("\(shown)\""), "\(answer.text)")
    }

    /// Programs and logs write the port of the scheme, and people leave it out.
    @Test(arguments: ["https://www.example.com:443/rt", "https://www.example.com/rt"])
    func `a destination is found and known again in both forms`(_ url: String) throws {
        let api = try TestAPI()
        func isFound(_ text: String) -> Bool {
            api.ask("GET", "links?q=\(text.queryEscaped)").text.contains("\"slug\": \"a\"")
        }
        _ = api.ask(
            "POST", "links", #"{"collection": "short", "slug": "a", "destination": "\#(url)"}"#)
        for other in ["https://www.example.com:443/rt", "https://www.example.com/rt"] {
            let table = "collection,slug,destination\nshort,a,\(other)\n"
            let answer = try api.importing(table, [("mode", "upsert")], type: "text/csv")
            #expect(answer[0]["outcome"] as? String == "unchanged", "\(answer)")
            for text in [other, other.replacing("https://", with: "")] {
                #expect(isFound(text), "\(text)")
            }
        }
        // Another port is another place, and what is no URL is searched as it is.
        for text in ["https://www.example.com:80/rt", "www.example.com:8443/rt", "rt:443/"] {
            #expect(!isFound(text), "\(text)")
        }
    }

    @Test(arguments: [
        ("https://www.example.com:80/", "www.example.com:80"),
        ("http://www.example.com:443/", "www.example.com:443"),
        ("https://www.example.com:8443/", "www.example.com:8443"),
    ])
    func `another port is refused, and named`(_ url: String, _ named: String) throws {
        let api = try TestAPI()
        let answer = api.ask("POST", "links", #"{"collection": "short", "destination": "\#(url)"}"#)
        #expect(answer.faults == ["/destination destination-not-allowed"], "\(answer.text)")
        #expect(answer.text.contains(named) && answer.text.contains("own port"), "\(answer.text)")
        // A rule for every host is one for every port.
        let free = api.ask("POST", "links", #"{"collection": "exact", "destination": "\#(url)"}"#)
        #expect(free.status == 201, "\(free.text)")
    }
}
