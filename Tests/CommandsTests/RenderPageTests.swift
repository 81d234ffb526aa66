import Foundation
import Testing

@Suite("waymark render page")
struct RenderPageTests {
    private static let sha = Array(repeating: "A1", count: 32).joined(separator: ":")

    private func page(_ path: String, as client: String, publish: [String]) throws -> String {
        let text = """
            version: 1
            site: {name: Site, texts: {en: {open: "Open in {app}"}}}
            apps:
              apple:
                name: Fox
                ios: {id: ABCDE12345.com.example.shop, store: 412366298}
              google:
                name: Owl
                android: {package: com.example.shop, sha256: "\(Self.sha)"}
            links:
              both: {match: /both, web: landing}
              google-too: {match: /google, web: landing}
              nobody: {match: /nobody, web: landing}
            environments:
              dev:
                hosts: [localhost]
                open-host: open.example
                tls: {certificate: a, key: b}
                publish: {\(publish.joined(separator: ", "))}

            """
        return try withConfiguration(text) { file in
            try FileManager.default.createDirectory(
                at: URL(filePath: file).deletingLastPathComponent().appending(path: "Public"),
                withIntermediateDirectories: true)
            let outcome = try Program.run(
                "render", "page", "--config", file, "--env", "dev", "--as", client, "--url",
                "https://localhost\(path)")
            #expect(outcome.status == 0, "\(outcome.messages)")
            return outcome.output
        }
    }

    private static let apple = "apple: [both]"
    private static let google = "google: [both, google-too]"

    @Test(
        "beside an identifier stands the name of its app, whichever is published first",
        arguments: [[apple, google], [google, apple]])
    func namesBesideIdentifiers(_ publish: [String]) throws {
        let page = try page("/both", as: "applebot", publish: publish)
        for (name, value) in [
            ("property=\"al:ios:app_name\"", "Fox"), ("property=\"al:ipad:app_name\"", "Fox"),
            ("property=\"al:iphone:app_name\"", "Fox"), ("name=\"twitter:app:name:ipad\"", "Fox"),
            ("name=\"twitter:app:name:iphone\"", "Fox"),
            ("property=\"al:android:app_name\"", "Owl"),
            ("name=\"twitter:app:name:googleplay\"", "Owl"),
        ] {
            #expect(page.contains("<meta \(name) content=\"\(value)\">"), "\(name)")
        }
    }

    @Test(
        "people read the name of the app for their system, whichever is published first",
        arguments: [
            ("iphone-safari", "Fox", "Fox"), ("ipad-mobile", "Fox", "Fox"),
            ("android-chrome", "Owl", "Owl"), ("android-firefox", "Owl", "Owl"),
            // An iPad says to be a Mac; other computers have no app, and read the first's name.
            ("desktop-safari", "Fox", "Fox"), ("desktop-chrome", "Fox", "Owl"),
        ])
    func names(_ client: String, _ appleFirst: String, _ googleFirst: String) throws {
        for (publish, name) in [
            ([Self.apple, Self.google], appleFirst), ([Self.google, Self.apple], googleFirst),
        ] {
            let html = try page("/both", as: client, publish: publish)
            #expect(html.contains("<h1 class=\"title\" dir=\"auto\">\(name)</h1>"))
            // The name is there once, as the title.
            #expect(!html.contains("<p dir=\"auto\">") && !html.contains("<p>Fox"))
            let opens = client != "desktop-chrome"
            #expect(html.contains(">Open in \(name)</a>") == opens)
        }
    }

    @Test(
        "a computer is shown a code, and an app promised where a phone opens one",
        arguments: [("/both", true, true), ("/google", true, false), ("/nobody", false, false)])
    func codes(_ path: String, _ opens: Bool, _ isInAppStore: Bool) throws {
        for client in ["desktop-chrome", "desktop-safari"] {
            let html = try page(path, as: client, publish: [Self.apple, Self.google])
            #expect(html.contains("<svg class=\"qr\""))
            #expect(html.contains("in the app.") == opens)
            #expect(html.contains("Get it on the App Store") == isInAppStore)
            #expect(html.contains("Get it on Google Play") == opens)
            #expect(html.contains("No app that opens this link") == !opens)
        }
    }
}
