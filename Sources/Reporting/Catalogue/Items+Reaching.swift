// Checks of whether a page is reachable: the response, robots.txt, and who may open it.

extension ReportItem {
    private static let previews = "Apple, TN3156"

    // MARK: Reachable

    static let status = ReportItem(
        "status", .reachable, asks: "The answer is 200, without a login.",
        fix: "answer 200 with the page; previews and search engines have no account",
        source: previews)
    static let redirects = ReportItem(
        "redirects", .reachable, asks: "At most one redirect, and none to another site.",
        fix: "link to the last address, or answer the first one with the page", source: previews)
    static let metaRefresh = ReportItem(
        "meta-refresh", .reachable, asks: "No redirect by `<meta http-equiv=\"refresh\">`.",
        fix: "redirect with a status code, or not at all: previews do not follow it",
        source: previews)
    static let https = ReportItem(
        "https", .reachable, asks: "The address is https.",
        fix: "link to https; no universal link is plain HTTP",
        source: "Apple, “Supporting associated domains”")
    static let contentType = ReportItem(
        "content-type", .reachable, asks: "The type is `text/html`.",
        fix: "send Content-Type: text/html; charset=utf-8", source: "WHATWG HTML")
    static let characterEncoding = ReportItem(
        "character-encoding", .reachable,
        asks: "The text is UTF-8, and says so in its first 1,024 bytes or in its type.",
        fix: "save as UTF-8 and put <meta charset=\"utf-8\"> first in the head",
        source: "WHATWG HTML, “Specifying the document's character encoding”")
    static let pageSize = ReportItem(
        "page-size", .reachable, asks: "At most 1 MB of HTML.",
        fix: "move scripts, styles and data into files of their own: Messages and Facebook read "
            + "no further", source: previews)
    static let headSize = ReportItem(
        "head-size", .reachable, asks: "At most 300 KB of head.",
        fix: "put the tags first, and styles and scripts into files: WhatsApp reads no further",
        source: "reports on WhatsApp's crawler")
    static let headIntact = ReportItem(
        "head-intact", .reachable,
        asks: "Nothing ends the head before the tags that previews and search engines read.",
        fix: "put the tags first in the head, and everything visible into the body",
        source: "WHATWG HTML, “Parsing HTML documents”")
    static let contentWithoutScript = ReportItem(
        "content-without-script", .reachable, asks: "There is text without running a script.",
        fix: "render the content on the server: previews run no scripts", source: previews)
    static let sameForPeople = ReportItem(
        "same-for-people", .reachable,
        asks: "People get the same title, description, address and tags as programs.",
        fix: "send the same head to people and programs: people's devices make previews, too",
        source: previews)
    static let compression = ReportItem(
        "compression", .reachable,
        asks: "A client that accepts only gzip and deflate gets no other coding.",
        fix: "choose the coding from Accept-Encoding: Facebook reads gzip and deflate alone",
        source: "Meta, “Sharing: Webmasters”")

    static let reachingItems = [
        status, redirects, metaRefresh, https, contentType, characterEncoding, pageSize, headSize,
        headIntact, contentWithoutScript, sameForPeople, compression,
    ]

    // MARK: Robots

    private static let applebot = "Apple, “About Applebot”"

    static let robotsFile = ReportItem(
        "robots-file", .robots, asks: "robots.txt is readable text of at most 500 KiB.",
        fix: "answer it with 200 or 404, as text: an answer of 5xx forbids everything",
        source: "RFC 9309 §2.3, §2.5")
    static let robotsApplebot = ReportItem(
        "robots-applebot", .robots, asks: "robots.txt lets Applebot fetch the page.",
        fix: "allow the path for Applebot; without a group of its own it obeys Googlebot's",
        source: applebot)
    static let robotsGooglebot = ReportItem(
        "robots-googlebot", .robots, asks: "robots.txt lets Googlebot fetch the page.",
        fix: "allow the path for Googlebot", source: "RFC 9309 §2.2")
    static let robotsWellKnown = ReportItem(
        "robots-well-known", .robots,
        asks: "robots.txt leaves the association files open, in closed environments too.",
        fix: "add Allow: /.well-known/ to each group", source: "Google Ads, “Fix common errors”")
    static let robotsResources = ReportItem(
        "robots-resources", .robots,
        asks: "robots.txt lets Applebot fetch the page's own scripts, styles and pictures.",
        fix: "allow them: Applebot renders the page", source: applebot)
    static let indexing = ReportItem(
        "indexing", .robots, asks: "No `noindex` where it is public; `noindex` where it is not.",
        fix: "remove noindex from the robots tag and from X-Robots-Tag", source: applebot)

    static let robotsItems = [
        robotsFile, robotsApplebot, robotsGooglebot, robotsWellKnown, robotsResources, indexing,
    ]

    // MARK: Universal links and App Links

    private static let domains = "Apple, “Supporting associated domains”"
    private static let assetLinks = "Google, “Digital Asset Links”"

    static let aasaServed = ReportItem(
        "aasa-served", .universalLinks,
        asks: "apple-app-site-association is answered with 200, as JSON, without a redirect.",
        fix: "answer /.well-known/apple-app-site-association before everything else",
        source: "Apple, TN3155")
    static let aasaValid = ReportItem(
        "aasa-valid", .universalLinks, asks: "apple-app-site-association has the right form.",
        fix: "run waymark lint, which reports all errors", source: domains)
    static let aasaMatch = ReportItem(
        "aasa-match", .universalLinks, asks: "A rule opens an app for this URL.",
        fix: "add a rule for the path; waymark match --verbose shows why each rule fails",
        source: domains)
    static let aasaCanonical = ReportItem(
        "aasa-canonical", .universalLinks,
        asks: "The canonical URL and `og:url`, which people share, open the same apps.",
        fix: "write a URL that the rules match, or add a rule for it", source: domains)

    static let universalLinkItems = [aasaServed, aasaValid, aasaMatch, aasaCanonical]

    static let assetlinksServed = ReportItem(
        "assetlinks-served", .appLinks,
        asks: "assetlinks.json is answered with 200, as JSON, without a redirect.",
        fix: "answer /.well-known/assetlinks.json with 200 and application/json",
        source: assetLinks)
    static let assetlinksValid = ReportItem(
        "assetlinks-valid", .appLinks, asks: "assetlinks.json has the right form.",
        fix: "run waymark lint, which reports all errors", source: assetLinks)
    static let assetlinksApp = ReportItem(
        "assetlinks-app", .appLinks, asks: "It lets the page's Android app open links.",
        fix: "add a statement with the package, its fingerprints and "
            + "delegate_permission/common.handle_all_urls", source: assetLinks)
    static let assetlinksPath = ReportItem(
        "assetlinks-path", .appLinks, asks: "Its dynamic rules, if any, match this address.",
        fix: "add a rule for the path, or remove dynamic_app_link_components",
        source: "Google, “Dynamic App Links”")

    static let appLinkItems = [assetlinksServed, assetlinksValid, assetlinksApp, assetlinksPath]
}
