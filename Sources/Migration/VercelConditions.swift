import JSONSyntax
private import URISyntax

/// The `has` of a rule: all of them must be met. A value is a regular expression there.
struct VercelConditions {
    private(set) var host: String?
    private(set) var query = [(name: String, pattern: String)]()
    /// The texts for which names in the destination stand.
    private(set) var values = [String: String]()

    /// - Returns: why it has no equal.
    mutating func add(_ condition: JSONValue) -> String? {
        let key = condition["key"]?.text ?? ""
        // A comparison stands under its name.
        let isExpression = condition["value"]?.members?.count == 1
        let expression = isExpression ? condition["value"]?["re"] : condition["value"]
        let value = expression?.text
        guard condition["value"] == nil || value != nil else {
            return "there is no condition with such a value"
        }
        switch condition["type"]?.text {
        case "host":
            let name = unescaped((value ?? "").lowercased())
            guard let found = try? HostName(name), host == nil || host == name else {
                return "there is no condition for the host \(value ?? "none")"
            }
            host = "\(found)"
            values["host"] = "\(found)"
        case "query" where !key.isEmpty: return add(key, value)
        case let type: return "there is no condition of type \(type ?? "none")"
        }
        return nil
    }

    private mutating func add(_ key: String, _ value: String?) -> String? {
        guard let value, !value.isEmpty else {
            query.append((key, "?*"))
            values[key] = "{query.\(key)}"
            return nil
        }
        var expression = value
        if value.utf8.starts(with: "(?<".utf8), value.utf8.last == UInt8(ascii: ")"),
            let end = value.utf8.firstIndex(of: UInt8(ascii: ">"))
        {
            let name = value.utf8[..<end].dropFirst("(?<".utf8.count)
            values[String(decoding: name, as: UTF8.self)] = "{query.\(key)}"
            expression = String(value.utf8[value.utf8.index(after: end)...].dropLast()) ?? ""
        }
        // An item without a value is none.
        let patterns = [".*": "?*", ".+": "?*"]
        let isLiteral = !expression.utf8.contains { "\\()[]{}|*+?^$".utf8.contains($0) }
        guard let pattern = patterns[expression] ?? (isLiteral ? anyDots(expression) : nil)
        else { return "there is no condition with the expression \(value)" }
        query.append((key, pattern))
        return nil
    }
}

/// An expression without the backslashes that make a character itself.
private func unescaped(_ expression: String) -> String {
    var (result, rest) = ([UInt8](), Array(expression.utf8)[...])
    while let byte = rest.popFirst() {
        let next = rest.first ?? UInt8(ascii: "a")
        if byte == UInt8(ascii: "\\"), !next.isLetter, !next.isDigit { continue }
        result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
}

/// The pattern of an expression whose only special characters are full stops.
private func anyDots(_ expression: String) -> String {
    expression.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        .map { literalPattern($0) }.joined(separator: "?")
}
