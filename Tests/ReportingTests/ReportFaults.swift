import Associations
import Reporting

// One row for each way to fail an item.

extension ReportFault {
    static let url = ReportFixture.address

    static let reachable: [ReportFault] = [
        .init("status", .required) { $0.answer(404) },
        .init("status", .required) { $0.answer(401) },
        .init("redirects", .recommended) { $0.redirect(2) },
        .init(
            "meta-refresh", .required,
            ("<title>", "<meta http-equiv=Refresh content='0; url=/x'><title>")),
        .init("https", .required, also: ["aasa-match", "canonical-self"]) {
            $0.url = try? LinkURL("http://table.example/places/golden-lamb")
        },
        .init("content-type", .required) {
            $0.answer(200, ["Content-Type": "text/plain; charset=utf-8"])
        },
        .init("character-encoding", .required) {
            $0.answer(200, ["Content-Type": "text/html; charset=iso-8859-1"])
        },
        .init("character-encoding", .recommended, ("<meta charset=\"utf-8\">", "")) {
            $0.answer(200, ["Content-Type": "text/html"])
        },
        .init("character-encoding", .required, ("charset=\"utf-8\"", "charset=latin1")) {
            $0.answer(200, ["Content-Type": "text/html"])
        },
        .init(
            "character-encoding", .recommended,
            ("<meta charset", "<!--\(String(repeating: "-", count: 1_024))--><meta charset")
        ) {
            $0.answer(200, ["Content-Type": "text/html"])
        },
        .init(
            "page-size", .required,
            ("</body>", "<!--\(String(repeating: " ", count: 1_048_576))--></body>")),
        .init(
            "head-size", .recommended,
            ("</head>", "<style>\(String(repeating: " ", count: 307_200))</style></head>")),
        .init(
            "head-intact", .recommended, ("<link rel=\"icon\"", "<div></div><link rel=\"icon\""),
            (
                "<meta property=\"og:image:alt\"", "<p><meta property=\"og:image:alt\""
            )),
        .init(
            "content-without-script", .recommended, also: ["headings"],
            ("<header><p><a href=\"/\">Table</a></p></header>", ""), ("<h1>Golden Lamb</h1>", ""),
            ("<p>Seasonal cooking beside the Naschmarkt.</p>", ""),
            ("<h2>Opening hours</h2>", ""), ("<p>Friday, 17 to 23.</p>", ""),
            (">Call</a>", "></a>")),
        .init("same-for-people", .recommended) {
            let page = ReportFixture.page.replacing("\"Golden Lamb\"", with: "\"Silver Lamb\"")
            $0.counterpart = Counterpart(
                client: "iphone-safari", page: PageReading(Array(page.utf8), file: ""))
        },
        .init("compression", .required) { $0.encode("br") },
    ]

    static let robots: [ReportFault] = [
        .init(
            "robots-file", .required,
            also: ["robots-applebot", "robots-googlebot", "robots-well-known"]
        ) { $0.serve(\.robots, "", status: 503) },
        .init("robots-file", .required) { $0.serve(\.robots, "<!doctype html>") },
        .init("robots-applebot", .required) {
            $0.serve(
                \.robots,
                "User-agent: Applebot\nAllow: /images\nAllow: /style\nAllow: /.well\nDisallow: /")
        },
        .init("robots-googlebot", .required) {
            $0.serve(
                \.robots,
                "User-agent: Applebot\nDisallow:\nUser-agent: Googlebot\nDisallow: /places")
        },
        .init("robots-well-known", .required) {
            $0.serve(\.robots, "User-agent: *\nDisallow: /.well-known/")
        },
        .init("robots-resources", .recommended) {
            $0.serve(\.robots, "User-agent: *\nDisallow: /*.css$")
        },
        .init(
            "indexing", .required,
            ("<title>", "<meta name=robots content='nofollow, NOINDEX'><title>")),
        .init("indexing", .required) { $0.answer(200, ["X-Robots-Tag": "none"]) },
        .init("indexing", .required) { $0.know([ReportFixture.app()], isClosed: true) },
    ]

    static let associations: [ReportFault] = [
        .init("aasa-served", .required) { $0.serve(\.aasa, "", status: 404) },
        .init("aasa-served", .recommended) {
            $0.serve(\.aasa, ReportFixture.text("apple-app-site-association"), type: "text/plain")
        },
        .init("aasa-valid", .required) {
            $0.serve(
                \.aasa,
                ReportFixture.text("apple-app-site-association").replacing(
                    "\"appclips\": ", with: "\"applinkz\": [1,], \"appclips\": "))
        },
        .init("aasa-match", .required) {
            $0.serve(
                \.aasa,
                ReportFixture.text("apple-app-site-association")
                    .replacing("{\"/\": \"/places/*\"}", with: "{\"/\": \"/other/*\"}"))
        },
        .init("aasa-match", .required) {
            $0.serve(
                \.aasa,
                ReportFixture.text("apple-app-site-association")
                    .replacing("/places/*/menu", with: "/places/golden*"))
        },
        .init(
            "aasa-canonical", .recommended, also: ["canonical-self", "og-url", "al-web"],
            (
                "<link rel=\"canonical\" href=\"\(url)\"",
                "<link rel=\"canonical\" href=\"\(url)/menu\""
            ),
            (
                "<link rel=\"alternate\" hreflang=\"en\" href=\"\(url)\"",
                "<link rel=\"alternate\" hreflang=\"en\" href=\"\(url)/menu\""
            )),
        .init("assetlinks-served", .required) { $0.serve(\.assetlinks, "", status: 301) },
        .init("assetlinks-valid", .recommended) {
            $0.serve(
                \.assetlinks,
                ReportFixture.text("assetlinks.json").replacing("B7:2C:E9", with: "b7:2c:e9"))
        },
        .init("assetlinks-app", .required) {
            $0.serve(
                \.assetlinks,
                ReportFixture.text("assetlinks.json").replacing(
                    "example.table", with: "example.cable"))
        },
        .init("assetlinks-path", .required) {
            $0.serve(
                \.assetlinks,
                ReportFixture.text("assetlinks.json").replacing(
                    "\"target\"",
                    with: """
                        "relation_extensions": {"delegate_permission/common.handle_all_urls":
                        {"dynamic_app_link_components": [{"/": "/menus/*"}]}}, "target"
                        """))
        },
    ]

    private static let clip = ", app-clip-bundle-id=com.example.table.Clip, app-clip-display=card"

    static let apps: [ReportFault] = [
        .init(
            "banner-once", .recommended,
            ("<meta name=\"apple-itunes-app\"", "<meta name=\"itunes\"")),
        .init(
            "banner-once", .required,
            (
                "<title>",
                "<meta name=apple-itunes-app content=\"app-id=958625272, app-argument=\(url)"
                    + "\(clip)\"><title>"
            )),
        .init("banner-app-id", .required, ("app-id=958625272, ", ""), (clip, "")),
        .init(
            "banner-app-id", .required, also: ["ids-agree"],
            ("app-id=958625272, ", "app-id=com.example.table, ")),
        .init("banner-argument", .recommended, (", app-argument=\(url)", "")),
        .init(
            "banner-argument", .required,
            ("app-argument=https://table.example/", "app-argument=https://cable.example/")),
        .init("banner-argument", .required, ("app-argument=\(url)", "app-argument=/places")),
        .init("banner-argument", .recommended, ("app-argument=\(url)", "app-argument=table://x")),
        .init(
            "banner-parameters", .required, ("golden-lamb, app-clip", "golden-lamb?a=1,2, app-clip")
        ),
        .init("banner-parameters", .required, ("app-clip-display=card", "app-clip-display=card,")),
        .init("banner-parameters", .required, ("app-clip-display", "app-clip-dispaly")),
        .init("al-ios", .recommended, ("property=\"al:ios:app_name\"", "property=\"x\"")),
        .init("al-ios", .required, ("property=\"al:ios:url\"", "property=\"x\"")),
        .init(
            "al-ios", .required,
            ("\"al:ios:url\" content=\"https://table", "\"al:ios:url\" content=\"https://cable")),
        .init("al-android", .required, ("\"al:android:package\"", "\"x\"")),
        .init("al-android", .recommended, ("\"al:android:app_name\"", "\"x\"")),
        .init(
            "al-web", .recommended,
            ("\"al:web:url\" content=\"\(url)", "\"al:web:url\" content=\"\(url)/x")),
        .init(
            "al-web", .recommended,
            ("<title>", "<meta property=al:web:should_fallback content=false><title>")),
        .init("twitter-app", .recommended, ("\"twitter:app:url:iphone\"", "\"x\"")),
        .init(
            "twitter-app", .required, also: ["ids-agree"],
            (
                "\"twitter:app:id:iphone\" content=\"958625272",
                "\"twitter:app:id:iphone\" content=\"id958625272"
            )),
        .init(
            "ids-agree", .required,
            ("app_store_id\" content=\"958625272", "app_store_id\" content=\"958625273")),
        .init("ids-agree", .required) { $0.know([ReportFixture.app(store: "1")]) },
        .init(
            "ids-agree", .required, also: ["assetlinks-app"],
            ("googleplay\" content=\"com.example.table", "googleplay\" content=\"com.example.cable")
        ),
        .init(
            "clip-identifier", .required,
            ("bundle-id=com.", "bundle-id=W4X7K2M9QH.com.")),
        .init("clip-associated", .required, ("table.Clip", "table.Chip")),
        .init("clip-display", .required, ("app-clip-display=card", "app-clip-display=banner")),
        .init("clip-fallback", .recommended, ("app-id=958625272, ", "")),
    ]

    /// What leaves the page without a single tag that names an app.
    static let nothingOfApps = ReportFixture.page.split(separator: "\n").map(String.init).filter {
        $0.contains("apple-itunes-app") || $0.contains("\"al:") || $0.contains("twitter:app")
    }.map { ($0 + "\n", "") }
}
