import JSONSyntax
import Markup

/// HTML: every byte belongs to one token at most, in order; and a text that is written into a page
/// is read back as itself, whatever it holds.
@Sendable func readMarkup(_ bytes: [UInt8]) {
    var end = 0
    for token in HTMLTokenizer(bytes) {
        require(token.range.lowerBound >= end && !token.range.isEmpty, "\(token) begins early")
        end = token.range.upperBound
    }
    require(end <= bytes.count, "a token ends behind the text")

    let text = String(decoding: bytes, as: UTF8.self)
    var page = MarkupWriter()
    page.raw("<p")
    page.attribute("title", text)
    page.raw(">")
    page.text(text)
    page.raw("</p>")
    let clean = cleaned(text)
    var kinds = HTMLTokenizer(page.bytes).map(\.kind)
    guard case .startTag(let tag)? = kinds.first, tag.name == "p", tag.attributes.count == 1 else {
        preconditionFailure("\(kinds)")
    }
    require(tag.attributes[0].name == "title" && tag.attributes[0].value == clean, "\(tag)")
    var wanted: [HTMLToken.Kind] = clean.isEmpty ? [] : [.text(clean)]
    wanted.append(.endTag("p"))
    require(Array(kinds.dropFirst()) == wanted, "\(page.bytes)")

    var script = MarkupWriter()
    script.raw("<script>")
    script.jsonString(text)
    script.raw("</script>")
    kinds = HTMLTokenizer(script.bytes).map(\.kind)
    guard kinds.count == 3, case .text(let json) = kinds[1] else {
        preconditionFailure("\(kinds)")
    }
    let document = JSONDocument(Array(json.utf8), file: "script")
    require(document.isValid, json)
    require(document.root?.text.map { Array($0.utf8) } == Array(text.utf8), json)
}

/// What a page can hold of a text: no controls but tabs and line feeds.
private func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x0D: scalars.append("\n")
        case 0x0A where wasReturn: break
        case 0x09, 0x0A: scalars.append(scalar)
        case 0..<0x20, 0x7F...0x9F: scalars.append("\u{FFFD}")
        default: scalars.append(scalar)
        }
        wasReturn = scalar == "\r"
    }
    return String(scalars)
}
