import Foundation
import Pages
import Testing

@Suite("The head that a model makes")
struct HeadMarkupTests {
    @Test func `a model that has everything says it in order`() {
        let found = statements(HeadMarkup(fullModel()).bytes)
        #expect(
            found.dropLast() == [
                "title = A title", "description = About it", "canonical = https://e.com/a",
                "alternate de = https://e.com/de/a",
                "apple-itunes-app = app-id=412366298, app-argument=https://e.com/a",
                "icon = /icon.png", "apple-touch-icon = /touch.png",
                "manifest = /manifest.webmanifest",
                "og:type = video.other", "og:title = A title", "og:url = https://e.com/a",
                "og:site_name = Shop", "og:locale = en_US", "og:locale:alternate = de_DE",
                "og:description = About it", "og:image = https://e.com/i.jpg",
                "og:image:secure_url = https://e.com/i.jpg", "og:image:type = image/jpeg",
                "og:image:width = 1200", "og:image:height = 630", "og:image:alt = A picture",
                "og:video = https://e.com/v.mp4", "og:video:secure_url = https://e.com/v.mp4",
                "og:video:type = video/mp4", "og:video:width = 1280", "og:video:height = 720",
                "twitter:card = summary_large_image", "twitter:site = @shop",
                "twitter:image:alt = A picture", "twitter:app:name:iphone = Shop App",
                "twitter:app:id:iphone = 412366298", "twitter:app:url:iphone = https://e.com/a",
                "twitter:app:name:ipad = Shop App", "twitter:app:id:ipad = 412366298",
                "twitter:app:url:ipad = https://e.com/a", "twitter:app:name:googleplay = Shop App",
                "twitter:app:id:googleplay = com.e.shop",
                "twitter:app:url:googleplay = https://e.com/a", "al:ios:url = https://e.com/a",
                "al:ios:app_store_id = 412366298", "al:ios:app_name = Shop App",
                "al:iphone:url = https://e.com/a", "al:iphone:app_store_id = 412366298",
                "al:iphone:app_name = Shop App", "al:ipad:url = https://e.com/a",
                "al:ipad:app_store_id = 412366298", "al:ipad:app_name = Shop App",
                "al:android:package = com.e.shop", "al:android:url = https://e.com/a",
                "al:android:app_name = Shop App", "al:web:url = https://e.com/a",
            ])
        #expect(found.last?.hasPrefix("script = {") == true)
    }

    @Test func `a model that has a title alone leaves nothing empty behind`() {
        let model = PageModel(title: "T", url: "https://e.com/")
        #expect(
            statements(HeadMarkup(model).bytes) == [
                "title = T", "canonical = https://e.com/", "og:type = website", "og:title = T",
                "og:url = https://e.com/", "og:locale = en_US", "twitter:card = summary",
            ])
    }

    @Test func `what is not to be listed says so`() {
        var model = PageModel(title: "T", url: "https://e.com/")
        model.isIndexed = false
        #expect(statements(HeadMarkup(model).bytes).contains("robots = noindex"))
        model.isIndexed = true
        #expect(!statements(HeadMarkup(model).bytes).contains { $0.hasPrefix("robots") })
    }

    /// Its banner's content, for an app with this change.
    private func banner(_ change: (inout PageModel.App) -> Void) -> String? {
        var model = PageModel(title: "T", url: "https://e.com/a,b?c=d, e")
        var app = PageModel.App(name: "A")
        app.appStoreIdentifier = "1"
        change(&app)
        model.app = app
        let name = "apple-itunes-app = "
        let found = statements(HeadMarkup(model).bytes).filter { $0.hasPrefix(name) }
        #expect(found.count <= 1)
        return found.first.map { String($0.dropFirst(name.count)) }
    }

    @Test func `a comma in the banner separates parameters and nothing else`() {
        #expect(banner { _ in } == "app-id=1, app-argument=https://e.com/a%2Cb?c=d%2C%20e")
        let argument = "shop://x,app-clip-display=card"
        #expect(
            banner { ($0.scheme, $0.argument) = ("shop", argument) }
                == "app-id=1, app-argument=shop://x%2Capp-clip-display=card")
        #expect(banner { $0.argument = argument } == "app-id=1")
        #expect(banner { $0.appStoreIdentifier = "1, app-clip-display=card" } == nil)
        #expect(banner { $0.appStoreIdentifier = "" } == nil)
    }

    @Test func `the banner names an App Clip, and its card where asked`() {
        let page = "app-id=1, app-argument=https://e.com/, app-clip-bundle-id=com.e.Clip"
        func clip(_ identifier: String, card: Bool) -> String? {
            banner {
                $0.argument = "https://e.com/"
                $0.clip = .init(bundleIdentifier: identifier)
                $0.clip?.showsCard = card
            }
        }
        #expect(clip("com.e.Clip", card: false) == page)
        #expect(clip("com.e.Clip", card: true) == page + ", app-clip-display=card")
        #expect(clip("a, b", card: true) == "app-id=1, app-argument=https://e.com/")
    }

    @Test("only the app's own scheme names the app", arguments: ["shop://a", "SHOP://a", "shop:a"])
    func ownScheme(_ url: String) {
        var model = fullModel()
        model.app?.iosURL = url
        model.app?.androidURL = "other://a"
        let found = statements(HeadMarkup(model).bytes)
        #expect(found.contains("al:ios:url = \(url)"))
        #expect(found.contains("twitter:app:url:iphone = \(url)"))
        #expect(!found.contains { $0.contains("other:") })
        model.app?.scheme = "other"
        #expect(!statements(HeadMarkup(model).bytes).contains { $0.contains(url) })
    }

    @Test(
        "a language has a country in Open Graph",
        arguments: [
            ("de", "de_DE"), ("de-AT", "de_AT"), ("zh-Hant-TW", "zh_TW"), ("pt-br", "pt_BR"),
            ("he", "he_IL"), ("eo", nil), ("", nil), ("a<-'/", nil), ("de-AT\u{301}", nil),
        ])
    func locales(_ language: String, _ locale: String?) {
        var model = PageModel(title: "T", url: "https://e.com/")
        model.language = language
        let found = statements(HeadMarkup(model).bytes).first { $0.hasPrefix("og:locale") }
        #expect(found == locale.map { "og:locale = \($0)" })
    }

    @Test func `a head is short enough for readers with limits`() {
        #expect(HeadMarkup(fullModel()).bytes.count < 16_384)
    }
}
