private import Diagnostics
private import URISyntax

/// Finds the tags of a template. It is stricter than Mustache: what changes how values are escaped,
/// how tags are written, or what is included while a page is written, is refused.
struct TemplateScanner {
    private(set) var tags = [TemplateTag]()
    private(set) var faults = [TemplateFault]()
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var index = 0
        while let start = place(of: "{{", from: index) { index = readTag(at: start) }
        if let stray = place(of: "\u{E000}", from: 0) ?? place(of: "\u{E001}", from: 0) {
            faults.append(
                TemplateFault(stray, "U+E000 and U+E001 cannot stand in a template"))
        }
    }

    private func place(of text: StaticString, from start: Int) -> Int? {
        let wanted = Array(text.description.utf8)
        guard bytes.count - start >= wanted.count else { return nil }
        return (start...bytes.count - wanted.count).first {
            bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }

    /// - Returns: where to go on.
    private mutating func readTag(at start: Int) -> Int {
        let sign = start + 2 < bytes.count ? bytes[start + 2] : 0
        let isTriple = sign == UInt8(ascii: "{")
        guard let close = place(of: isTriple ? "}}}" : "}}", from: start + 2) else {
            let end = isTriple ? "}}}" : "}}"
            faults.append(TemplateFault(start, "this tag has no end \(quoted(end))"))
            return bytes.count
        }
        let end = close + (isTriple ? 3 : 2)
        guard let kind = kind(sign, at: start) else { return end }
        let from = start + (kind == .variable ? 2 : 3)
        let text = bytes[from..<Swift.max(from, close)]
        let name = String(decoding: text.filter { $0 != 0x20 }, as: UTF8.self)
        if kind != .comment, !isName(name, kind) { faults.append(nameFault(name, at: start)) }
        tags.append(TemplateTag(kind: kind, name: name, range: start..<end))
        return end
    }

    private mutating func kind(_ sign: UInt8, at start: Int) -> TemplateTag.Kind? {
        switch sign {
        case UInt8(ascii: "#"): return .section
        case UInt8(ascii: "^"): return .inverted
        case UInt8(ascii: "/"): return .end
        case UInt8(ascii: ">"): return .partial
        case UInt8(ascii: "!"): return .comment
        case UInt8(ascii: "{"), UInt8(ascii: "&"): return .unescaped
        case UInt8(ascii: "%"):
            refuse(start, "a template cannot choose how its values are escaped")
        case UInt8(ascii: "="): refuse(start, "a template cannot choose other delimiters")
        case UInt8(ascii: "<"), UInt8(ascii: "$"):
            refuse(
                start, "templates do not inherit from each other",
                advice: "a file of the theme replaces the built-in part of its name")
        default: return .variable
        }
        return nil
    }

    private mutating func refuse(_ start: Int, _ message: String, advice: String? = nil) {
        faults.append(TemplateFault(start, message, advice: advice))
    }

    /// Letters, digits and hyphens in parts with a full stop between them; `.` is the value of the
    /// section that one is in.
    private func isName(_ name: String, _ kind: TemplateTag.Kind) -> Bool {
        if name == "." { return kind == .variable }
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            (part.first?.isLetter ?? false)
                && part.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        }
    }

    private func nameFault(_ name: String, at start: Int) -> TemplateFault {
        if name.utf8.contains(UInt8(ascii: "(")) {
            return TemplateFault(
                start, "\(quoted(name)) is a function, which templates have none of")
        }
        if name.utf8.first == UInt8(ascii: "*") {
            return TemplateFault(start, "what is included must be named in the template")
        }
        return TemplateFault(
            start, name.isEmpty ? "this tag has no name" : "\(quoted(name)) is no name",
            advice: "a name has letters, digits, hyphens and full stops")
    }
}
