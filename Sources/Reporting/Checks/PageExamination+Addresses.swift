import Associations
import Diagnostics
import URISyntax

extension PageExamination {
    var canonicalResults: [ItemResult] {
        [canonicalItem, canonicalSelf, ogURL, ogLocale, languageAlternates]
    }

    private var canonicalItem: ItemResult {
        let item = ReportItem.canonical
        let tags = page.links("canonical")
        guard let tag = tags.first else { return item.recommended("there is none") }
        guard tags.count == 1 else {
            let lines = tags.prefix(5).map { "\($0.line)" }.joined(separator: ", ")
            return item.required("\(tags.count), in lines \(lines): search engines drop them all")
        }
        let href = tag["href"] ?? ""
        guard let link = try? LinkURL(href) else {
            return item.recommended("\(quoted(href)) is not absolute")
        }
        return link.isSecure ? item.pass(quoted(href)) : item.recommended("\(quoted(href)) is http")
    }

    private var canonicalSelf: ItemResult {
        let item = ReportItem.canonicalSelf
        guard let canonical else { return item.notApplicable("there is no canonical address") }
        guard let url else { return item.notApplicable(Self.noAddress) }
        if canonical.pageAddress.isScalarwise(url.withoutTracking) {
            return item.pass(quoted(url.withoutTracking))
        }
        return item.recommended(
            "it is \(quoted(canonical.description)), this page \(quoted(url.withoutTracking))")
    }

    private var ogURL: ItemResult {
        let item = ReportItem.ogURL
        guard let meta = page.meta("og:url") else { return item.recommended("there is none") }
        let said = quoted(meta.content)
        guard let link = try? LinkURL(meta.content) else {
            return item.recommended("\(said) is not absolute")
        }
        guard let own = canonical?.pageAddress ?? url?.withoutTracking else {
            return item.pass(said)
        }
        return link.pageAddress.isScalarwise(own)
            ? item.pass(said) : item.recommended("it is \(said), the canonical \(quoted(own))")
    }

    private var ogLocale: ItemResult {
        let item = ReportItem.ogLocale
        guard let locale = page.meta("og:locale")?.content else {
            return item.notApplicable("not given: en_US is assumed")
        }
        let bytes = Array(locale.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        guard parts.count == 2, (2...3).contains(parts[0].count), parts[1].count == 2,
            parts[0].allSatisfy(\.isLowerCaseLetter), parts[1].allSatisfy(\.isUpperCaseLetter)
        else { return item.recommended("it is \(quoted(locale))") }
        guard let language = page.html?["lang"], !language.utf8.isEmpty else {
            return item.pass(quoted(locale))
        }
        let primary = language.lowercased().utf8.prefix { $0.isLetter }
        return primary.elementsEqual(parts[0])
            ? item.pass(quoted(locale))
            : item.recommended("it is \(quoted(locale)), the page's language \(quoted(language))")
    }

    private var languageAlternates: ItemResult {
        let item = ReportItem.languageAlternates
        let tags = page.links("alternate").filter { $0["hreflang"] != nil }
        guard !tags.isEmpty else { return item.notApplicable("there are none") }
        for tag in tags {
            let language = tag["hreflang"] ?? ""
            guard isLanguageTag(language) || language.lowercased() == "x-default" else {
                return item.recommended("line \(tag.line): hreflang is \(quoted(language))")
            }
            guard (try? LinkURL(tag["href"] ?? "")) != nil else {
                return item.recommended(
                    "line \(tag.line): \(quoted(tag["href"] ?? "")) is not absolute")
            }
        }
        let addresses = tags.compactMap { resolve($0["href"] ?? "", against: nil)?.pageAddress }
        guard let own = canonical?.pageAddress ?? url?.pageAddress else {
            return item.pass("\(tags.count)")
        }
        return addresses.contains(where: own.isScalarwise)
            ? item.pass("\(tags.count), this page among them; the others are not looked at")
            : item.recommended("\(tags.count), and this page is not among them")
    }
}

/// Whether the text has the form of a language tag (RFC 5646 §2.1).
func isLanguageTag(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let primary = parts.first, (2...8).contains(primary.count),
        primary.allSatisfy(\.isLetter)
    else { return false }
    return parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.count) && part.allSatisfy { $0.isLetter || $0.isDigit }
    }
}

/// Names of query items that only track visitors.
func isTracking(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.utf8.starts(with: "utm_".utf8)
        || ["fbclid", "gclid", "dclid", "msclkid", "igshid", "mc_cid", "mc_eid", "ref"]
            .contains(name)
}

extension LinkURL {
    /// The page's address without query items that only track.
    var withoutTracking: String {
        guard let query else { return pageAddress }
        let kept = query.utf8.split(separator: UInt8(ascii: "&")).filter { item in
            !isTracking(String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))
        }
        let bare = Substring(pageAddress).utf8.prefix { $0 != UInt8(ascii: "?") }
        let rest = kept.joined(separator: CollectionOfOne(UInt8(ascii: "&")))
        return String(decoding: bare, as: UTF8.self)
            + (kept.isEmpty ? "" : "?" + String(decoding: Array(rest), as: UTF8.self))
    }
}
