/// A Swift file taken apart, so that a check can tell code from what is only said.
struct SwiftSource {
    let path: String
    /// The lines as they are written.
    let lines: [String]
    /// The same lines with comments, strings, regular expressions and raw identifiers blanked;
    /// what a string interpolates is code and stays.
    let code: [String]

    init(path: String, text: String) {
        self.path = path
        var scanner = SwiftScanner(text)
        scanner.scan()
        lines = scanner.lines { _ in true }
        code = scanner.lines { $0 == .code }
    }

    /// The directory below `Sources` or `Tests` that the file is in; empty outside both.
    var room: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 && ["Sources", "Tests"].contains(parts[0]) ? String(parts[1]) : ""
    }

    /// A finding for each line of `part` that `pattern` is in.
    func findings(
        of pattern: some RegexComponent, in part: KeyPath<SwiftSource, [String]>, _ fact: String
    ) -> [Finding] {
        self[keyPath: part].enumerated()
            .filter { $0.element.contains(pattern) }
            .map { Finding(path: path, line: $0.offset + 1, fact: fact) }
    }
}

/// Marks each byte of a Swift file as code, literal or comment. It knows nested comments, strings
/// of every form with what they interpolate, `#/…/#` and raw identifiers. It does not know the
/// bare `/…/`: telling one from a division needs a parser, so this repository writes the other.
struct SwiftScanner {
    enum Kind { case code, literal, comment }

    private let bytes: [UInt8]
    private var kinds: [Kind]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        kinds = Array(repeating: .code, count: bytes.count)
    }

    /// Each line with the bytes that are not of the wanted kinds replaced by spaces.
    func lines(of wanted: (Kind) -> Bool) -> [String] {
        var lines = [[UInt8]()]
        for (byte, kind) in zip(bytes, kinds) {
            if byte == UInt8(ascii: "\n") {
                lines.append([])
            } else {
                lines[lines.count - 1].append(wanted(kind) ? byte : UInt8(ascii: " "))
            }
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func scan() { scanCode(isInterpolation: false) }

    /// Reads code to the end of the file, or to the parenthesis that ends an interpolation.
    private mutating func scanCode(isInterpolation: Bool) {
        var depth = 0
        while index < bytes.count {
            if starts(with: "//") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { mark(.comment) }
            } else if starts(with: "/*") {
                scanBlockComment()
            } else if starts(with: "`") {
                mark(.literal)
                while index < bytes.count, !starts(with: "`") { mark(.literal) }
                mark(.literal)
            } else if let delimiter = Delimiter(at: index, of: bytes) {
                scanLiteral(delimiter)
            } else {
                if starts(with: "(") { depth += 1 }
                if starts(with: ")") { depth -= 1 }
                if isInterpolation, depth < 0 { return }
                index += 1
            }
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                mark(.comment, 2)
            } else if starts(with: "*/") {
                depth -= 1
                mark(.comment, 2)
            } else {
                mark(.comment)
            }
        } while depth > 0 && index < bytes.count
    }

    private mutating func scanLiteral(_ delimiter: Delimiter) {
        mark(.literal, delimiter.opening.utf8.count)
        while index < bytes.count {
            if starts(with: delimiter.closing) {
                mark(.literal, delimiter.closing.utf8.count)
                return
            }
            if !delimiter.spansLines, bytes[index] == UInt8(ascii: "\n") { return }
            if starts(with: delimiter.escape + "("), !delimiter.isRegex {
                mark(.literal, delimiter.escape.utf8.count + 1)
                scanCode(isInterpolation: true)
            } else if starts(with: delimiter.escape) {
                mark(.literal, delimiter.escape.utf8.count + 1)
            } else {
                mark(.literal)
            }
        }
    }

    private func starts(with text: String) -> Bool {
        bytes[index] == text.utf8.first && bytes[index...].starts(with: text.utf8)
    }

    private mutating func mark(_ kind: Kind, _ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            kinds[index] = kind
            index += 1
        }
    }
}

/// What a literal opens and closes with, and what escapes in it.
private struct Delimiter {
    let opening: String
    let closing: String
    let escape: String
    let spansLines: Bool
    let isRegex: Bool

    /// - Returns: nil where no literal begins.
    init?(at index: Int, of bytes: [UInt8]) {
        guard bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "#") else {
            return nil
        }
        let number = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
        let hashes = String(repeating: "#", count: number)
        let rest = bytes[(index + number)...]
        guard let mark = ["\"\"\"", "\"", "/"].first(where: { rest.starts(with: $0.utf8) }) else {
            return nil
        }
        isRegex = mark == "/"
        (opening, closing) = (hashes + mark, mark + hashes)
        escape = isRegex ? "\\" : "\\" + hashes
        spansLines = mark != "\""
    }
}
