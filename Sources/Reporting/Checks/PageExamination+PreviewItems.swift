import Diagnostics

extension PageExamination {
    var previewResults: [ItemResult] {
        [previewMessages, previewSpotlight, previewFacebook, previewX]
    }

    private var hasTitle: Bool {
        page.meta("og:title") != nil || page.title?.text.utf8.isEmpty == false
    }

    private func parts(_ item: ReportItem, _ parts: [(name: String, isThere: Bool)]) -> ItemResult {
        let missing = parts.filter { !$0.isThere }.map(\.name)
        return missing.isEmpty
            ? item.pass(inWords(parts.map(\.name), "and"))
            : item.recommended("without \(inWords(missing, "and"))")
    }

    private var previewMessages: ItemResult {
        parts(.previewMessages, [("a title", hasTitle), ("a picture", picture != nil)])
    }

    private var previewSpotlight: ItemResult {
        let hasText = page.meta("description") != nil || page.meta("og:description") != nil
        return parts(
            .previewSpotlight,
            [("a title", hasTitle), ("a text", hasText), ("a thumbnail", picture != nil)])
    }

    private var previewFacebook: ItemResult {
        let keys = ["og:title", "og:type", "og:image", "og:url"]
        let missing = keys.filter { page.meta($0) == nil }
        guard missing.isEmpty else {
            return ReportItem.previewFacebook.recommended("without \(inWords(missing, "and"))")
        }
        if let tag = keys.compactMap({ page.meta($0) }).first(where: { $0.kind != .property }) {
            return ReportItem.previewFacebook.recommended(
                "line \(tag.line): \(tag.key) is a \(tag.kind.rawValue), and not read by all",
                fix: "write property=\"\(tag.key)\"")
        }
        return ReportItem.previewFacebook.pass(inWords(keys, "and"))
    }

    private var previewX: ItemResult {
        let item = ReportItem.previewX
        let tags = page.metas("twitter:card")
        guard let tag = tags.last else { return item.recommended("there is none") }
        let kinds = ["summary", "summary_large_image", "app", "player"]
        guard kinds.contains(tag.content) else {
            let meant = nearestName(to: tag.content, among: kinds)
            return item.required(
                "it is \(quoted(tag.content))", fix: meant.map { "did you mean \($0)?" })
        }
        return tags.count == 1
            ? item.pass(tag.content)
            : item.recommended("\(tags.count); the last counts, \(tag.content)")
    }
}
