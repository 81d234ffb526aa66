import Associations
import Diagnostics
import Testing
import URISyntax

@testable import SiteConfiguration

/// The fixture that uses every key, understood.
@Suite("From keys to values")
struct ModelTests {
    let site: Site

    init() throws {
        let fixture = try #require(Fixture.all.first { $0.name == "everything.txt" })
        site = try #require(
            Configuration.read(
                Array(fixture.input.utf8), file: "waymark.yaml", directory: "/etc/waymark"
            ).site)
    }

    @Test func `the fixture uses every key of the table`() throws {
        let fixture = try #require(Fixture.all.first { $0.name == "everything.txt" })
        // A ready file would take the place of what the others say.
        let known = Shape.configuration.allKeys.subtracting(["aasa", "assetlinks"])
        #expect(known.filter { !fixture.input.contains($0) } == [])
    }

    @Test func `apps`() throws {
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

    @Test func `actions and pages`() {
        #expect(
            site.links[0].page
                == LandingPage(
                    title: "A product", description: "What it is,\nand what it costs.\n",
                    image: "/images/product.jpg", schema: "Product"))
        #expect(
            site.links[0].web
                == WebActions(
                    byPlatform: [
                        .ios: .store, .ipad: .landing, .android: .store,
                        .desktop: URLTemplate("https://www.example.com/").map(WebAction.redirect)
                            ?? .notFound,
                    ], otherwise: .page("/index.html")))
        #expect(site.links[1].web == WebActions(byPlatform: [:], otherwise: .page("/news.html")))
        #expect(site.links[2].web?.otherwise == .notFound)
    }

    @Test func `a template knows its parts`() throws {
        let template = try #require(URLTemplate("https://a.example/{2}/x?y={1}"))
        #expect(
            template.parts == [
                .literal("https://a.example/"), .star(2), .literal("/x?y="), .star(1),
            ])
        #expect(template.starsNeeded == 2)
        #expect(URLTemplate("https://{1}.example/") == nil)
    }

    @Test func `an environment`() throws {
        let prod = try #require(site.environment(named: "prod"))
        #expect(prod.place == SourcePlace(file: "waymark.yaml", line: 52, column: 3))
        #expect(prod.hosts.map(\.description) == ["shop.example.com", "www.example.com"])
        #expect(prod.openHost?.description == "open.example.com")
        #expect(
            prod.certificates.map(\.certificate.path) == [
                "/etc/waymark/shop.pem", "/etc/waymark/certs/www.pem",
            ])
        #expect(
            prod.certificates.map(\.key.path) == [
                "/etc/waymark/shop.key", "/etc/waymark/certs/www.key",
            ])
        #expect(prod.certificates[1].key.place.line == 57)
        #expect(prod.publicDirectory.path == "/etc/waymark/Pages")
        #expect(prod.acmeWebroot?.path == "/var/lib/letsencrypt")
        #expect(prod.httpsPort == 443)
        #expect(prod.associations.signing?.key.path == "/etc/waymark/certs/signing.key")
        #expect(!prod.isClosedToRobots)
        #expect(prod.tls.refusesUnknownNames)
        guard case .files(let keys) = prod.tls.tickets else { throw Missing.ticketFiles }
        #expect(
            keys.map(\.path) == [
                "/run/waymark/tickets.key", "/etc/waymark/keys/tickets-before.key",
            ])
        let place = SourcePlace(file: "waymark.yaml", line: 66, column: 23)
        #expect(prod.unmatched == .page("/404.html", status: 404, place: place))
        #expect(prod.publications.map(\.app.key) == ["shop", "reader"])
        #expect(prod.publications.map { $0.links.map(\.key) } == [["account"], ["account"]])
        #expect(site.environment(named: "prd") == nil)
    }

    @Test func `an heir`() throws {
        let uat = try #require(site.environment(named: "uat"))
        let dev = try #require(site.environment(named: "dev"))
        #expect(uat.unmatched == .redirect("https://www.example.com/?from=uat"))
        #expect(dev.unmatched == .notFound)
        #expect(dev.isClosedToRobots)
        #expect(dev.hosts.map(\.description) == ["localhost"])
        #expect(dev.answeredHosts.map(\.description) == ["localhost", "open-uat.example.com"])
        #expect(dev.publicDirectory.path == "/etc/waymark/Pages")
    }

    @Test func `link tests`() {
        let expectations = site.expectations
        #expect(expectations.map(\.environment) == ["prod", "uat", "dev", "prod"])
        #expect(expectations.map(\.opens) == [["shop", "reader"], [], nil, nil])
        #expect(expectations.map(\.profile) == [nil, nil, "desktop-chrome", nil])
        #expect(expectations.map(\.gets?.status) == [nil, nil, 404, 308])
        #expect(expectations[3].gets?.location == "https://www.example.com/x")
    }

    @Test func `what is not said has a default`() throws {
        let fixture = try #require(Fixture.all.first { $0.name == "smallest.txt" })
        let (site, _) = Configuration.read(
            Array(fixture.input.utf8), file: "waymark.yaml", directory: ".")
        let dev = try #require(site?.environments.first)
        #expect(dev.publicDirectory.path == "Public")
        #expect(dev.openHost == nil)
        #expect(dev.acmeWebroot == nil)
        #expect(dev.httpsPort == nil)
        #expect(dev.unmatched == .notFound)
        #expect(!dev.isClosedToRobots)
        #expect(dev.tls == TLSPolicy(tickets: .automatic, refusesUnknownNames: false))
        #expect(dev.associations.assetlinks == nil)
        #expect(dev.associations.signing == nil)
    }

    @Test func `published apps are listed by the services that they ask for`() throws {
        let file = try #require(site.environment(named: "prod")?.associations.generated)
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
