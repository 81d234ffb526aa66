// Checks of a page's texts and images.

extension ReportItem {
    private static let openGraph = "ogp.me"
    private static let previewsNote = "Apple, TN3156"
    private static let search = "Apple, App Search validation; common practice"

    // MARK: Title and description

    static let pageTitle = ReportItem(
        "title", .title, asks: "One `<title>` with text.",
        fix: "put one <title> into the head: search results show it",
        source: "WHATWG HTML, “The title element”")
    static let titleLength = ReportItem(
        "title-length", .title, asks: "The title has 10 to 60 characters.",
        fix: "describe the page, and drop the site's name if the title is too long",
        source: search)
    static let ogTitle = ReportItem(
        "og-title", .title, asks: "One `og:title` with text.",
        fix: "add <meta property=\"og:title\" content=\"…\">", source: openGraph)
    static let ogTitleBrand = ReportItem(
        "og-title-brand", .title, asks: "`og:title` does not repeat the site's name.",
        fix: "write the site's name in og:site_name: previews show it on a separate line",
        source: previewsNote)

    static let titleItems = [pageTitle, titleLength, ogTitle, ogTitleBrand]

    static let metaDescription = ReportItem(
        "description", .description, asks: "One description with text.",
        fix: "add <meta name=\"description\" content=\"…\">",
        source: "WHATWG HTML, “Standard metadata names”")
    static let descriptionLength = ReportItem(
        "description-length", .description, asks: "The description has 50 to 160 characters.",
        fix: "describe the page in one or two sentences", source: search)
    static let ogDescription = ReportItem(
        "og-description", .description, asks: "One `og:description` with text.",
        fix: "add <meta property=\"og:description\" content=\"…\">", source: openGraph)

    static let descriptionItems = [metaDescription, descriptionLength, ogDescription]

    // MARK: Image

    private static let sharing = "Meta, “Sharing: Images”"

    static let image = ReportItem(
        "image", .image, asks: "An `og:image`.",
        fix: "add <meta property=\"og:image\" content=\"https://…\">, a picture of 1200×630",
        source: openGraph)
    static let imageAddress = ReportItem(
        "image-address", .image, asks: "Its address is absolute and https.",
        fix: "write the whole address; readers do not resolve it against the page",
        source: openGraph)
    static let imageServed = ReportItem(
        "image-served", .image, asks: "The image exists.",
        fix: "put the file at this URL", source: previewsNote)
    static let imageFormat = ReportItem(
        "image-format", .image, asks: "It is JPEG, PNG, GIF or WebP.",
        fix: "save it as JPEG or PNG: previews do not draw SVG, and few draw AVIF or HEIC",
        source: "X, “Summary Card with Large Image”")
    static let imageSize = ReportItem(
        "image-size", .image, asks: "It has at least 1200×630 pixels.",
        fix: "make it 1200×630: Messages wants 900 wide, Facebook 1200×630 for a large card",
        source: "\(previewsNote); \(sharing)")
    static let imageDimensions = ReportItem(
        "image-dimensions", .image,
        asks: "`og:image:width` and `og:image:height` are given and correct.",
        fix: "write the image's width and height: the first preview is drawn before the image "
            + "is loaded",
        source: sharing)
    static let imageBytes = ReportItem(
        "image-bytes", .image, asks: "The file has at most 600 KB.",
        fix: "compress it: WhatsApp takes 600 KB, X and LinkedIn 5 MB, Facebook 8 MB",
        source: "reports on WhatsApp's crawler; X; \(sharing)")
    static let imageAlternative = ReportItem(
        "image-alt", .image, asks: "`og:image:alt` describes it in at most 420 characters.",
        fix: "add <meta property=\"og:image:alt\" content=\"…\"> behind og:image",
        source: "\(openGraph); X, “Cards Markup”")
    static let imageOnce = ReportItem(
        "image-once", .image, asks: "There is one `og:image`.",
        fix: "keep one of 1200×630: some readers take the first, others the last",
        source: previewsNote)
    static let imageCaching = ReportItem(
        "image-caching", .image, asks: "The image can be cached for an hour, and has an ETag.",
        fix: "send Cache-Control: public, max-age=3600 and an ETag: one share causes many requests",
        source: "RFC 9111 §5.2.2")

    static let imageItems = [
        image, imageAddress, imageServed, imageFormat, imageSize, imageDimensions, imageBytes,
        imageAlternative, imageOnce, imageCaching,
    ]

    // MARK: Icons

    static let touchIcon = ReportItem(
        "touch-icon", .icons, asks: "A touch icon of at least 108 pixels; 180 are recommended.",
        fix: "add <link rel=\"apple-touch-icon\" href=\"…\">, a PNG of 180×180",
        source: previewsNote)
    static let favicon = ReportItem(
        "favicon", .icons, asks: "An icon that the page names, or /favicon.ico.",
        fix: "add <link rel=\"icon\" href=\"…\">; browsers ask for /favicon.ico without one",
        source: "WHATWG HTML, “Link type icon”")

    static let iconItems = [touchIcon, favicon]
}
