private import URISyntax

/// A destination of another server in the form of a URL template, while its variables are filled in.
struct FilledDestination {
    private(set) var text = ""

    /// The destination of a `return` or `rewrite` of nginx; nil if a variable has no value.
    /// - Parameter values: of groups by number and name, and of variables.
    static func nginx(_ destination: String, _ values: [String: String]) -> String? {
        var result = FilledDestination()
        var rest = Array(destination.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                result.add(byte)
                continue
            }
            let isBraced = rest.first == UInt8(ascii: "{")
            if isBraced { rest = rest.dropFirst() }
            let isNumber = rest.first?.isDigit == true
            let name =
                isNumber
                ? rest.prefix(1)
                : rest.prefix { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
            rest = rest.dropFirst(name.count)
            if isBraced, rest.first == UInt8(ascii: "}") { rest = rest.dropFirst() }
            guard let value = value(of: String(decoding: name, as: UTF8.self), values),
                result.canAdd(value)
            else { return nil }
            result.text += value
        }
        return result.text
    }

    /// A query within a query is text there, and would be more items here.
    private func canAdd(_ value: String) -> Bool {
        let mark = UInt8(ascii: "?")
        return !value.utf8.contains(mark) || !text.utf8.contains(mark)
    }

    private static func value(of name: String, _ values: [String: String]) -> String? {
        if let value = values[name] { return value }
        let item = name.utf8.dropFirst("arg_".utf8.count)
        guard name.utf8.starts(with: "arg_".utf8), !item.isEmpty else { return nil }
        return "{query.\(String(decoding: item, as: UTF8.self))}"
    }

    /// The destination of a rule of Apache; nil if it uses a value that a request has no equal of.
    /// - Parameters:
    ///   - values: of groups by number, those of conditions behind a percent sign, and of server
    ///     variables such as `REQUEST_URI`.
    ///   - isEscaped: whether the server escapes the text of the rule, too.
    ///   - isRewrite: whether it is of mod_rewrite.
    static func apache(
        _ destination: String, _ values: [String: String], isEscaped: Bool = false,
        isRewrite: Bool = false
    ) -> String? {
        var result = FilledDestination()
        var rest = Array(destination.utf8)[...]
        while let byte = rest.popFirst() {
            let next = rest.first
            if byte == UInt8(ascii: "\\"), let next {
                rest = rest.dropFirst()
                result.add(next, isEscaped)
            } else if byte == UInt8(ascii: "$"), let next, next.isDigit {
                rest = rest.dropFirst()
                guard let value = values[String(next - 0x30)] else { return nil }
                result.text += value
            } else if byte == UInt8(ascii: "%"), next == UInt8(ascii: "{"),
                let end = rest.firstIndex(of: UInt8(ascii: "}"))
            {
                let name = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
                guard let value = values[name] else { return nil }
                rest = rest[(end + 1)...]
                result.text += value
            } else if byte == UInt8(ascii: "$"), next == UInt8(ascii: "{") {
                // A map.
                return nil
            } else if isRewrite, byte == UInt8(ascii: "%"), let next, next.isDigit {
                rest = rest.dropFirst()
                guard let value = values["%\(next - 0x30)"] else { return nil }
                result.text += value
            } else {
                result.add(byte, isEscaped)
            }
        }
        return result.text
    }

    private mutating func add(_ byte: UInt8, _ isEscaped: Bool = false) {
        if isEscaped, "%#".utf8.contains(byte) {
            text += byte == UInt8(ascii: "%") ? "%25" : "%23"
        } else {
            text += literalURL(CollectionOfOne(byte))
        }
    }

    /// A destination with names behind colons, such as `:splat`, and numbers behind dollar signs;
    /// nil if a segment or a value is a name without a value.
    static func named(_ destination: String, _ values: [String: String]) -> String? {
        let bytes = Array(destination.utf8)
        var (result, index) = (FilledDestination(), 0)
        while index < bytes.count {
            let byte = bytes[index]
            let isMark = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "$")
            var end = index + 1
            while isMark, end < bytes.count,
                bytes[end].isLetter || bytes[end].isDigit || bytes[end] == 0x5F
            {
                end += 1
            }
            let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
            // The colons of scheme and port are followed by no name that has a value.
            if isMark, let value = values[name] {
                result.text += value
                // A modifier of the name belongs to it.
                let hasModifier = end < bytes.count && "*+?".utf8.contains(bytes[end])
                let isQuery = hasModifier && bytes[end] == UInt8(ascii: "?")
                index = hasModifier && !isQuery ? end + 1 : end
            } else {
                let begins = index > 0 && "/=".utf8.contains(bytes[index - 1])
                if byte == UInt8(ascii: ":"), begins, name.utf8.first?.isLetter == true {
                    return nil
                }
                result.add(byte)
                index += 1
            }
        }
        return result.text
    }
}
