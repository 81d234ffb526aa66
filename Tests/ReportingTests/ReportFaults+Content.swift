import Associations
import Reporting

extension ReportFault {
    private static let longTitle = String(repeating: "a long title ", count: 6)
    private static let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)

    static let content: [ReportFault] = [
        .init("title", .required, ("<title>Golden Lamb: seasonal cooking in Vienna</title>", "")),
        .init("title", .required, ("Golden Lamb: seasonal cooking in Vienna", " ")),
        .init("title", .recommended, ("</head>", "<title>Another</title></head>")),
        .init("title-length", .recommended, ("Golden Lamb: seasonal cooking in Vienna", "Lamb")),
        .init("title-length", .recommended, ("Golden Lamb: seasonal", longTitle)),
        .init(
            "og-title", .recommended, also: ["preview-facebook"],
            ("property=\"og:title\"", "property=\"x\"")),
        .init("og-title", .recommended, ("</head>", "<meta property=og:title content=B></head>")),
        .init(
            "og-title-brand", .recommended,
            ("content=\"Golden Lamb\"", "content=\"Golden Lamb – Table\"")),
        .init("description", .recommended, ("name=\"description\"", "name=\"x\"")),
        .init(
            "description-length", .recommended,
            (
                "Opening hours, menu and directions of the Golden Lamb, a family restaurant",
                "A restaurant"
            )),
        .init("og-description", .recommended, ("property=\"og:description\"", "property=\"x\"")),
        .init(
            "image", .required,
            also: ["clip-image", "preview-messages", "preview-spotlight", "preview-facebook"],
            ("property=\"og:image\"", "property=\"x\"")),
        .init(
            "image-address", .required,
            ("https://table.example/images/lamb.png\">", "/images/lamb.png\">")),
        .init("image-served", .required) {
            $0.resources["https://table.example/images/lamb.png"] = .some(nil)
        },
        .init("image-served", .required) { $0.picture(svg, type: "text/html") },
        .init("image-format", .required) { $0.picture(svg) },
        .init("image-format", .required) { $0.picture(Array("<!doctype html>".utf8)) },
        .init(
            "image-size", .recommended, ("width\" content=\"1200", "width\" content=\"1199")
        ) { $0.picture(png(1_199, 630)) },
        .init(
            "image-size", .required, ("width\" content=\"1200", "width\" content=\"100"),
            ("height\" content=\"630", "height\" content=\"100")
        ) { $0.picture(png(100, 100)) },
        .init(
            "image-dimensions", .recommended, ("width\" content=\"1200", "width\" content=\"1300")),
        .init("image-dimensions", .recommended, ("\"og:image:width\"", "\"x\"")),
        .init(
            "image-dimensions", .required, ("width\" content=\"1200", "width\" content=\"1200px")),
        .init("image-bytes", .recommended) { $0.picture(png(1_200, 630, bytes: 614_401)) },
        .init("image-bytes", .required) { $0.picture(png(1_200, 630, bytes: 5_242_881)) },
        .init("image-alt", .recommended, ("\"og:image:alt\"", "\"x\"")),
        .init(
            "image-once", .recommended,
            ("</head>", "<meta property=og:image content=https://table.example/b.png></head>")),
        .init("image-caching", .recommended) {
            $0.picture(png(1_200, 630), cache: "public, max-age=3599")
        },
        .init(
            "touch-icon", .recommended,
            ("<link rel=\"apple-touch-icon\" href=\"/images/icon.png\">", "")),
        .init(
            "touch-icon", .recommended,
            (
                "<link rel=\"apple-touch-icon\" href=\"/images/icon.png\">",
                "<link rel=apple-touch-icon sizes=57x57 href=/b.png>"
            )),
        .init("favicon", .recommended, ("<link rel=\"icon\" href=\"/images/icon.png\">", "")),
    ]

    private static let data = #"<script type="application/ld+json">"#

    static let meaning: [ReportFault] = [
        .init("json-ld", .recommended, (data, "<script type=\"text/plain\">")),
        .init(
            "json-ld", .required,
            ("\"servesCuisine\": \"Austrian\",", "\"servesCuisine\": \"Austrian\"")),
        .init("json-ld-context", .required, ("\"@context\": \"https://schema.org\",", "")),
        .init("json-ld-required", .required, ("      \"name\": \"Golden Lamb\",\n", "")),
        .init("json-ld-required", .required, ("\"position\": 1, ", "")),
        .init("json-ld-recommended", .recommended, ("\"servesCuisine\": \"Austrian\",", "")),
        .init("json-ld-values", .recommended, ("+43 1 5550123", "01 5550123")),
        .init("json-ld-values", .recommended, ("48.19862", "48.2")),
        .init(
            "json-ld-values", .recommended,
            ("\"addressCountry\": \"AT\"", "\"addressCountry\": \"Austria\"")),
        .init("canonical", .recommended, ("<link rel=\"canonical\" href=\"\(url)\">", "")),
        .init("canonical", .required, ("</head>", "<link rel=canonical href=\(url)></head>")),
        .init(
            "canonical", .recommended,
            ("\"canonical\" href=\"https://table.example/", "\"canonical\" href=\"/")),
        .init("canonical-self", .recommended) { $0.url = try? LinkURL(url + "?page=2") },
        .init(
            "og-url", .recommended,
            ("\"og:url\" content=\"\(url)", "\"og:url\" content=\"\(url)?page=2")),
        .init("og-locale", .recommended, ("content=\"en_US\"", "content=\"en-US\"")),
        .init("og-locale", .recommended, ("content=\"en_US\"", "content=\"de_AT\"")),
        .init("language-alternates", .recommended, ("hreflang=\"de\"", "hreflang=\"deutsch_at\"")),
        .init(
            "language-alternates", .recommended, ("href=\"https://table.example/de/", "href=\"/de/")
        ),
        .init("preview-facebook", .recommended, ("property=\"og:type\"", "property=\"x\"")),
        .init("preview-facebook", .recommended, ("property=\"og:type\"", "name=\"og:type\"")),
        .init("preview-x", .recommended, ("name=\"twitter:card\"", "name=\"x\"")),
        .init("preview-x", .required, ("summary_large_image", "summary_large")),
    ]

    static let care: [ReportFault] = [
        .init("content-security-policy", .recommended, also: ["frame-protection"]) {
            $0.answer(200, ["Content-Security-Policy": nil])
        },
        .init("nosniff", .recommended) { $0.answer(200, ["X-Content-Type-Options": "sniff"]) },
        .init("referrer-policy", .recommended, ("name=\"referrer\"", "name=\"x\"")),
        .init("frame-protection", .recommended) {
            $0.answer(200, ["Content-Security-Policy": "default-src 'none'"])
        },
        .init("hsts", .recommended) { $0.answer(200, ["Strict-Transport-Security": nil]) },
        .init(
            "echoed-parameters", .required,
            ("app-argument=\(url)", "app-argument=\(url)?access_token=1")),
        .init(
            "echoed-parameters", .recommended,
            ("\"al:ios:url\" content=\"\(url)", "\"al:ios:url\" content=\"\(url)?utm_source=x")),
        .init(
            "mixed-content", .required,
            ("</body>", "<script src=http://table.example/a.js></script></body>")),
        .init(
            "unsafe-address", .required, ("<a href=\"/\">", "<a href=\" java\nscript:alert(1)\">")),
        .init(
            "unsafe-address", .required, also: ["twitter-app"],
            ("content=\"table://places", "content=\"javascript:places")),
        .init("lang", .required, ("<html lang=\"en\"", "<html")),
        .init("lang", .required, ("<html lang=\"en\"", "<html lang=\"en_US\"")),
        .init("viewport", .recommended, ("<meta name=\"viewport\"", "<meta name=\"x\"")),
        .init("zoom", .required, ("initial-scale=1", "initial-scale=1, user-scalable=no")),
        .init("zoom", .required, ("initial-scale=1", "maximum-scale=1.9")),
        .init("image-alternatives", .required, ("alt=\"The dining room, laid for dinner\" ", "")),
        .init("headings", .recommended, ("<h2>Opening hours</h2>", "<h3>Opening hours</h3>")),
        .init("headings", .recommended, ("<h2>Opening hours</h2>", "<h1>Opening hours</h1>")),
    ]

    static let all = reachable + robots + associations + apps + content + meaning + care
}
