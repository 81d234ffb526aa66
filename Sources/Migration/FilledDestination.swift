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

    /// A destination of Netlify or Firebase, with names behind colons, such as `:splat`; nil if a segment or a value is
    /// a name without a value.
    /// - Parameter hasModifiers: whether the name has what makes it optional or repeats it, as Firebase's has. Then it is
    ///   nil if that would be the mark of a query.
    static func named(
        _ destination: String, _ values: [String: String], hasModifiers: Bool
    ) -> String? {
        let bytes = Array(destination.utf8)
        var (result, index) = (FilledDestination(), 0)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: ":") else {
                result.add(byte)
                continue
            }
            let name = String(decoding: bytes[index...].prefix(while: \.isOfName), as: UTF8.self)
            // The colons of scheme and port are followed by no name that has a value.
            guard let value = values[name] else {
                let begins = index > 1 && "/=".utf8.contains(bytes[index - 2])
                guard !begins || name.utf8.first?.isLetter != true else { return nil }
                result.add(byte)
                continue
            }
            result.text += value
            index += name.utf8.count
            guard hasModifiers, index < bytes.count, "*+?(".utf8.contains(bytes[index]) else {
                continue
            }
            let isAtEnd = index + 1 == bytes.count
            guard "*+".utf8.contains(bytes[index]) || isAtEnd && bytes[index] != UInt8(ascii: "(")
            else { return nil }
            index += 1
        }
        return result.text
    }

    /// The destination of Vercel's routes, with `$` in front of numbers and names; nil if one has no value.
    static func vercel(_ location: String, _ values: [String: String]) -> String? {
        var (result, rest) = (FilledDestination(), Array(location.utf8)[...])
        while let byte = rest.popFirst() {
            let name = byte == UInt8(ascii: "$") ? rest.prefix(while: \.isOfName) : []
            guard !name.isEmpty else {
                result.add(byte)
                continue
            }
            guard let value = values[String(decoding: name, as: UTF8.self)] else { return nil }
            rest = rest.dropFirst(name.count)
            result.text += value
        }
        return result.text
    }
}
