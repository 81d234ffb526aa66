import Diagnostics

extension LinkPage {
    /// - Parameter languages: those of the site, of which its translations should be.
    init(_ value: Value, stars: Stars, languages: [String], into findings: inout Findings) {
        self.init(
            title: value["title"]?.text, description: value["description"]?.text,
            image: value["image"].flatMap(PageImage.init),
            schema: value["schema"].flatMap { PageSchema($0, into: &findings) })
        video = value["video"].flatMap(PageVideo.init)
        type = value["type"]?.text
        breadcrumbs = (value["breadcrumbs"]?.items ?? []).compactMap { item in
            item["name"]?.text.map { Breadcrumb(name: $0, url: item["url"]?.text) }
        }
        showsClipCard = value["clip"]?.text == "card"
        argument = value["argument"].flatMap { stars.template($0, into: &findings) }
        twitterCard = value["twitter-card"]?.text.flatMap(TwitterCard.init)
        isIndexed = value.flag("index") ?? true
        isInserted = value.flag("insert") ?? false
        positions = [String: SourcePosition](
            value.entries.map { ($0.key, $0.value.position) },
            uniquingKeysWith: { first, _ in first })
        for (tag, entry) in findings.byLanguage(value["translations"], among: languages) {
            translations[tag] = PageTranslation(
                title: entry.value["title"]?.text, description: entry.value["description"]?.text,
                alt: entry.value["alt"]?.text)
        }
    }
}

extension PageImage {
    fileprivate init?(_ value: Value) {
        guard let url = value.text ?? value["url"]?.text else { return nil }
        self.init(url)
        widthPixels = value["width"]?.number
        heightPixels = value["height"]?.number
        type = value["type"]?.text
        alt = value["alt"]?.text
    }
}

extension PageVideo {
    fileprivate init?(_ value: Value) {
        guard let url = value["url"]?.text else { return nil }
        self.init(url)
        widthPixels = value["width"]?.number
        heightPixels = value["height"]?.number
        type = value["type"]?.text
        duration = value["duration"]?.text
        uploaded = value["uploaded"]?.text
    }
}

extension PageSchema {
    fileprivate init?(_ value: Value, into findings: inout Findings) {
        guard value.isMapping else {
            guard let type = value.text else { return nil }
            self = .type(type)
            return
        }
        if !value.entries.isEmpty, value["@type"] == nil, value["@graph"] == nil {
            findings.error(
                .missingKey, at: value.position, "\"schema\" needs \"@type\" or \"@graph\"",
                advice: #"add one of them, such as "@type": "Product", in quotes"#)
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
        self = .whole(json)
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
