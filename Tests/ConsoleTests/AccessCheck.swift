import Markup

/// What of a page is lost for people who hear it, or go through it with keys: names, the order of headings, captions, labels,
/// and ways that lead nowhere (WCAG 2.2, 1.3.1, 2.4.3, 2.4.6, 3.3.1, 4.1.2).
struct AccessCheck {
    private(set) var faults = [String]()
    private var open = [(tag: HTMLTag, text: String)]()
    private var levels = [Int]()
    private var ids = Set<String>()
    private var labels = Set<String>()
    private var fields = [HTMLTag]()
    private var targets = [String]()
    private var mainCount = 0
    private var awaitsCaption = false

    private static let void: Set = ["meta", "input", "img", "br", "link", "hr"]
    /// The elements that nobody can use without a text.
    private static let named: Set = [
        "a", "button", "summary", "label", "legend", "caption", "th", "h1", "h2", "h3", "title",
    ]

    init(_ content: [UInt8]) {
        for token in HTMLTokenizer(content) {
            switch token.kind {
            case .startTag(let tag):
                begin(tag)
                if !Self.void.contains(tag.name), !tag.isSelfClosing { open.append((tag, "")) }
            case .endTag: end()
            case .text(let text): say(text)
            default: break
            }
        }
        for field in fields {
            let id = field["id"] ?? ""
            if !labels.contains(id) { fault("no label", field) }
        }
        for target in targets where !ids.contains(target) {
            faults.append("#\(target) leads nowhere")
        }
        for (before, level) in zip([0] + levels, levels) where level > before + 1 {
            faults.append("a heading of level \(level) follows one of \(before)")
        }
        if mainCount != 1 { faults.append("\(mainCount) main elements") }
    }

    private mutating func fault(_ words: String, _ tag: HTMLTag) {
        let attributes = tag.attributes.map { "\($0.name)=\($0.value)" }
        faults.append("\(words): \(tag.name) \(attributes.joined(separator: " "))")
    }

    private mutating func say(_ text: String) {
        for place in open.indices { open[place].text += text }
    }

    private func isNamed(_ tag: HTMLTag) -> Bool {
        tag["aria-label"]?.isEmpty == false || tag["aria-labelledby"] != nil
    }

    private mutating func begin(_ tag: HTMLTag) {
        if awaitsCaption, tag.name != "caption" { fault("no caption before", tag) }
        awaitsCaption = tag.name == "table"
        if let id = tag["id"] { ids.insert(id) }
        if let label = tag["for"] { labels.insert(label) }
        if let href = tag["href"], href.hasPrefix("#") { targets.append(String(href.dropFirst())) }
        if tag.name.count == 2, tag.name.hasPrefix("h"), let level = Int(tag.name.dropFirst()) {
            levels.append(level)
        }
        if Int(tag["tabindex"] ?? "0") ?? 1 > 0 { fault("an order of its own", tag) }
        if tag["aria-invalid"] != nil, tag["aria-describedby"] == nil { fault("no reason", tag) }
        switch tag.name {
        case "html": if tag["lang"]?.isEmpty != false { fault("no language", tag) }
        case "main": mainCount += 1
        case "input", "select", "textarea":
            let isInLabel = open.contains { $0.tag.name == "label" }
            if tag["type"] != "hidden", !isInLabel, !isNamed(tag) { fields.append(tag) }
        case "th": if tag["scope"] == nil { fault("no scope", tag) }
        case "img":
            if tag["alt"]?.isEmpty != false { fault("no alternative", tag) }
            say(tag["alt"] ?? "")
        case "iframe": if tag["title"]?.isEmpty != false { fault("no title", tag) }
        case "svg": if tag["aria-hidden"] != "true" { fault("it is not hidden", tag) }
        case "nav": if !isNamed(tag) { fault("no name", tag) }
        default: if tag["role"] == "region", !isNamed(tag) { fault("no name", tag) }
        }
    }

    private mutating func end() {
        guard let (tag, text) = open.popLast() else { return }
        let isThere = text.unicodeScalars.contains { !$0.properties.isWhitespace }
        if Self.named.contains(tag.name), !isThere, !isNamed(tag), tag["hidden"] == nil {
            fault("no text", tag)
        }
    }
}
