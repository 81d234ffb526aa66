import Diagnostics

extension PageExamination {
    var accessibilityResults: [ItemResult] { [language, viewport, zoom, alternatives, headings] }

    private var language: ItemResult {
        let item = ReportItem.language
        guard let language = page.html?["lang"], !language.utf8.isEmpty else {
            return item.required("there is none")
        }
        return isLanguageTag(language)
            ? item.pass(quoted(language)) : item.required("\(quoted(language)) is no language")
    }

    private var viewport: ItemResult {
        page.meta("viewport").map { ReportItem.viewport.pass(quoted($0.content)) }
            ?? ReportItem.viewport.recommended("there is none")
    }

    private var zoom: ItemResult {
        let item = ReportItem.zoom
        guard let meta = page.meta("viewport") else {
            return item.pass("no viewport tag forbids it")
        }
        for part in meta.content.lowercased().utf8.split(whereSeparator: { ",;".utf8.contains($0) })
        {
            let words = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
                .map { trimmed(String(decoding: $0, as: UTF8.self)) }
            guard words.count == 2 else { continue }
            let isForbidden =
                words[0] == "user-scalable" && ["no", "0"].contains(words[1])
                || words[0] == "maximum-scale" && (Double(words[1]) ?? 10) < 2
            if isForbidden { return item.required(quoted(words.joined(separator: "="))) }
        }
        return item.pass("nothing forbids it")
    }

    private var alternatives: ItemResult {
        let item = ReportItem.alternatives
        guard !page.images.isEmpty else { return item.notApplicable("there is no <img>") }
        let bare = page.images.filter { $0["alt"] == nil }
        guard let first = bare.first else { return item.pass("all \(page.images.count) have one") }
        return item.required(
            "\(bare.count) of \(page.images.count) have none, line \(first.line) first")
    }

    private var headings: ItemResult {
        let item = ReportItem.headings
        let top = page.headings.filter { $0.level == 1 }
        guard top.count == 1 else {
            return item.recommended(top.isEmpty ? "there is no h1" : "there are \(top.count) h1")
        }
        for (before, next) in zip(page.headings, page.headings.dropFirst())
        where next.level > before.level + 1 {
            return item.recommended("line \(next.line): h\(next.level) follows h\(before.level)")
        }
        return item.pass("\(page.headings.count)")
    }
}
