internal import Markup

/// Markup of literals, with texts of the console and values between them, which are escaped.
struct PageMarkup: ExpressibleByStringInterpolation {
    enum Part {
        case literal(MarkupLiteral)
        case words(ConsoleText, [String: String])
        case value(String)
        case link(PagePath, ConsoleText)
    }

    let parts: [Part]

    init(stringLiteral literal: String) {
        parts = [.literal(MarkupLiteral(stringLiteral: literal))]
    }
    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts = [Part]()

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            parts.append(.literal(MarkupLiteral(stringLiteral: literal)))
        }

        mutating func appendInterpolation(_ text: ConsoleText, _ values: [String: String] = [:]) {
            parts.append(.words(text, values))
        }

        mutating func appendInterpolation(_ value: String) { parts.append(.value(value)) }

        mutating func appendInterpolation(_ number: Int) { parts.append(.value("\(number)")) }

        mutating func appendInterpolation(link path: PagePath, _ text: ConsoleText) {
            parts.append(.link(path, text))
        }
    }
}

extension PageWriter {
    mutating func write(_ markup: PageMarkup) {
        for part in markup.parts {
            switch part {
            case .literal(let literal): raw(literal)
            case .words(let text, let values): words(text, values)
            case .value(let text): value(text)
            case .link(let path, let text): link(path, text)
            }
        }
    }
}
