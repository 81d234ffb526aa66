// Checks of a page's structured data, URLs, previews, security and accessibility.

extension ReportItem {
    private static let schema = "schema.org; Google, “Structured data”"

    // MARK: Structured data

    static let jsonLD = ReportItem(
        "json-ld", .structuredData, asks: "There is JSON-LD, and all of it is JSON.",
        fix: "add <script type=\"application/ld+json\"> that describes the page",
        source: "JSON-LD 1.1, “Embedding JSON-LD in HTML Documents”")
    static let jsonLDContext = ReportItem(
        "json-ld-context", .structuredData,
        asks: "Its `@context` is schema.org, and every item has a type.",
        fix: "write \"@context\": \"https://schema.org\" and an \"@type\" for each item",
        source: schema)
    static let jsonLDRequired = ReportItem(
        "json-ld-required", .structuredData,
        asks: "Each item has the properties that its type requires.",
        fix: "add the missing properties; without them search results leave the item out",
        source: schema)
    static let jsonLDRecommended = ReportItem(
        "json-ld-recommended", .structuredData,
        asks: "Each item has the properties that search results also show.",
        fix: "add the missing properties", source: schema)
    static let jsonLDValues = ReportItem(
        "json-ld-values", .structuredData,
        asks:
            "Dates, durations, telephone numbers, countries, coordinates and prices have "
            + "the required form.",
        fix: "write the value in the required form", source: schema)
    static let resultActions = ReportItem(
        "result-actions", .structuredData,
        asks: "The properties that Apple shows as buttons and lines: call, directions, play, "
            + "offer, rating.",
        fix: "", source: "Apple, WWDC 2015 session 709")

    static let structuredDataItems = [
        jsonLD, jsonLDContext, jsonLDRequired, jsonLDRecommended, jsonLDValues, resultActions,
    ]

    // MARK: Canonical address and locale

    static let canonical = ReportItem(
        "canonical", .canonicalAndLocale, asks: "One canonical address, absolute and https.",
        fix: "add <link rel=\"canonical\" href=\"https://…\"> with this page's address",
        source: "RFC 6596")
    static let canonicalSelf = ReportItem(
        "canonical-self", .canonicalAndLocale, asks: "It is the page's own URL.",
        fix: "write this page's URL without tracking parameters", source: "RFC 6596")
    static let ogURL = ReportItem(
        "og-url", .canonicalAndLocale, asks: "`og:url` is the canonical address.",
        fix: "write the canonical address: likes and shares are counted by it", source: "ogp.me")
    static let ogLocale = ReportItem(
        "og-locale", .canonicalAndLocale,
        asks: "`og:locale`, where given, is `language_TERRITORY`, and the page's language.",
        fix: "write it like en_US, or leave it out", source: "ogp.me")
    static let languageAlternates = ReportItem(
        "language-alternates", .canonicalAndLocale,
        asks: "`hreflang` alternates have valid languages and addresses, and name this page too.",
        fix: "list every language on every page, including the page's own",
        source: "Google, “hreflang”")

    static let canonicalItems = [canonical, canonicalSelf, ogURL, ogLocale, languageAlternates]

    // MARK: Previews

    static let previewMessages = ReportItem(
        "preview-messages", .previews, asks: "Messages shows a title and a picture.",
        fix: "add og:title and og:image", source: "Apple, TN3156")
    static let previewSpotlight = ReportItem(
        "preview-spotlight", .previews, asks: "Search results show title, text and thumbnail.",
        fix: "add title, description and og:image", source: "Apple, WWDC 2015 session 709")
    static let previewFacebook = ReportItem(
        "preview-facebook", .previews,
        asks: "`og:title`, `og:type`, `og:image` and `og:url` are there, as properties.",
        fix: "add the four tags with property=\"og:…\"", source: "ogp.me")
    static let previewX = ReportItem(
        "preview-x", .previews, asks: "One `twitter:card` of a known kind.",
        fix: "add <meta name=\"twitter:card\" content=\"summary_large_image\">",
        source: "X, “Cards Markup”")

    static let previewItems = [previewMessages, previewSpotlight, previewFacebook, previewX]

    // MARK: Security and privacy

    private static let headers = "OWASP, “HTTP Headers Cheat Sheet”"

    static let contentSecurityPolicy = ReportItem(
        "content-security-policy", .security, asks: "A Content-Security-Policy.",
        fix: "send one that begins with default-src 'none' or 'self'", source: headers)
    static let noSniff = ReportItem(
        "nosniff", .security, asks: "`X-Content-Type-Options: nosniff`.",
        fix: "send X-Content-Type-Options: nosniff", source: headers)
    static let referrerPolicy = ReportItem(
        "referrer-policy", .security, asks: "A Referrer-Policy, as a field or a tag.",
        fix: "send Referrer-Policy: strict-origin-when-cross-origin, or a stricter one",
        source: headers)
    static let frameProtection = ReportItem(
        "frame-protection", .security, asks: "`frame-ancestors`, or X-Frame-Options.",
        fix: "add frame-ancestors 'none' to the Content-Security-Policy", source: headers)
    static let transportSecurity = ReportItem(
        "hsts", .security,
        asks: "`Strict-Transport-Security`, if the host is always served over https.",
        fix: "send Strict-Transport-Security: max-age=63072000 when all of the host is served "
            + "over https",
        source: "RFC 6797")
    static let echoedSecrets = ReportItem(
        "echoed-parameters", .security,
        asks: "No secret or tracking parameter in the URLs of the page's tags.",
        fix: "leave the query out of canonical, og:url, app-argument and the app tags",
        source: "OWASP, “Information exposure through query strings”")
    static let mixedContent = ReportItem(
        "mixed-content", .security, asks: "Nothing is loaded over plain HTTP.",
        fix: "load it over https: browsers block it", source: "W3C, “Mixed Content”")
    static let unsafeAddress = ReportItem(
        "unsafe-address", .security, asks: "No `javascript:`, `data:` or `vbscript:` address.",
        fix: "write an https address, or a button with a script of its own", source: headers)

    static let securityItems = [
        contentSecurityPolicy, noSniff, referrerPolicy, frameProtection, transportSecurity,
        echoedSecrets, mixedContent, unsafeAddress,
    ]

    // MARK: Accessibility

    private static let guidelines = "WCAG 2.2"

    static let language = ReportItem(
        "lang", .accessibility, asks: "`<html lang>` names the page's language.",
        fix: "write <html lang=\"en\">, or the page's language", source: "\(guidelines) §3.1.1")
    static let viewport = ReportItem(
        "viewport", .accessibility, asks: "There is a viewport tag.",
        fix: "add <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        source: "\(guidelines) §1.4.10")
    static let zoom = ReportItem(
        "zoom", .accessibility, asks: "The viewport lets people zoom.",
        fix: "remove user-scalable=no and a maximum-scale below 2", source: "\(guidelines) §1.4.4")
    static let alternatives = ReportItem(
        "image-alternatives", .accessibility, asks: "Every `<img>` has an `alt`.",
        fix: "add alt with a description of the image, or alt=\"\" if it is decorative",
        source: "\(guidelines) §1.1.1")
    static let headings = ReportItem(
        "headings", .accessibility, asks: "One `<h1>`, and no skipped level after it.",
        fix: "use one h1 for the page, h2 for its parts, and h3 for their parts",
        source: "\(guidelines) §1.3.1, §2.4.6")

    static let accessibilityItems = [language, viewport, zoom, alternatives, headings]
}
