private import Markup

/// The tags in the head of a static page, and where the head ends.
struct StaticHead {
    /// The tags that it has, with the names of `HeadElement`.
    private(set) var names: Set<String> = []
    /// The types of its structured data.
    private(set) var types: Set<String> = []
    /// Whether it has `noindex`.
    private(set) var isNotIndexed = false
    /// The offset at which an element can be inserted: before the head's end, or before its first
    /// `noscript`, in which readers with and without scripts see different pages. Nil if the head
    /// has no end.
    private(set) var end: Int?

    init(_ html: [UInt8]) {
        // UTF-16, in which single bytes have no meaning.
        guard !html.starts(with: [0xFE, 0xFF]), !html.starts(with: [0xFF, 0xFE]) else { return }
        /// The script or similar element whose text comes next.
        var element: HTMLTag?
        /// The element whose content does not belong to the head, and how many of them are open.
        var (skipped, depth) = ("", 0)
        for token in HTMLTokenizer(html) {
            if depth > 0 {
                if case .startTag(let tag) = token.kind, tag.name == skipped { depth += 1 }
                if token.kind == .endTag(skipped) { depth -= 1 }
                continue
            }
            if case .text(let text) = token.kind, let tag = element {
                read(text, of: tag)
                continue
            }
            guard !endsHead(token) else {
                end = end ?? token.range.lowerBound
                return
            }
            element = nil
            guard case .startTag(let tag) = token.kind else { continue }
            read(tag)
            if hasText(tag) { element = tag }
            if tag.name == "noscript" { end = end ?? token.range.lowerBound }
            if tag.name == "noscript" || tag.name == "template" { (skipped, depth) = (tag.name, 1) }
        }
    }

    private mutating func read(_ tag: HTMLTag) {
        switch tag.name {
        case "title": names.insert("title")
        case "meta":
            guard let name = (tag["property"] ?? tag["name"])?.lowercased() else { return }
            names.insert(HeadElement.group(of: name))
            if name == "robots" {
                let words = words(tag["content"] ?? "")
                isNotIndexed = isNotIndexed || words.contains("noindex") || words.contains("none")
            }
        case "link":
            for relation in words(tag["rel"] ?? "") {
                let isTouchIcon = relation == "apple-touch-icon-precomposed"
                names.insert(
                    HeadElement.linkName(
                        isTouchIcon ? "apple-touch-icon" : relation, language: tag["hreflang"]))
            }
        default: break
        }
    }

    /// Reads the types of structured data, which may not be valid JSON.
    private mutating func read(_ text: String, of tag: HTMLTag) {
        guard tag.name == "script", words(tag["type"] ?? "") == ["application/ld+json"] else {
            return
        }
        // The strings of the text are every second piece, without escaped quotes.
        let pieces = text.utf8.split(
            separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        var index = 1
        while index + 2 < pieces.count {
            defer { index += 2 }
            guard Substring(pieces[index]) == "@type" else { continue }
            // One type, or a list of types up to its bracket.
            var between = pieces[index + 1]
            var value = index + 2
            let isList = between.contains(UInt8(ascii: "["))
            repeat {
                types.insert(String(Substring(pieces[value])))
                between = value + 1 < pieces.count ? pieces[value + 1] : Substring("]").utf8
                value += 2
            } while isList && value < pieces.count && !between.contains(UInt8(ascii: "]"))
        }
    }
}

/// Whether the head ends before this token (WHATWG HTML, "The "in head" insertion mode").
private func endsHead(_ token: HTMLToken) -> Bool {
    switch token.kind {
    case .startTag(let tag): !headElements.contains(tag.name)
    case .endTag(let name): ["head", "body", "html", "br"].contains(name)
    case .text(let text): !text.utf8.allSatisfy(\.isHTMLSpace)
    case .comment, .doctype: false
    }
}

private func hasText(_ tag: HTMLTag) -> Bool {
    ["title", "style", "script", "noframes"].contains(tag.name)
}

private let headElements: Set<String> = [
    "base", "basefont", "bgsound", "head", "html", "link", "meta", "noframes", "noscript",
    "script", "style", "template", "title",
]

/// The words of a list in lower case; commas also separate them.
private func words(_ text: String) -> [String] {
    text.utf8.split { $0.isHTMLSpace || $0 == UInt8(ascii: ",") }
        .map { String(Substring($0)).lowercased() }
}
