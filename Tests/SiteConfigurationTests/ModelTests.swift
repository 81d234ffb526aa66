import Associations
import Diagnostics
import Testing
import URISyntax

@testable import SiteConfiguration

/// The fixture that uses every key, understood.
@Suite("From keys to values")
struct ModelTests {
    let site: Configuration

    init() throws {
        let fixture = try #require(Fixture.all.first { $0.name == "everything.txt" })
        site = try #require(
            Configuration.read(
                Array(fixture.input.utf8), file: "waymark.yaml", directory: "/etc/waymark"
            ).configuration)
    }

    @Test func `the fixture uses every key of the table`() throws {
        let fixture = try #require(Fixture.all.first { $0.name == "everything.txt" })
        // A ready file would take the place of what the others say, and the store of the fixture is a file.
        let known = Shape.configuration.allKeys.subtracting(
            ["aasa", "assetlinks", "sites", "store-password", "store-secret"])
        #expect(known.filter { !fixture.input.contains($0) } == [])
    }

    @Test func `an app has what each system knows it by, and what it shares`() throws {
        #expect(site.apps.map(\.key) == ["shop", "reader"])
        let ios = try #require(site.apps[0].ios)
        #expect(site.apps[0].name == "Shop")
        #expect(ios.id.description == "ABCDE12345.com.example.shop")
        #expect(ios.storeIdentifier == "412366298")
        #expect(ios.scheme == "shop")
        #expect(ios.services == [.webCredentials, .activityContinuation])
        #expect(ios.clip?.description == "ABCDE12345.com.example.shop.Clip")
        let android = try #require(site.apps[0].android)
        #expect(android.package.description == "com.example.shop")
        #expect(android.fingerprints.map(\.description.utf8.count) == [95, 95])
        #expect(android.sharesCredentials)
        #expect(android.isDynamic)
        let reader = try #require(site.apps[1].android)
        #expect(site.apps[1].ios == nil)
        #expect(!reader.sharesCredentials)
        #expect(!reader.isDynamic)
    }

    @Test func `a collection says where its links may lead, and what their slugs are`() throws {
        let link = try #require(site.links.last)
        let collection = try #require(link.collection)
        #expect(link.key == "short" && link.isForWeb)
        #expect(
            collection.destinations.map(\.description)
                == ["www.example.com", "*.example.org/shop/", "store"])
        #expect(collection.isExact && collection.length == 12 && collection.allowsStores)
        #expect(collection.alphabet == Collection.usualAlphabet)
        let prod = try #require(site.environment(named: "prod"))
        #expect(prod.store?.path == "/etc/waymark/var/links.db")
    }

    @Test func `rules: what exclude says first, then what match says, in the file's order`() {
        #expect(
            site.links[0].components == [
                Component(path: "/product/internal/*", exclude: true),
                Component(path: "/product/old/*", exclude: true),
                Component(path: "/product/*"),
                Component(
                    path: "/catalogue/*",
                    query: .items([
                        .init(name: "item", pattern: "?*"), .init(name: "lang", pattern: "??"),
                    ]), comment: "by number"),
                Component(path: "/find", query: .whole("q=?*")),
                Component(fragment: "top"),
            ])
        #expect(
            site.links[1].components == [
                Component(path: "/news/de/draft", exclude: true),
                Component(
                    path: "/news/$(lang)/*", caseSensitive: false, percentEncoded: true),
            ])
    }

    @Test func `each limit can be set otherwise than usual`() {
        let limits = site.environments[0].limits
        #expect(limits[.headerBytes] == 8192)
        #expect(limits[.bodyRate] == 100)
        #expect(limits[.prefixBits] == 56)
        #expect(Limit.allCases.filter { limits[$0] == nil || limits[$0] == $0.usual } == [])
    }

    @Test func `a link has an action for each platform, and what its page says`() throws {
        var page = LinkPage(
            title: "A product", description: "What it is,\nand what it costs.\n",
            image: PageImage("/images/product.jpg"), schema: .type("Product"))
        page.showsClipCard = true
        page.twitterCard = .app
        page.isIndexed = false
        page.isInserted = true
        page.translations = [
            "de": PageTranslation(title: "Ein Ding", description: "Was es ist"),
            "en": PageTranslation(title: "A thing", description: nil),
        ]
        var found = try #require(site.links[0].page)
        #expect(found.positions["title"]?.line == 52)
        found.positions = [:]
        #expect(found == page)
        let web = try #require(site.links[0].web)
        #expect(
            web.byPlatform == [
                .ios: .store, .ipad: .landing, .android: .store,
                .desktop: URLTemplate("https://www.example.com/").map {
                    .redirect($0, .found)
                }
                    ?? .notFound,
            ])
        #expect(web.otherwise == .page("/index.html"))
        #expect(web.position(of: .page("/index.html"))?.line == 63)
        #expect(site.links[1].web?.otherwise == .page("/news.html"))
        #expect(site.links[1].web?.byPlatform == [:])
        #expect(site.links[2].web?.otherwise == .notFound)
        #expect(site.links[2].page == nil)
    }

    @Test func `a page has its media, breadcrumbs and argument as written`() throws {
        let page = try #require(site.links[1].page)
        var image = PageImage("https://cdn.example.com/news.jpg")
        (image.widthPixels, image.heightPixels) = (640, 340)
        (image.type, image.alt) = ("image/jpeg", "A talk")
        #expect(page.image == image)
        var video = PageVideo("/films/news.mp4")
        (video.widthPixels, video.heightPixels, video.type) = (1280, 720, "video/mp4")
        (video.duration, video.uploaded) = ("PT1H2M3S", "2026-11-21")
        #expect(page.video == video)
        #expect(page.type == "video.other")
        #expect(page.breadcrumbs.map(\.name) == ["Home", "News", "Today"])
        #expect(page.breadcrumbs.map(\.url) == ["/", "https://www.example.com/news", nil])
        #expect(page.argument == URLTemplate("https://www.example.com{path}?{query}"))
        #expect(page.isIndexed && !page.isInserted && !page.showsClipCard)
        #expect(page.twitterCard == nil && page.title == nil && page.translations.isEmpty)
    }

    @Test func `of JSON, what has no quotes may be a number or a truth`() throws {
        guard case .whole(let json)? = site.links[1].page?.schema else {
            Issue.record("no JSON")
            return
        }
        #expect(
            json.compact == """
                {"@context": "https://schema.org", "@type": "Restaurant", "name": "To the Lamb", \
                "postalCode": "1010", "geo": {"@type": "GeoCoordinates", "latitude": 48.2082, \
                "longitude": 16.37380}, "openingHours": ["Mo-Fr 11:00-23:00"], \
                "acceptsReservations": true, "telephone": "true"}
                """)
    }

    @Test(
        "which scalars are numbers of JSON",
        arguments: [
            ("0", true), ("-0.5", true), ("1e3", true), ("12.50E-07", true), ("01310", false),
            ("+1", false), (".5", false), ("5.", false), ("1e", false), ("0x1F", false),
            ("12:30", false), ("1_000", false), ("-", false), ("Infinity", false), ("yes", false),
        ])
    func jsonNumbers(_ text: String, _ isNumber: Bool) throws {
        let yaml = """
            version: 1
            apps: {a: {ios: {id: ABCDE12345.a}}}
            links: {l: {match: /, page: {schema: {"@type": Thing, "@context": c, x: \(text)}}}}
            environments:
              e: {hosts: a, tls: {certificate: a, key: b}, publish: {a: l}}
            """
        let site = try #require(Configuration.read(Array(yaml.utf8), file: "f").configuration)
        let value = isNumber ? JSONText.numeral(text) : .string(text)
        #expect(
            site.links[0].page?.schema
                == .whole(
                    .object([
                        ("@type", .string("Thing")), ("@context", .string("c")), ("x", value),
                    ])))
    }

    @Test func `what the site says is every environment's presentation`() throws {
        var expected = Presentation()
        expected.name = "Example"
        expected.url = "https://www.example.com/"
        expected.imprint = "/imprint.html"
        expected.privacy = "https://www.example.com/privacy"
        expected.logo = "/images/logo.png"
        expected.icon = "/images/icon.png"
        expected.twitter = "@example"
        expected.sameAs = ["https://www.example.org/example", "https://example.net/"]
        expected.languages = ["de", "en", "zh-Hant-TW"]
        expected.texts = ["de": ["open": "In der App öffnen"]]
        expected.textPositions = [
            "open": SourcePosition(file: "waymark.yaml", line: 15, column: 16)
        ]
        expected.style = [
            "accent": "#0a7cff", "radius": "0.5rem", "font": "system-ui, Segoe UI, sans-serif",
        ]
        expected.appStoreBadge = "/badges/app-store.svg"
        expected.googlePlayBadge = "/badges/google-play.svg"
        expected.theme = site.environments.first?.sites[0].presentation.theme
        #expect(expected.theme?.path == "/etc/waymark/theme")
        #expect(site.environments.allSatisfy { $0.sites[0].presentation == expected })
    }

    @Test func `campaigns, of which the link's come first`() throws {
        let prod = try #require(site.environment(named: "prod"))
        var expected = Campaign()
        expected.utm = true
        expected.appleProvider = "123456"
        expected.appleProductPage = "45812c9b-c296-43d3-a6a0-c5a02f74bf6e"
        expected.googleLink = true
        #expect(prod.sites[0].campaign == expected)
        expected.utm = false
        expected.appleCampaign = "spring"
        #expect(site.links[0].campaign.over(prod.sites[0].campaign) == expected)
        #expect(site.links[1].campaign == Campaign())
    }

    @Test func `a template knows its parts`() throws {
        let template = try #require(URLTemplate("https://a.example/{2}/x?y={1}"))
        #expect(
            template.parts == [
                .literal(Array("https://a.example/".utf8)), .value(.star(2), in: .path),
                .literal(Array("/x?y=".utf8)), .value(.star(1), in: .queryValue),
            ])
        #expect(template.starsNeeded == 2)
        #expect(template.originBytes == 17)
        #expect(URLTemplate("https://{1}.example/") == nil)
    }

    @Test(
        "a template knows where a value lands",
        arguments: [
            ("https://a{path}", [URLTemplate.Position.path]),
            ("https://a/?{query}", [.queryItems]), ("https://a?{query}", [.queryItems]),
            ("https://a/?x={query}&{query.y}", [.queryValue, .queryItems]),
            ("https://a/?{query}{path}", [.queryItems, .queryValue]),
            ("https://a/?{query}&{path}", [.queryItems, .queryItems]),
            ("https://a/?x#{path}?{query}&{query.z}", [.fragment, .fragment, .fragment]),
            ("https://a/{query.x}#{query}", [.path, .fragment]), ("https://a/x", []),
        ])
    func positions(_ text: String, _ positions: [URLTemplate.Position]) throws {
        let template = try #require(URLTemplate(text))
        let found = template.parts.compactMap { part in
            if case .value(_, let position) = part { position } else { nil }
        }
        #expect(found == positions)
    }

    @Test func `an environment has hosts, files, limits of trust and publications, as written`()
        throws
    {
        let prod = try #require(site.environment(named: "prod"))
        #expect(prod.position == SourcePosition(file: "waymark.yaml", line: 95, column: 3))
        #expect(prod.sites[0].hosts.map(\.description) == ["shop.example.com", "www.example.com"])
        #expect(prod.sites[0].openHost?.description == "open.example.com")
        #expect(
            prod.sites[0].certificates.map(\.certificate.path) == [
                "/etc/waymark/shop.pem", "/etc/waymark/certs/www.pem",
            ])
        #expect(
            prod.sites[0].certificates.map(\.key.path) == [
                "/etc/waymark/shop.key", "/etc/waymark/certs/www.key",
            ])
        #expect(prod.sites[0].certificates[1].key.position.line == 100)
        let automatic = try #require(prod.sites[0].automatic)
        #expect(automatic.directory == "https://acme.example.com/directory")
        #expect(automatic.authorityName == "acme.example.com-directory")
        #expect(automatic.email == "ops@example.com")
        #expect(automatic.authorities?.path == "/etc/waymark/certs/acme-roots.pem")
        #expect(automatic.externalAccount?.key.path == "/etc/waymark/keys/acme-hmac")
        #expect(automatic.hosts == nil)
        #expect(automatic.rehearsal?.directory == "https://acme.example.com/test")
        let other = try #require(automatic.others.first)
        #expect(automatic.list.count == 2 && other.email == nil && other.rehearsal == nil)
        #expect(other.dns == automatic.dns && other.externalAccount?.id == "kid-2")
        #expect(
            automatic.everyAuthority.map(\.authorityName) == [
                "acme.example.com-directory",
                "acme.example.com-directory/otherwise/acme.example.com-test",
                "acme.example.com-directory/otherwise/ca.example.net-acme",
            ])
        #expect(Set(automatic.everyAuthority.map(\.firstName)) == ["acme.example.com-directory"])
        #expect(automatic.authority(named: other.authorityName) == other)
        let inputs = Set(prod.inputFiles.map(\.path))
        #expect(inputs.isSuperset(of: automatic.files.map(\.path)) && automatic.files.count == 4)
        let secrets = prod.confidentialFiles.filter { $0.kind == .key }.map(\.reference.path)
        #expect(secrets.contains("/etc/waymark/keys/other-hmac"))
        guard case .program(let program)? = automatic.dns else { throw Missing.ticketFiles }
        #expect(program.path == "/etc/waymark/dns-record")
        #expect(prod.sites[0].publicDirectory.path == "/etc/waymark/Pages")
        #expect(prod.sites[0].acmeWebroot?.path == "/var/lib/letsencrypt")
        #expect(prod.sites[0].httpsPort == 443)
        #expect(prod.sites[0].associations.signing?.key.path == "/etc/waymark/certs/signing.key")
        #expect(!prod.sites[0].isClosedToRobots)
        #expect(prod.tls.refusesUnknownNames)
        guard case .files(let keys) = prod.tls.tickets else { throw Missing.ticketFiles }
        #expect(
            keys.map(\.path) == [
                "/run/waymark/tickets.key", "/etc/waymark/keys/tickets-before.key",
            ])
        #expect(prod.accessLog.form == .combined)
        #expect(prod.accessLog.file?.path == "/etc/waymark/logs/access.log")
        #expect(prod.accessLog.isAnonymized)
        #expect(prod.accessLog.campaigns == ["utm_source", "utm_campaign"])
        #expect(prod.proxies.trusted.count == 7)
        #expect(prod.proxies.header == .forwarded)
        #expect(prod.proxies.expectsProxyHeader)
        let position = SourcePosition(file: "waymark.yaml", line: 119, column: 23)
        #expect(prod.sites[0].unmatched == .page("/404.html", status: 404, position: position))
        #expect(prod.sites[0].publications.map(\.app.key) == ["shop", "reader"])
        #expect(
            prod.sites[0].publications.map { $0.links.map(\.key) } == [["account"], ["account"]])
        #expect(prod.sites[0].offersScheme)
        #expect(
            prod.sites[0].transportSecurity?.field == "max-age=63072000; includeSubDomains; preload"
        )
        #expect(site.environment(named: "prd") == nil)
    }

    @Test func `what an environment is served from is all that it names`() throws {
        let prod = try #require(site.environment(named: "prod"))
        let directories = [prod.sites[0].publicDirectory, prod.sites[0].presentation.theme]
        let inputs = Set((prod.inputFiles + directories.compactMap(\.self)).map(\.path))
        // Written by others and by ourselves, or run.
        let others =
            [
                prod.sites[0].acmeWebroot, prod.accessLog.file, prod.store?.file,
                prod.openID?.secret,
            ].compactMap {
                $0?.path
            }
            + ["/etc/waymark/dns-record"]
        #expect(references(in: prod).subtracting(others) == inputs)
        #expect(inputs.contains("/run/waymark/tickets.key"))
        #expect(inputs.contains("/etc/waymark/certs/signing.key"))
    }

    @Test func `what must not be served is what any environment keeps to itself`() throws {
        let files = try #require(site.environment(named: "prod")).confidentialFiles
        #expect(files == site.environment(named: "dev")?.confidentialFiles)
        let names = Set(files.map { "\($0.kind) \($0.reference.path)" })
        for name in [
            "configuration waymark.yaml", "ticketKey /run/waymark/tickets.key",
            "key /etc/waymark/certs/signing.key", "accessLog /etc/waymark/logs/access.log",
            "theme /etc/waymark/theme", "store /etc/waymark/var/links.db",
            "program /etc/waymark/dns-record", "clientSecret /etc/waymark/secrets/openid",
        ] { #expect(names.contains(name), "\(name) of \(names)") }
    }

    /// The path of every file and directory that a value mentions, however deep.
    private func references(in value: Any) -> Set<String> {
        if let reference = value as? FileReference { return [reference.path] }
        return Mirror(reflecting: value).children.reduce(into: []) { found, child in
            // Those of other environments too, which are only kept from being served.
            guard child.label != "confidentialFiles" else { return }
            found.formUnion(references(in: child.value))
        }
    }

    @Test func `an heir has its own keys, and those of its nearest ancestor`() throws {
        let uat = try #require(site.environment(named: "uat"))
        let dev = try #require(site.environment(named: "dev"))
        let template = try #require(
            URLTemplate("https://www.example.com{path}?from=uat&{query}"))
        #expect(uat.sites[0].unmatched == .redirect(template, .found))
        #expect(dev.sites[0].unmatched == .landing(status: 404))
        #expect(uat.sites[0].transportSecurity?.field == "max-age=0")
        #expect(dev.sites[0].isClosedToRobots)
        #expect(dev.sites[0].hosts.map(\.description) == ["localhost"])
        #expect(dev.answeredHosts.map(\.description) == ["localhost", "open-uat.example.com"])
        #expect(dev.sites[0].publicDirectory.path == "/etc/waymark/Pages")
    }

    @Test func `link tests keep their order, and what each expects`() {
        let expectations = site.expectations
        #expect(expectations.map(\.environment) == ["prod", "uat", "dev", "prod"])
        #expect(expectations.map(\.opens) == [["shop", "reader"], [], nil, nil])
        #expect(expectations.map(\.profile) == [nil, nil, "desktop-chrome", nil])
        #expect(expectations.map(\.gets?.status) == [nil, nil, 404, 308])
        #expect(expectations[3].gets?.location == "https://www.example.com/x")
    }

    @Test func `a key that is not written has its default`() throws {
        let fixture = try #require(Fixture.all.first { $0.name == "smallest.txt" })
        let (site, _) = Configuration.read(
            Array(fixture.input.utf8), file: "waymark.yaml", directory: ".")
        let dev = try #require(site?.environments.first)
        #expect(dev.sites[0].publicDirectory.path == "Public")
        #expect(dev.sites[0].openHost == nil)
        #expect(dev.sites[0].acmeWebroot == nil)
        #expect(dev.sites[0].httpsPort == nil)
        #expect(dev.sites[0].presentation == Presentation())
        #expect(dev.sites[0].presentation.languages == ["en"])
        #expect(dev.sites[0].campaign == Campaign())
        #expect(!dev.sites[0].offersScheme)
        #expect(dev.sites[0].transportSecurity == nil)
        #expect(dev.sites[0].unmatched == .notFound)
        #expect(!dev.sites[0].isClosedToRobots)
        #expect(dev.tls == TLSPolicy(tickets: .automatic, refusesUnknownNames: false))
        #expect(dev.accessLog == AccessLogSettings())
        #expect(dev.proxies == ProxySettings())
        #expect(dev.sites[0].associations.assetlinks == nil)
        #expect(dev.sites[0].associations.signing == nil)
    }

    @Test func `published apps are listed by the services that they ask for`() throws {
        let file = try #require(site.environment(named: "prod")?.sites[0].associations.generated)
        let shop = try AppIdentifier("ABCDE12345.com.example.shop")
        #expect(file.applinks?.details.map(\.appIDs) == [[shop]])
        #expect(file.webCredentials == [shop])
        #expect(file.activityContinuation == [shop])
        #expect(file.appClips == [try AppIdentifier("ABCDE12345.com.example.shop.Clip")])
    }
}

private enum Missing: Error { case ticketFiles }

extension Shape {
    /// The names of all keys, of this shape and those that its keys hold.
    var allKeys: Set<String> {
        Set(keys.map(\.name)).union(keys.flatMap { key in key.kind.shapes.flatMap(\.allKeys) })
    }
}
