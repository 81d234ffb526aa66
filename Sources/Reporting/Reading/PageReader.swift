import Markup
import URISyntax

/// Collects the facts of a page from its tokens, one after the other.
struct PageReader {
    private let bytes: [UInt8]
    private var counted = 0
    private var line = 1
    private var position = Position.beforeHead
    /// The element whose text comes next.
    private var pending: String?
    private var templates = 0
    private var isInNoScript = false
    private var isDrawing = false

    private enum Position { case beforeHead, head, afterHead, body }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read(_ token: HTMLToken, into page: inout PageReading) {
        countLines(to: token.range.lowerBound)
        switch token.kind {
        case .startTag(let tag): start(tag, token.range, &page)
        case .endTag(let name): end(name, token.range, &page)
        case .text(let text): read(text, token.range, &page)
        case .comment, .doctype: break
        }
    }

    private mutating func countLines(to offset: Int) {
        while counted < offset {
            if bytes[counted] == UInt8(ascii: "\n") { line += 1 }
            counted += 1
        }
    }

    private mutating func start(_ tag: HTMLTag, _ range: Range<Int>, _ page: inout PageReading) {
        pending = nil
        if tag.name == "template" { templates += 1 }
        guard templates == 0 else { return }
        enter(tag.name, range, &page)
        pending = tag.name
        switch tag.name {
        case "html": if page.html == nil { page.html = PageTag(tag: tag, line: line) }
        case "base":
            if page.base == nil, tag["href"] != nil { page.base = PageTag(tag: tag, line: line) }
        case "title": if !isDrawing { page.titles.append(PageText(text: "", line: line)) }
        case "meta": page.take(tag, line, range.upperBound, isInHead: position != .body)
        case "link": page.links.append(PageTag(tag: tag, line: line))
        case "img": page.images.append(PageTag(tag: tag, line: line))
        case "script":
            if tag["src"] != nil { page.sources.append(PageTag(tag: tag, line: line)) }
            if isJSONLD(tag) { pending = "json" }
        case "iframe", "video", "audio", "source", "embed":
            if tag["src"] != nil { page.sources.append(PageTag(tag: tag, line: line)) }
        case "noscript": isInNoScript = true
        case "svg", "math": isDrawing = !tag.isSelfClosing
        case "h1", "h2", "h3", "h4", "h5", "h6":
            let level = Int(tag.name.utf8.last.map { $0 - 0x30 } ?? 1)
            page.headings.append(PageHeading(level: level, line: line))
        default: break
        }
        page.noteAddresses(of: tag, line)
        if tag["itemscope"] != nil { page.hasMicrodata = true }
    }

    private mutating func end(_ name: String, _ range: Range<Int>, _ page: inout PageReading) {
        pending = nil
        switch name {
        case "template": templates = max(0, templates - 1)
        case "noscript": isInNoScript = false
        case "svg", "math": isDrawing = false
        case "head" where position == .head || position == .beforeHead:
            position = .afterHead
            page.headBytes = range.lowerBound
        default: break
        }
    }

    private mutating func read(_ text: String, _ range: Range<Int>, _ page: inout PageReading) {
        guard templates == 0 else { return }
        defer { pending = nil }
        switch pending {
        case "title"? where !isDrawing:
            guard let title = page.titles.popLast() else { return }
            page.titles.append(PageText(text: collapsed(text), line: title.line))
        case "json"?: page.dataBlocks.append(PageText(text: text, line: line))
        case "script"?, "style"?, "title"?, "noframes"?: break
        default:
            let visible = text.utf8.count { !$0.isHTMLSpace }
            guard visible > 0 else { return }
            leaveHead(nil, range, &page)
            page.textBytes += visible
        }
    }

    /// Continues in the body if the element is not allowed in the head.
    private mutating func enter(_ name: String, _ range: Range<Int>, _ page: inout PageReading) {
        switch name {
        case "html": break
        case "head": if position == .beforeHead { position = .head }
        case "body", "frameset": leaveHead(name, range, &page)
        case "title", "base", "basefont", "bgsound", "link", "meta", "style", "script", "noscript",
            "template", "noframes":
            let mayStand = !isInNoScript || !["title", "base", "script"].contains(name)
            if mayStand {
                if position == .beforeHead { position = .head }
            } else {
                leaveHead(name, range, &page)
            }
        default: leaveHead(name, range, &page)
        }
    }

    private mutating func leaveHead(
        _ element: String?, _ range: Range<Int>, _ page: inout PageReading
    ) {
        guard position != .body else { return }
        if position == .head || position == .beforeHead {
            page.headBytes = range.lowerBound
            if element != "body", element != "frameset", position == .head {
                page.headEnd = HeadEnd(element: element, line: line, isInNoScript: isInNoScript)
            }
        }
        position = .body
    }

    private func isJSONLD(_ tag: HTMLTag) -> Bool {
        guard let type = tag["type"] else { return false }
        let essence = trimmed(String(decoding: type.utf8.prefix { $0 != 0x3B }, as: UTF8.self))
        return essence.lowercased() == "application/ld+json"
    }
}

extension PageReading {
    fileprivate mutating func take(_ tag: HTMLTag, _ line: Int, _ end: Int, isInHead: Bool) {
        let content = trimmed(tag["content"] ?? "")
        let isType = tag["http-equiv"]?.lowercased() == "content-type"
        if charset == nil, let name = tag["charset"] ?? (isType ? charsetName(content) : nil) {
            charset = (trimmed(name).lowercased(), end)
        }
        for kind in [MetaTag.Kind.name, .property, .equivalent] {
            guard let key = tag[kind.rawValue], !key.isEmpty else { continue }
            metas.append(
                MetaTag(
                    key: trimmed(key).lowercased().comparable, kind: kind, content: content,
                    line: line,
                    isInHead: isInHead))
        }
    }

    /// URLs that run code or contain a document, if people can follow them.
    fileprivate mutating func noteAddresses(of tag: HTMLTag, _ line: Int) {
        let name: String
        switch tag.name {
        case "a", "area": name = "href"
        case "form": name = "action"
        case "button", "input": name = "formaction"
        case "iframe": name = "src"
        default: return
        }
        guard let value = tag[name], isUnsafeAddress(value) else { return }
        unsafeAddresses.append(PageText(text: value, line: line))
    }
}

/// The text with each run of white space as one blank, none at its ends.
func collapsed(_ text: String) -> String {
    let words = text.utf8.split(whereSeparator: \.isHTMLSpace)
    return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
}
