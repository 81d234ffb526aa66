import Diagnostics

extension Presentation {
    /// Reads `site`.
    init(_ value: Value?, _ base: PathBase, into findings: inout Findings) {
        self.init()
        guard let value else { return }
        name = value["name"]?.text
        url = value["url"]?.text
        imprint = value["imprint"]?.text
        privacy = value["privacy"]?.text
        logo = value["logo"]?.text
        icon = value["icon"]?.text
        twitter = value["twitter"]?.text
        sameAs = value["same-as"]?.items.compactMap(\.text) ?? []
        let listed = findings.languages(value["languages"])
        if !listed.isEmpty { languages = listed }
        for (tag, entry) in findings.byLanguage(value["texts"], among: languages) {
            texts[tag] = entry.value.texts
            let positions = entry.value.entries.map { ($0.key, $0.position) }
            textPositions.merge(positions) { first, _ in first }
        }
        theme = base.reference(value["theme"])
        style = value["style"]?.texts ?? [:]
        appStoreBadge = value["badges"]?["app-store"]?.text
        googlePlayBadge = value["badges"]?["google-play"]?.text
    }
}

extension Findings {
    fileprivate mutating func languages(_ value: Value?) -> [String] {
        var languages = [String]()
        for item in value?.items ?? [] {
            guard let tag = item.language else { continue }
            guard !languages.contains(tag) else {
                error(
                    .duplicateName, at: item.position, "language \(quoted(tag)) is listed twice",
                    advice: "remove one")
                continue
            }
            languages.append(tag)
        }
        return languages
    }

    /// The entries of a mapping whose keys are languages, with their tags. Letter case distinguishes no languages (RFC 5646 §2.1.1).
    mutating func byLanguage(
        _ value: Value?, among languages: [String]
    ) -> [(tag: String, entry: Value.Entry)] {
        var keys = [String: String]()
        return (value?.entries ?? []).compactMap { entry in
            guard let tag = language(of: entry, among: languages) else { return nil }
            if let first = keys.updateValue(entry.key, forKey: tag) {
                error(
                    .duplicateKey, at: entry.position,
                    "\(quoted(entry.key)) is the same language as \(quoted(first))",
                    advice: "keep one of them")
            }
            return (tag, entry)
        }
    }

    /// The tag of an entry's key, with a warning if the site does not have the language.
    private mutating func language(of entry: Value.Entry, among languages: [String]) -> String? {
        guard let tag = languageTag(entry.key) else { return nil }
        if !languages.contains(tag) {
            warning(
                .unusedKey, at: entry.position,
                "the site's languages have no \(quoted(entry.key))",
                advice: "they are \(languages.joined(separator: ", ")); add it to `site.languages`")
        }
        return tag
    }
}

extension Value {
    fileprivate var texts: [String: String] {
        let pairs = entries.compactMap { entry in entry.value.text.map { (entry.key, $0) } }
        return [String: String](pairs) { first, _ in first }
    }
}
