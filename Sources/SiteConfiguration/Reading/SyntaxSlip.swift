import Diagnostics
import YAML

// The most probable mistakes behind a syntax error. libYAML reports where it stopped, which can be
// many lines after the mistake.

/// A mistake that was found in the text, with its own position.
struct SyntaxSlip {
    let mark: YAMLMark
    let fact: String
    let advice: String

    /// Nil if the text has no such mistake.
    init?(_ problem: String, _ context: YAMLError.Context?, at mark: YAMLMark, in text: [UInt8]) {
        // The parser stops some lines after the first mark.
        let lines = textLines(text, to: mark.line)
        if let index = lines.firstIndex(where: { isConflictMark($0.bytes[...]) }) {
            self.mark = YAMLMark(line: index + 1, column: 1)
            fact = "a merge conflict is not resolved here"
            advice = conflictAdvice
            return
        }
        let isOpen = context?.text == "while scanning a quoted scalar"
        if isOpen, problem == "found unexpected end of stream", let context {
            self.mark = context.mark
            fact = "this quote is never closed"
            advice = "close it on the line where the text ends"
            return
        }
        for (index, line) in lines.enumerated().reversed() {
            if let comment = line.foreignComment {
                self.mark = YAMLMark(line: index + 1, column: line.column(of: comment.offset))
                fact = "\(quoted(comment.start)) does not begin a comment"
                advice = "a comment begins with #"
                return
            }
            if index + 1 == mark.line, let quote = line.typographicQuote {
                self.mark = YAMLMark(line: index + 1, column: quote.column)
                fact = "\(quoted(String(quote.scalar))) is a curly quote, which YAML takes for text"
                advice = "write straight quotes: \""
                return
            }
            if let space = line.strangeSpace {
                self.mark = YAMLMark(line: index + 1, column: space.column)
                fact = strangeSpaceFact(space.scalar)
                advice = strangeSpaceAdvice
                return
            }
        }
        let index =
            switch problem {
            case "mapping values are not allowed in this context", "did not find expected key":
                lines.dropLast().lastIndex { !$0.isEmpty }
            case "could not find expected ':'": context.map { $0.mark.line - 1 }
            default: Int?.none
            }
        guard let index, index < lines.count, let key = lines[index].keyWithoutBlank else {
            return nil
        }
        self.mark = YAMLMark(line: index + 1, column: key.column)
        fact = "no blank follows the colon of \(quoted(key.name)), so the line is one text"
        advice = "write \(quoted("\(key.name): \(key.rest)"))"
    }
}

/// Advice on an error whose position is that of the mistake, or a line that may be the mistake's.
func syntaxAdvice(
    on problem: String, _ context: YAMLError.Context?, at mark: YAMLMark, in text: [UInt8]
) -> String? {
    // libYAML always has the same words for it.
    if problem == "mapping values are not allowed in this context" {
        return oddQuoteAdvice(text, to: mark.line)
            ?? "put a text that holds \": \" in quotes, or indent the line like its neighbours"
    }
    return advice(at: mark, in: text) ?? context.flatMap { advice(at: $0.mark, in: text) }
        ?? oddQuoteAdvice(text, to: mark.line) ?? context.flatMap(openAdvice)
}

/// On what was begun, and is not ended where the parser stopped.
private func openAdvice(on context: YAMLError.Context) -> String? {
    switch context.text {
    case "while parsing a flow sequence":
        "close the [ of line \(context.mark.line), or write a comma"
    case "while parsing a flow mapping":
        "close the { of line \(context.mark.line), or write a comma"
    case "while parsing a block mapping", "while parsing a block collection":
        "indent the line like the others that began in line \(context.mark.line)"
    default: nil
    }
}

/// According to the character at which the parser stopped.
private func advice(at mark: YAMLMark, in text: [UInt8]) -> String? {
    func scalar(_ column: Int) -> Unicode.Scalar? {
        ConfigurationText.scalar(at: mark.line, column, in: text)
    }
    guard let letter = scalar(mark.column) else { return nil }
    switch letter {
    case "\t": return "indent with spaces; YAML has no tabs there"
    case "*", "&", "!", "@", "`", "%", "|", ">":
        return "put a text that begins with \(quoted(String(letter))) in quotes"
    case "{":
        // A mapping or list that begins there has its own mistake within.
        guard mark.column > 1, let before = scalar(mark.column - 1),
            !"{[:,- ".unicodeScalars.contains(before)
        else { return nil }
        return "put a text that contains { or } in quotes"
    default: return nil
    }
}

/// A line with a double quote too few or too many, if there is exactly one.
private func oddQuoteAdvice(_ text: [UInt8], to last: Int) -> String? {
    let odd = textLines(text, to: last).enumerated().filter { !$0.element.hasPairedQuotes }
    guard odd.count == 1 else { return nil }
    return "line \(odd[0].offset + 1) has an odd number of double quotes"
}

// MARK: - Spaces

/// Spaces that look like a plain one or like nothing, and that YAML takes for letters.
func isStrangeSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80
        && (scalar.properties.generalCategory == .spaceSeparator
            || [0x200B, 0x2060, 0xFEFF].contains(scalar.value))
}

func strangeSpaceFact(_ scalar: Unicode.Scalar) -> String {
    let name = scalar.value == 0xA0 ? "a no-break space" : "an invisible character"
    return
        "\(name), U+\(hex(scalar.value, digits: 4)), stands here, which YAML does not take for a space"
}

let strangeSpaceAdvice = "replace it with a space"

// MARK: - Lines

/// The lines to that of a number, which is counted from 1.
private func textLines(_ text: [UInt8], to last: Int) -> [TextLine] {
    text.split(
        separator: UInt8(ascii: "\n"), maxSplits: last, omittingEmptySubsequences: false
    ).prefix(last).map(TextLine.init)
}
