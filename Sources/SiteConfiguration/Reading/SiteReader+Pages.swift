import Diagnostics
private import URISyntax

// The content of pages.

extension SiteReader {
    mutating func readPage(_ value: Value, stars: Stars) -> LinkPage {
        var page = LinkPage(
            title: value["title"]?.text, description: value["description"]?.text,
            image: value["image"].flatMap(readImage),
            schema: value["schema"].flatMap { readSchema($0) })
        page.video = value["video"].flatMap(readVideo)
        page.type = value["type"]?.text
        page.breadcrumbs = (value["breadcrumbs"]?.items ?? []).compactMap { item in
            item["name"]?.text.map { Breadcrumb(name: $0, url: item["url"]?.text) }
        }
        page.showsClipCard = value["clip"]?.text == "card"
        page.argument = value["argument"].flatMap { readTemplate($0, stars: stars) }
        page.twitterCard = value["twitter-card"]?.text.flatMap(TwitterCard.init)
        page.isIndexed = value.flag("index") ?? true
        page.isInserted = value.flag("insert") ?? false
        page.positions = [String: SourcePosition](
            value.entries.map { ($0.key, $0.value.position) },
            uniquingKeysWith: { first, _ in first })
        for entry in value["translations"]?.entries ?? [] {
            guard let tag = readLanguage(entry) else { continue }
            page.translations[tag] = PageTranslation(
                title: entry.value["title"]?.text, description: entry.value["description"]?.text,
                alt: entry.value["alt"]?.text)
        }
        return page
    }

    private func readImage(_ value: Value) -> PageImage? {
        guard let url = value.text ?? value["url"]?.text else { return nil }
        var image = PageImage(url)
        image.widthPixels = value["width"]?.number
        image.heightPixels = value["height"]?.number
        image.type = value["type"]?.text
        image.alt = value["alt"]?.text
        return image
    }

    private func readVideo(_ value: Value) -> PageVideo? {
        guard let url = value["url"]?.text else { return nil }
        var video = PageVideo(url)
        video.widthPixels = value["width"]?.number
        video.heightPixels = value["height"]?.number
        video.type = value["type"]?.text
        video.duration = value["duration"]?.text
        video.uploaded = value["uploaded"]?.text
        return video
    }

    private mutating func readSchema(_ value: Value) -> PageSchema? {
        guard value.isMapping else { return value.text.map(PageSchema.type) }
        if !value.entries.isEmpty, value["@type"] == nil, value["@graph"] == nil {
            findings.error(
                .missingKey, at: value.position, "\"schema\" needs \"@type\" or \"@graph\"",
                advice: "write keys that begin with @ in quotes")
        }
        guard case .object(let members) = value.json else { return nil }
        let context = ("@context", JSONText.string("https://schema.org"))
        let json = JSONText.object((value["@context"] == nil ? [context] : []) + members)
        let bytes = json.compact.utf8.count
        guard bytes <= ConfigurationLimits.schemaBytesMax else {
            findings.error(
                .tooMany, at: value.position,
                "\"schema\" has \(bytes) bytes as JSON, may have "
                    + "\(ConfigurationLimits.schemaBytesMax)")
            return nil
        }
        return .whole(json)
    }

    mutating func readPresentation(_ value: Value?) {
        guard let value else { return }
        presentation.name = value["name"]?.text
        presentation.url = value["url"]?.text
        presentation.imprint = value["imprint"]?.text
        presentation.privacy = value["privacy"]?.text
        presentation.logo = value["logo"]?.text
        presentation.icon = value["icon"]?.text
        presentation.twitter = value["twitter"]?.text
        presentation.sameAs = value["same-as"]?.items.compactMap(\.text) ?? []
        let languages = readLanguages(value["languages"])
        if !languages.isEmpty { presentation.languages = languages }
        for entry in value["texts"]?.entries ?? [] {
            guard let tag = readLanguage(entry) else { continue }
            presentation.texts[tag] = texts(entry.value)
            let positions = entry.value.entries.map { ($0.key, $0.position) }
            presentation.textPositions.merge(positions) { first, _ in first }
        }
        presentation.theme = reference(value["theme"])
        presentation.style = value["style"].map(texts) ?? [:]
        presentation.appStoreBadge = value["badges"]?["app-store"]?.text
        presentation.googlePlayBadge = value["badges"]?["google-play"]?.text
    }

    private mutating func readLanguages(_ value: Value?) -> [String] {
        var languages = [String]()
        for item in value?.items ?? [] {
            guard let tag = item.language else { continue }
            guard !languages.contains(tag) else {
                findings.error(
                    .duplicateName, at: item.position, "language \(quoted(tag)) is listed twice",
                    advice: "remove one")
                continue
            }
            languages.append(tag)
        }
        return languages
    }

    /// The tag of an entry's key.
    private mutating func readLanguage(_ entry: Value.Entry) -> String? {
        guard let tag = languageTag(entry.key) else { return nil }
        let languages = presentation.languages
        if !languages.contains(tag) {
            findings.warning(
                .unusedKey, at: entry.position,
                "the site's languages have no \(quoted(entry.key))",
                advice: "they are \(languages.joined(separator: ", ")); add it to "
                    + "`site.languages`")
        }
        return tag
    }

    private func texts(_ value: Value) -> [String: String] {
        let pairs = value.entries.compactMap { entry in entry.value.text.map { (entry.key, $0) } }
        return [String: String](pairs) { first, _ in first }
    }
}

extension Value {
    /// As JSON: an unquoted number, `true` or `false` in JSON's form has this type, and every other
    /// scalar is a string.
    fileprivate var json: JSONText {
        switch content {
        case .text("true", _) where isPlain: .boolean(true)
        case .text("false", _) where isPlain: .boolean(false)
        case .text(let text, _) where isPlain && isJSONNumber(text): .numeral(text)
        case .text(let text, _): .string(text)
        case .list(let items): .array(items.map(\.json))
        case .mapping(let entries): .object(entries.map { ($0.key, $0.value.json) })
        case .unset, .refused: .null
        }
    }
}
