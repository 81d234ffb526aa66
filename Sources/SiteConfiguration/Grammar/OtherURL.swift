private import URISyntax

/// Translates a URL from left to right.
struct OtherURL {
    private(set) var result = [UInt8]()
    private(set) var first: String?
    private(set) var isTranslated = true
    private let bytes: [UInt8]
    private var rest: ArraySlice<UInt8>
    private let hasPattern: Bool
    /// The names of the variable parts in the order of their stars; an empty one for a star.
    private var names: [String]

    init(_ url: String, _ pattern: String?, hasPattern: Bool) {
        bytes = Array(url.utf8)
        rest = bytes[...]
        self.hasPattern = hasPattern
        names = pattern.map(variableParts) ?? []
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return }
        result = Array(rest[...colon])
        rest = rest[(colon + 1)...]
    }

    mutating func read() {
        while let byte = rest.popFirst() {
            let start = rest.startIndex - 1
            switch byte {
            case UInt8(ascii: "*") where names.contains(""): take(star: "*\(start)", from: start)
            case UInt8(ascii: ":")
            where result.last.map("/=".utf8.contains) == true && rest.first?.isLetter == true:
                take(star: takeName(), from: start)
            case UInt8(ascii: "$"), UInt8(ascii: "\\"):
                if rest.first == UInt8(ascii: "{"), let name = takeBrackets(&rest) {
                    take(variable: name, from: start)
                } else if rest.first?.isDigit == true {
                    take(number: rest.removeFirst(), from: start)
                } else {
                    readVariable(byte, from: start)
                }
            case UInt8(ascii: "%") where rest.first == UInt8(ascii: "{"):
                if let name = takeBrackets(&rest) { take(variable: name, from: start) }
            case UInt8(ascii: "%")
            where rest.first?.isDigit == true && rest.dropFirst().first?.hexDigitValue == nil:
                take(number: rest.removeFirst(), from: start)
            case UInt8(ascii: "{"), UInt8(ascii: "<"):
                rest = bytes[start...]
                guard let name = takeBrackets(&rest) else { return isTranslated = false }
                let text = String(decoding: bytes[start..<rest.startIndex], as: UTF8.self)
                if let own = URLTemplate(valid: "https://a.example/\(text)") {
                    while names.count < own.starsNeeded { names.append("{\(names.count + 1)}") }
                    result += text.utf8
                } else {
                    take(variable: name, from: start)
                }
            default: result.append(byte)
            }
        }
    }

    /// Only what nginx calls so: a dollar sign is also ordinary text.
    private mutating func readVariable(_ byte: UInt8, from start: Int) {
        let name = takeName()
        if byte == UInt8(ascii: "$"),
            Self.nginxNames.contains(name) || name.utf8.starts(with: "arg_".utf8)
        {
            take(variable: Array(name.utf8)[...], from: start)
        } else {
            result += [byte] + name.utf8
        }
    }

    private static let nginxNames: Set = [
        "request_uri", "uri", "document_uri", "args", "query_string", "is_args", "host",
        "http_host", "server_name", "scheme",
    ]

    private mutating func takeName() -> String {
        let name = rest.prefix(while: isNameByte)
        rest = rest.dropFirst(name.count)
        return String(decoding: name, as: UTF8.self)
    }

    /// Takes the text that the star of a name matched.
    private mutating func take(star name: String, from start: Int) {
        let known = names.firstIndex(of: name) ?? names.firstIndex(of: "") ?? names.count
        if known == names.count { names.append(name) } else { names[known] = name }
        let value = hasPattern ? "{\(known + 1)}" : "{path}"
        take(value: known < 9 ? value : nil, from: start)
    }

    private mutating func take(number: UInt8, from start: Int) {
        take(value: hasPattern ? "{\(Unicode.Scalar(number))}" : "{path}", from: start)
    }

    private mutating func take(variable name: ArraySlice<UInt8>, from start: Int) {
        let text = String(decoding: name.filter { !"{} ".utf8.contains($0) }, as: UTF8.self)
            .lowercased()
        let isNginx = bytes[start] == UInt8(ascii: "$")
        switch text {
        case "request_uri" where bytes[start] != UInt8(ascii: "%"), "uri" where !isNginx:
            take(
                value: result.contains(UInt8(ascii: "?")) || rest.first == UInt8(ascii: "?")
                    ? "{path}" : "{path}?{query}", from: start)
        case "request_uri", "uri", "document_uri", "path": take(value: "{path}", from: start)
        case "args", "query_string": take(value: "{query}", from: start)
        case "is_args": take(value: "?", from: start)
        case "host", "http_host", "server_name", "scheme": take(value: nil, from: start)
        case _ where text.utf8.starts(with: "arg_".utf8):
            take(value: "{query.\(text.dropFirst(4))}", from: start)
        case _ where text.utf8.count == 1 && text.utf8.allSatisfy(\.isDigit):
            take(number: text.utf8.first ?? 0, from: start)
        case _ where !text.isEmpty && text.utf8.allSatisfy(isNameByte):
            take(star: text, from: start)
        default: take(value: nil, from: start)
        }
    }

    private mutating func take(value: String?, from start: Int) {
        first = first ?? String(decoding: bytes[start..<rest.startIndex], as: UTF8.self)
        guard let value else { return isTranslated = false }
        // The path has a slash of its own.
        let holdsSlash = value.utf8.starts(with: "{path}".utf8)
        if holdsSlash, result.last == UInt8(ascii: "/") { result.removeLast() }
        result += value.utf8
    }
}

/// The names of a pattern's variable parts in another syntax; an empty one for each star.
private func variableParts(of pattern: String) -> [String] {
    var names = [String]()
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.first {
        if "{<[(".utf8.contains(byte), let inner = takeBrackets(&rest) {
            names.append(String(decoding: inner.filter(isNameByte), as: UTF8.self))
            continue
        }
        rest.removeFirst()
        if byte == UInt8(ascii: "*") { names.append("") }
        if byte == UInt8(ascii: ":"), rest.first?.isLetter == true {
            names.append(String(decoding: rest.prefix(while: isNameByte), as: UTF8.self))
            rest = rest.drop(while: isNameByte)
            if rest.first == UInt8(ascii: "(") { _ = takeBrackets(&rest) }
        }
    }
    return names
}
