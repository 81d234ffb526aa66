import Foundation
import SiteConfiguration
import Testing

/// The table of docs/pages.md: apps that open a link, stores, and systems.
@Suite("The ways on that a landing page has")
struct LandingWayTests {
    /// The apps that open a link, in the order in which they are published.
    enum Apps: String, CaseIterable {
        case none, dev, shop, google
        case devThenShop = "dev, shop"
        case devThenGoogle = "dev, google"
        case shopAndGoogle = "shop, google"

        var names: [String] { rawValue.components(separatedBy: ", ") }
    }

    private static let apps: [String: App] = {
        let text = """
            version: 1
            apps:
              dev: {name: Dev, ios: {id: ABCDE12345.com.example.dev}}
              shop: {name: Shop, ios: {id: ABCDE12345.com.example.shop, store: 412366298}}
              google:
                name: Robot
                android:
                  package: com.example.shop
                  sha256: "\(Array(repeating: "A1", count: 32).joined(separator: ":"))"
            links: {all: {match: /}}
            environments:
              e:
                hosts: e.example
                tls: {certificate: a, key: b}
                publish: {dev: all, shop: all, google: all}
            """
        let site = Configuration.read(Array(text.utf8), file: "f").configuration
        let all = site?.environments[0].sites[0].publications.map(\.app) ?? []
        return Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
    }()

    private func offered(_ apps: Apps) -> OfferedApps {
        OfferedApps(opening: apps.names.compactMap { Self.apps[$0] })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let apps: Apps
        let ios, android, desktop: [LandingWay]
        var testDescription: String { apps.rawValue }
    }

    /// Of a link without a page on the web, on a site with an `open-host`.
    static let rows = [
        Row(
            apps: .none, ios: [.sentence], android: [.sentence], desktop: [.code, .sentence]),
        Row(
            apps: .dev, ios: [.open, .sentence], android: [.sentence],
            desktop: [.code, .sentence]),
        Row(
            apps: .shop, ios: [.open, .appStore], android: [.sentence],
            desktop: [.appStore, .code]),
        Row(
            apps: .google, ios: [.sentence], android: [.open, .googlePlay],
            desktop: [.googlePlay, .code]),
        Row(
            apps: .devThenShop, ios: [.open, .appStore], android: [.sentence],
            desktop: [.appStore, .code]),
        Row(
            apps: .devThenGoogle, ios: [.open, .sentence], android: [.open, .googlePlay],
            desktop: [.googlePlay, .code]),
        Row(
            apps: .shopAndGoogle, ios: [.open, .appStore], android: [.open, .googlePlay],
            desktop: [.appStore, .googlePlay, .code]),
    ]

    @Test("each system gets the apps that open the link, or a sentence", arguments: rows)
    func table(_ row: Row) {
        let apps = offered(row.apps)
        for (platform, ways) in [
            (WebPlatform.ios, row.ios), (.ipad, row.ios), (.android, row.android),
            (.desktop, row.desktop),
        ] {
            var situation = LandingSituation(platform)
            #expect(apps.ways(in: situation) == ways)
            // With a page on the web nobody needs the sentence.
            situation.hasWeb = true
            let known = ways.filter { $0 != .sentence }
            let withWeb = apps.ways(in: situation)
            #expect(Set(withWeb) == Set(known + [.web]))
            #expect(platform != .desktop || withWeb.first == .web)
            // The site is where the page leads in place of nowhere.
            (situation.hasWeb, situation.hasHome) = (false, true)
            let isStranded = ways.contains(.sentence)
            #expect(apps.ways(in: situation) == ways + (isStranded ? [.home] : []))
        }
    }

    @Test("all rows are there, and every page has a way on", arguments: Apps.allCases)
    func completeness(_ apps: Apps) {
        #expect(Self.rows.count { $0.apps == apps } == 1)
        for platform in WebPlatform.allCases {
            for bits in 0..<32 {
                var situation = LandingSituation(platform)
                situation.isInApp = bits & 1 != 0
                situation.canOpen = bits & 2 != 0
                situation.hasWeb = bits & 4 != 0
                situation.hasScheme = bits & 8 != 0
                situation.hasHome = bits & 16 != 0
                let ways = offered(apps).ways(in: situation)
                let leading: Set<LandingWay> = [.appStore, .googlePlay, .web, .sentence]
                #expect(!leading.isDisjoint(with: ways))
                #expect(Set(ways).count == ways.count)
                let isOpen = ways.contains(.open)
                #expect(!isOpen || situation.canOpen && platform != .desktop)
            }
        }
    }

    @Test func `in the browser of another app the advice is first, and the button last`() {
        var situation = LandingSituation(.ios)
        (situation.isInApp, situation.hasWeb) = (true, true)
        #expect(offered(.shop).ways(in: situation) == [.advice, .appStore, .web, .open])
        situation.hasWeb = false
        #expect(offered(.dev).ways(in: situation) == [.advice, .open, .sentence])
    }

    @Test func `without another host an iPhone cannot open the app, and its scheme can`() {
        var situation = LandingSituation(.ios)
        situation.canOpen = false
        #expect(offered(.shop).ways(in: situation) == [.appStore])
        situation.hasScheme = true
        #expect(offered(.shop).ways(in: situation) == [.appStore, .scheme])
        #expect(offered(.google).ways(in: situation) == [.sentence])
    }

    @Test func `a path that no link claims offers no app, only the site`() {
        for platform in WebPlatform.allCases {
            var situation = LandingSituation(platform)
            situation.isUnknown = true
            #expect(offered(.shopAndGoogle).ways(in: situation).isEmpty)
            situation.hasHome = true
            #expect(offered(.none).ways(in: situation) == [.home])
        }
    }

    @Test func `of several apps the one in the store is offered, by its name`() {
        #expect(offered(.devThenShop).apple?.name == "Shop")
        #expect(offered(.devThenShop).appStoreIdentifier == "412366298")
        #expect(offered(.dev).apple?.name == "Dev")
        #expect(offered(.dev).appStoreIdentifier == nil)
    }
}
