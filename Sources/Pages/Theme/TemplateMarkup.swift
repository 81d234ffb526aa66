private import Diagnostics
internal import Markup

/// The context of each tag of a template in its markup. The template is read like a browser does,
/// with each tag replaced by letters. This is correct because a section ends in the context in
/// which it began, so the rest does not depend on whether it is shown.
struct TemplateMarkup {
    enum Position: Hashable {
        /// Between elements.
        case content
        /// In an element that contains only text, such as a title, by the start of its text.
        case text(from: Int)
        /// In a place where no value is allowed.
        case nowhere
        /// In the quoted value of an attribute.
        case attribute(element: String, name: String, value: Range<Int>)
    }

    /// In the order of the tags.
    private(set) var positions = [Position]()
    private(set) var faults = [TemplateFault]()
    /// The sources that the page's security policy must allow, and their bytes.
    private(set) var sources = [(offset: Int, bytes: Int)]()
    private let bytes: [UInt8]
    private let tags: [TemplateTag]

    init(_ bytes: [UInt8], _ tags: [TemplateTag]) {
        self.bytes = bytes
        var masked = bytes
        for tag in tags {
            for index in tag.range { masked[index] = UInt8(ascii: "x") }
        }
        // The text after the template must be content, too.
        masked.append(UInt8(ascii: "x"))
        let end = TemplateTag(kind: .comment, name: "", range: bytes.count..<bytes.count + 1)
        self.tags = tags + [end]
        read(masked)
        if positions.popLast() != .content {
            faults.append(TemplateFault(bytes.count, "the template ends within an element"))
        }
    }

    private mutating func read(_ masked: [UInt8]) {
        var element = ""
        for token in HTMLTokenizer(masked) {
            while positions.count < tags.count,
                tags[positions.count].range.lowerBound < token.range.upperBound
            {
                let tag = tags[positions.count]
                positions.append(position(of: tag, in: token, element))
            }
            if case .startTag(let tag) = token.kind {
                check(tag, at: token.range.lowerBound)
                element = tag.name
            } else {
                element = ""
            }
        }
        while positions.count < tags.count {
            positions.append(fault(tags[positions.count], "is in an unfinished tag"))
        }
    }

    private mutating func position(
        of tag: TemplateTag, in token: HTMLToken, _ element: String
    ) -> Position {
        guard tag.range.lowerBound >= token.range.lowerBound else {
            return fault(tag, "is in an unfinished tag")
        }
        switch token.kind {
        case .text:
            if ["title", "textarea"].contains(element) {
                return .text(from: token.range.lowerBound)
            }
            let isRaw = ["script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"]
                .contains(element)
            return isRaw
                ? fault(tag, "is in `\(element)`, where values cannot be escaped") : .content
        case .comment: return fault(tag, "is in a comment, which every visitor can read")
        case .startTag(let start):
            for attribute in start.attributes {
                guard let value = attribute.valueRange, value.lowerBound <= tag.range.lowerBound,
                    tag.range.upperBound <= value.upperBound
                else { continue }
                let quote = bytes[value.lowerBound - 1]
                guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                    return fault(tag, "is in an attribute without quotes")
                }
                return .attribute(element: start.name, name: attribute.name, value: value)
            }
            return fault(tag, "is neither in text nor in the value of an attribute")
        case .endTag, .doctype:
            return fault(tag, "is neither in text nor in the value of an attribute")
        }
    }

    private mutating func fault(_ tag: TemplateTag, _ fact: String) -> Position {
        // The letter at the template's end is not a tag.
        if tag.range.lowerBound < bytes.count {
            faults.append(TemplateFault(tag.range.lowerBound, "this tag \(fact)"))
        }
        return .nowhere
    }

    /// Checks what the page's policy would block, and collects what it must allow.
    private mutating func check(_ tag: HTMLTag, at offset: Int) {
        if tag.name == "script" || tag.name == "style" {
            sources.append((offset, SecurityPolicy.sourceBytes))
        }
        if tag.name == "img", let origin = tag["src"].flatMap({ PageURL($0) })?.origin {
            sources.append((offset, origin.utf8.count + 1))
        }
        let elements = ["base", "embed", "form", "frame", "frameset", "iframe", "object", "video"]
        if elements.contains(tag.name) || tag.name == "audio" { refuse(offset, "`\(tag.name)`") }
        if tag.name == "meta", tag["http-equiv"]?.lowercased() == "refresh" {
            faults.append(
                TemplateFault(
                    offset, "a page must not redirect by itself, as `refresh` does",
                    advice: "show a link that people can tap; previews do not follow a redirect"))
        }
        if tag.name == "script", tag["src"] != nil { refuse(offset, "a script of another file") }
        if tag.name == "link", tag.words("rel").contains("stylesheet") {
            faults.append(
                TemplateFault(
                    offset, "the page's security policy forbids styles of another file",
                    advice: "move them to style.css, which becomes part of the page"))
        }
        for attribute in tag.attributes {
            let isHandler = attribute.name.utf8.starts(with: "on".utf8)
            if isHandler || attribute.name == "style" || attribute.name == "srcdoc" {
                refuse(offset, "the attribute `\(attribute.name)`")
            }
            // Browsers ignore spaces and control characters there.
            let address = (tag[attribute.name] ?? "").utf8.filter { $0 > 0x20 }.prefix(11)
            if String(decoding: address, as: UTF8.self).lowercased() == "javascript:" {
                refuse(offset, "a `javascript:` address")
            }
        }
    }

    private mutating func refuse(_ offset: Int, _ what: String) {
        faults.append(TemplateFault(offset, "the page's security policy forbids \(what)"))
    }
}
