import Diagnostics

extension PageExamination {
    // MARK: Title

    var titleResults: [ItemResult] { [pageTitle, titleLength, ogTitle, ogTitleBrand] }

    private var pageTitle: ItemResult {
        let item = ReportItem.pageTitle
        guard let title = page.title else { return item.required("there is none") }
        guard !title.text.utf8.isEmpty else {
            return item.required("line \(title.line): it is empty")
        }
        guard page.titles.count == 1 else {
            return item.recommended("\(page.titles.count); the first counts, \(quoted(title.text))")
        }
        return item.pass(quoted(title.text))
    }

    private var titleLength: ItemResult {
        let item = ReportItem.titleLength
        guard let title = page.title, !title.text.utf8.isEmpty else {
            return item.notApplicable("there is no title")
        }
        return length(item, title.text, 10...60)
    }

    private func length(
        _ item: ReportItem, _ text: String, _ range: ClosedRange<Int>
    ) -> ItemResult {
        let count = characterCount(text)
        if range.contains(count) { return item.pass("\(count) characters") }
        return item.recommended(
            count < range.lowerBound
                ? "\(count) characters, should be \(range.lowerBound) or more"
                : "\(count) characters, about \(range.upperBound) are shown")
    }

    private var ogTitle: ItemResult { once(.ogTitle, "og:title") }

    /// The only tag of this name that has content.
    private func once(_ item: ReportItem, _ key: String) -> ItemResult {
        let tags = page.metas(key)
        guard let tag = tags.first(where: { !$0.content.utf8.isEmpty }) else {
            return item.recommended(tags.isEmpty ? "there is none" : "it is empty")
        }
        return tags.count == 1
            ? item.pass(quoted(tag.content))
            : item.recommended("\(tags.count); programs differ in which one they take")
    }

    private var ogTitleBrand: ItemResult {
        let item = ReportItem.ogTitleBrand
        guard let title = page.meta("og:title")?.content else {
            return item.notApplicable("there is no og:title")
        }
        guard let site = page.meta("og:site_name")?.content else {
            return item.notApplicable("there is no og:site_name to compare with")
        }
        return repeats(title, site)
            ? item.recommended("\(quoted(title)) repeats \(quoted(site))")
            : item.pass("\(quoted(site)) stands in og:site_name alone")
    }

    /// Whether the site's name begins or ends the title, parted from it by a dash, bar, colon or
    /// dot.
    private func repeats(_ title: String, _ site: String) -> Bool {
        let (words, name) = (scalars(title), scalars(site))
        guard !name.isEmpty, words.count > name.count else { return false }
        let isMark = { (scalar: Unicode.Scalar) in "-–—|:·•".unicodeScalars.contains(scalar) }
        let behind = words.dropFirst(name.count).first { $0 != " " }
        let before = words.dropLast(name.count).last { $0 != " " }
        return (words.starts(with: name) && behind.map(isMark) == true)
            || (words.suffix(name.count) == name[...] && before.map(isMark) == true)
    }

    private func scalars(_ text: String) -> [Unicode.Scalar] {
        Array(text.lowercased().unicodeScalars)
    }

    // MARK: Description

    var descriptionResults: [ItemResult] {
        [
            once(.metaDescription, "description"), descriptionLength,
            once(.ogDescription, "og:description"),
        ]
    }

    private var descriptionLength: ItemResult {
        let item = ReportItem.descriptionLength
        guard let text = page.meta("description")?.content else {
            return item.notApplicable("there is no description")
        }
        return length(item, collapsed(text), 50...160)
    }
}

/// The number of characters that people see: scalars without combining marks.
func characterCount(_ text: String) -> Int {
    text.unicodeScalars.count { scalar in
        scalar.isASCII
            || ![.nonspacingMark, .enclosingMark, .format].contains(
                scalar.properties.generalCategory)
    }
}
