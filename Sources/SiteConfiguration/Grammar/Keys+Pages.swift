// The keys for the content of pages.

extension Shape {
    static let site = Shape(
        "site",
        [
            Key("name", .text(.text), "The site's name, as people know it."),
            Key(
                "url", .text(.pageAddress),
                "The site itself, where the logo of generated pages leads: a path or a URL."),
            Key("imprint", .text(.pageAddress), "The site's imprint: a path or a URL."),
            Key("privacy", .text(.pageAddress), "The site's privacy policy: a path or a URL."),
            Key("logo", .text(.image), "The organisation's logo: a public file or a URL."),
            Key("icon", .text(.publicFile), "A square PNG: touch icon, favicon, manifest."),
            Key("twitter", .text(.handle), "The site's account on X, with its @."),
            Key("same-as", .oneOrMore(.text(.url)), "The organisation's pages elsewhere."),
            Key(
                "languages", .oneOrMore(.text(.language)),
                "The languages of generated pages, the default first; en by default."),
            Key(
                "texts", .names(.language, of: .names(.word, of: .text(.text))),
                "Your own texts for generated pages, by language and by name."),
            Key("theme", .text(.path), "The directory of your own templates and styles."),
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
                "An image for previews: a public file, a URL, or a mapping with its properties."),
            Key("video", .object(video), "The page's video."),
            Key("type", .text(.openGraphType), "The page's Open Graph type."),
            Key(
                "schema", .either([.text(.schemaType), .json]),
                "The page's schema.org type, or a whole JSON-LD object."),
            Key(
                "breadcrumbs", .list(of: .object(breadcrumb)),
                "The steps to the page from the top of the site."),
            Key("clip", .text(.choice("card")), "card: show the App Clip as a card."),
            Key(
                "argument", .text(.template),
                "The URL that the banner passes to the app; the link itself by default."),
            Key(
                "twitter-card", .text(.choice("summary", "summary_large_image", "app", "player")),
                "The kind of card on X; summary_large_image by default if there is an image."),
            Key("index", .text(.flag), "Whether search engines may list it; true by default."),
            Key(
                "insert", .text(.flag),
                "Whether its tags are inserted into the public HTML files that the link matches."),
            Key(
                "translations", .names(.language, of: .object(translation)),
                "Title, description and the image's alternative text in other languages."),
        ])

    static let image = Shape(
        "image",
        [
            Key("url", .text(.image), required: true, "A public file or a URL."),
            Key("width", .text(.pixels), "Its width in pixels."),
            Key("height", .text(.pixels), "Its height in pixels."),
            Key("type", .text(.imageType), "Its media type, such as image/jpeg."),
            Key("alt", .text(.text), "Its alternative text."),
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
            Key("name", .text(.text), required: true, "The step's name."),
            Key("url", .text(.image), "A path of the host, or a URL; the last step needs none."),
        ])

    static let translation = Shape(
        "translation",
        [
            Key("title", .text(.text), "The title in this language."),
            Key("description", .text(.prose), "The description in this language."),
            Key("alt", .text(.text), "The image's alternative text in this language."),
        ])
}
