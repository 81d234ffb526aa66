private import Diagnostics
private import URISyntax

/// A template of the theme, and its tags. It is a subset of Mustache: tags that change escaping or
/// delimiters, and includes whose name is not constant, are refused.
struct Template: Sendable {
    let bytes: [UInt8]
    private(set) var tags = [TemplateTag]()
    private(set) var faults = [TemplateFault]()

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var index = 0
        while let start = position(of: UInt8(ascii: "{"), times: 2, from: index) {
            index = readTag(at: start)
        }
    }

    /// The position of a run of this many braces.
    private func position(of brace: UInt8, times: Int, from start: Int) -> Int? {
        var count = 0
        for index in start..<bytes.count {
            count = bytes[index] == brace ? count + 1 : 0
            if count == times { return index - times + 1 }
        }
        return nil
    }

    /// - Returns: the offset at which reading continues.
    private mutating func readTag(at start: Int) -> Int {
        let sign = start + 2 < bytes.count ? bytes[start + 2] : 0
        let isTriple = sign == UInt8(ascii: "{")
        let braces = isTriple ? 3 : 2
        guard let close = position(of: UInt8(ascii: "}"), times: braces, from: start + 2) else {
            let end = String(repeating: "}", count: braces)
            faults.append(TemplateFault(start, "this tag is not closed by \(quoted(end))"))
            return bytes.count
        }
        let end = close + braces
        guard let kind = kind(sign, at: start) else { return end }
        let from = start + (kind == .variable ? 2 : 3)
        let text = bytes[from..<Swift.max(from, close)]
        let name = String(decoding: text.filter { $0 != 0x20 }, as: UTF8.self)
        if kind != .comment, !isName(name, kind) { faults.append(nameFault(name, at: start)) }
        let line = kind.mayStandAlone ? line(around: start..<end) : nil
        tags.append(TemplateTag(kind: kind, name: name, range: start..<end, cut: line))
        return end
    }

    /// The line of a tag with its line end, if it contains only the tag and spaces.
    private func line(around tag: Range<Int>) -> Range<Int>? {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes[..<tag.lowerBound].lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        guard start == 0 || bytes[start - 1] == 0x0A else { return nil }
        var end = bytes[tag.upperBound...].firstIndex { !isBlank($0) } ?? bytes.count
        if end < bytes.count, bytes[end] == 0x0D { end += 1 }
        guard end < bytes.count else { return start..<bytes.count }
        return bytes[end] == 0x0A ? start..<end + 1 : nil
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
            refuse(start, "templates cannot choose how values are escaped")
        case UInt8(ascii: "="): refuse(start, "a template cannot choose other delimiters")
        case UInt8(ascii: "<"), UInt8(ascii: "$"):
            refuse(
                start, "templates do not inherit from each other",
                advice: "a file of the theme replaces the built-in template of its name")
        default: return .variable
        }
        return nil
    }

    private mutating func refuse(_ start: Int, _ message: String, advice: String? = nil) {
        faults.append(TemplateFault(start, message, advice: advice))
    }

    /// Letters, digits and hyphens in parts separated by full stops; `.` is the value of the
    /// current section.
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
                start, "\(quoted(name)) is a function; templates have no functions")
        }
        if name.utf8.first == UInt8(ascii: "*") {
            return TemplateFault(start, "the name of an included template must be constant")
        }
        return TemplateFault(
            start, name.isEmpty ? "this tag has no name" : "\(quoted(name)) is not a name",
            advice: "a name has letters, digits, hyphens and full stops")
    }
}
