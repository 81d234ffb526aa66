// The keys of what pages say and show.

extension Shape {
    static let site = Shape(
        "site",
        [
            Key("name", .text(.text), "What people call the site."),
            Key("logo", .text(.image), "The organisation's logo: a public file or a URL."),
            Key("icon", .text(.publicFile), "A square PNG: touch icon, favicon, manifest."),
            Key("twitter", .text(.handle), "The site's account on X, with its @."),
            Key("same-as", .oneOrMore(.text(.url)), "The organisation's pages elsewhere."),
            Key(
                "languages", .oneOrMore(.text(.language)),
                "The languages of generated pages, the default first; en by default."),
            Key(
                "texts", .names(.language, of: .names(.word, of: .text(.text))),
                "Own words for generated pages, by language and by name."),
            Key("theme", .text(.path), "The directory of own templates and styles."),
            Key(
                "style", .names(.word, of: .text(.styleValue)),
                "Values of the pages' CSS variables: a colour, a length, names of fonts."),
            Key("badges", .object(badges), "The stores' official artwork."),
        ])

    static let badges = Shape(
        "badges",
        [
            Key("app-store", .text(.publicFile), "The App Store's badge, a public file."),
            Key("google-play", .text(.publicFile), "Google Play's badge, a public file."),
        ])

    static let page = Shape(
        "page",
        [
            Key("title", .text(.text), "The page's title, also in previews."),
            Key("description", .text(.prose), "A sentence or two, also in previews."),
            Key(
                "image", .either([.text(.image), .object(image)]),
                "A picture for previews: a public file or a URL, or what is known of it."),
            Key("video", .object(video), "The film that the page is about."),
            Key("type", .text(.openGraphType), "The page's type in Open Graph's words."),
            Key(
                "schema", .either([.text(.schemaType), .json]),
                "The page's type in schema.org's words, or all that is said in them: JSON-LD."),
            Key(
                "breadcrumbs", .list(of: .object(breadcrumb)),
                "The way to the page, from the top of the site."),
            Key("clip", .text(.choice("card")), "card: the App Clip is shown as a card."),
            Key(
                "argument", .text(.template),
                "What the app is told that the banner opens; the link itself by default."),
            Key(
                "twitter-card", .text(.choice("summary", "summary_large_image", "app", "player")),
                "The kind of card on X; summary_large_image by default if there is an image."),
            Key("index", .text(.flag), "Whether search engines may list it; true by default."),
            Key(
                "insert", .text(.flag),
                "Whether its markup goes into public HTML files that the link matches."),
            Key(
                "translations", .names(.language, of: .object(translation)),
                "Title and description in other languages."),
        ])

    static let image = Shape(
        "image",
        [
            Key("url", .text(.image), required: true, "A public file or a URL."),
            Key("width", .text(.pixels), "Its width in pixels."),
            Key("height", .text(.pixels), "Its height in pixels."),
            Key("type", .text(.imageType), "Its media type, such as image/jpeg."),
            Key("alt", .text(.text), "What it shows, for those who do not see it."),
        ])

    static let video = Shape(
        "video",
        [
            Key("url", .text(.image), required: true, "A public file or a URL."),
            Key("width", .text(.pixels), "Its width in pixels."),
            Key("height", .text(.pixels), "Its height in pixels."),
            Key("type", .text(.videoType), "Its media type, such as video/mp4."),
            Key("duration", .text(.duration), "How long it is, in ISO 8601: PT1M30S."),
            Key("uploaded", .text(.date), "When it was published, in ISO 8601: 2026-11-21."),
        ])

    static let breadcrumb = Shape(
        "breadcrumb",
        [
            Key("name", .text(.text), required: true, "What the step is called."),
            Key("url", .text(.image), "A path of the host, or a URL; the last needs none."),
        ])

    static let translation = Shape(
        "translation",
        [
            Key("title", .text(.text), "The title in this language."),
            Key("description", .text(.prose), "The description in this language."),
        ])
}
