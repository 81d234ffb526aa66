private import URISyntax

/// The destinations of a redirect of Vercel, as its build writes them for its routes (`convertRedirects`): `$1` is the
/// first group of the source, and `$name` a name of the conditions. What its build refuses, or what would have braces
/// as text, is a fault.
struct VercelDestination {
    typealias Fault = PathTemplate.Fault

    /// The text that is written in the place of each name.
    private var references = [String: String]()
    private let groups: Int
    private let names: Set<String>
    private let hasNames: Bool
    private let hasUnnamed: Bool

    /// - Parameter names: those of the conditions, which come before those of the source.
    init(of source: PathTemplate, names: some Sequence<String>) {
        for (number, group) in source.groups.enumerated() {
            if let name = group.name { references[name] = "$\(number + 1)" }
        }
        groups = source.groups.count
        hasNames = !references.isEmpty
        hasUnnamed = source.groups.contains { $0.name == nil }
        self.names = Set(names)
        for name in names { references[name] = "$" + name }
    }

    /// The destination for the routes.
    func location(_ text: String) throws(Fault) -> String {
        guard !text.utf8.contains(UInt8(ascii: "\\")) else {
            throw Fault(reason: "a backslash in its destination is a slash for Vercel")
        }
        let parts = URLParts(text)
        try checkNames(parts)
        guard hasNames && text.utf8.contains(UInt8(ascii: ":")) || !names.isEmpty else {
            return try checked(text)
        }
        // Vercel's reader of URLs escapes what is no plain path.
        let isPlain =
            parts.scheme.isEmpty && parts.fragment == nil
            && !text.utf8.contains(where: "@ ".utf8.contains)
        var result = parts.scheme + (try host(parts.host)) + parts.port
        result += try compiled(
            isPlain ? parts.path : escapingQuote(parts.path), takesBraces: isPlain)
        let query = try parts.query.map(query) ?? []
        if !query.isEmpty { result += "?".utf8 + query }
        if let fragment = parts.fragment {
            result += "#".utf8 + (try compiled(escapingQuote(fragment), takesBraces: false))
        }
        return try checked(
            String(decoding: result.replacing("%24".utf8, with: "$".utf8), as: UTF8.self))
    }

    /// The text, if each `$` in it stands for a value that Vercel knows.
    private func checked(_ location: String) throws(Fault) -> String {
        guard !location.utf8.contains(where: "{}".utf8.contains) else { throw Self.braces }
        for part in location.utf8.split(
            separator: UInt8(ascii: "$"), omittingEmptySubsequences: false
        ).dropFirst() {
            let name = String(decoding: part.prefix(while: \.isOfName), as: UTF8.self)
            let isGroup =
                name.utf8.first != UInt8(ascii: "0") && Int(name).map { $0 <= groups } ?? false
            guard name.isEmpty || isGroup || names.contains(name) else {
                throw Fault(
                    reason:
                        "$\(name) in its destination, with the letters and digits behind it, is "
                        + "neither a group of its source nor a name of its conditions")
            }
        }
        return location
    }

    private static let braces = Fault(
        reason: "Vercel takes the braces in its destination as text; write it without them")

    /// Names without a value, which Vercel's build refuses. What it cannot read, it leaves unread.
    private func checkNames(_ parts: URLParts) throws(Fault) {
        let values = (parts.query ?? []).split(separator: UInt8(ascii: "&")).map { item in
            percentDecoded(item.drop { $0 != UInt8(ascii: "=") }.dropFirst(), plus: 0x20)
        }
        guard let host = try? PathTemplate(parts.host) else {
            throw Fault(reason: "its destination has a host that Vercel cannot read")
        }
        try checkNames(host)
        for text in [parts.path] + values.map({ Array($0.utf8) }) {
            guard let template = try? PathTemplate(text) else { return }
            try checkNames(template)
        }
    }

    private func checkNames(_ template: PathTemplate) throws(Fault) {
        for group in template.groups {
            guard group.name.map({ references[$0] != nil }) ?? hasUnnamed else {
                throw Fault(
                    reason:
                        "its destination has \(group.name.map { ":" + $0 } ?? "a group"), and its "
                        + "source has not")
            }
        }
    }

    // MARK: Parts

    /// Vercel's reader of URLs takes a host in lower case.
    private func host(_ text: [UInt8]) throws(Fault) -> [UInt8] {
        guard text.contains(UInt8(ascii: ":")) else { return text }
        guard !text.contains(where: { $0.isLetter && $0 & 0x20 == 0 }) else {
            throw Fault(reason: "the host of its destination has capital letters")
        }
        return try compiled(text, takesBraces: false)
    }

    private func query(_ text: [UInt8]) throws(Fault) -> [UInt8] {
        var (items, indices) = ([(name: String, values: [String])](), [String: Int]())
        for item in text.split(separator: UInt8(ascii: "&")) {
            let name = percentDecoded(item.prefix { $0 != UInt8(ascii: "=") }, plus: 0x20)
            let value = percentDecoded(
                item.drop { $0 != UInt8(ascii: "=") }.dropFirst(), plus: 0x20)
            guard !name.utf8.contains(UInt8(ascii: ":")), Int(name) == nil else {
                throw Fault(reason: "Vercel changes the query of its destination at \(name)")
            }
            if let index = indices[name] {
                items[index].values.append(value)
            } else {
                indices[name] = items.count
                items.append((name, [value]))
            }
        }
        var result = [UInt8]()
        for (name, values) in items {
            for value in values {
                if !result.isEmpty { result.append(UInt8(ascii: "&")) }
                let filled = try compiled(Array(value.utf8), takesBraces: true)
                result += Self.escaped(name.utf8) + "=".utf8 + Self.escaped(filled)
            }
        }
        return result
    }

    /// A name or value of a query as Node's `querystring` writes it.
    private static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
        var result = [UInt8]()
        for byte in text {
            if byte.isOfName || "-.!~*'()".utf8.contains(byte) {
                result.append(byte)
            } else {
                result.append(percentEncoded: byte)
            }
        }
        return result
    }

    private func escapingQuote(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { $0 == UInt8(ascii: "'") ? Array("%27".utf8) : [$0] }
    }

    // MARK: Names

    /// A part with values in the place of names. If not all of it is a template, only names are.
    private func compiled(_ text: [UInt8], takesBraces: Bool) throws(Fault) -> [UInt8] {
        guard takesBraces || !text.contains(where: "{}".utf8.contains) else { throw Self.braces }
        if let template = try? PathTemplate(text), let result = filled(template) { return result }
        guard !text.contains(where: "{}\\".utf8.contains) else { throw Self.braces }
        var (result, rest) = ([UInt8](), text[...])
        while let byte = rest.popFirst() {
            let name = byte == UInt8(ascii: ":") ? rest.prefix(while: \.isOfName) : []
            guard let value = references[String(decoding: name, as: UTF8.self)] else {
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(name.count)
            guard let next = rest.first, "*?+".utf8.contains(next) else {
                result += value.utf8
                continue
            }
            throw Fault(
                reason:
                    "Vercel refuses its destination: what is beside \(String(decoding: [next], as: UTF8.self)) "
                    + "is not in its language")
        }
        return result
    }

    /// Nil if a part has no value, and need not be left out.
    private func filled(_ template: PathTemplate) -> [UInt8]? {
        var result = [UInt8]()
        for piece in template.pieces {
            switch piece {
            case .text(let text): result += text
            case .group(let group):
                if let value = group.name.flatMap({ references[$0] }) {
                    result += group.prefix + value.utf8 + group.suffix
                } else if !group.isOptional {
                    return nil
                }
            }
        }
        return result
    }
}

/// A URL, or a path with query and fragment, in its parts.
private struct URLParts {
    /// With `://`.
    var scheme = [UInt8]()
    var host = [UInt8]()
    /// With its colon.
    var port = [UInt8]()
    var path: [UInt8]
    var query: [UInt8]?
    var fragment: [UInt8]?

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        if isURL(text), let start = rest.firstRange(of: "://".utf8)?.upperBound {
            let end = rest[start...].firstIndex(where: "/?#".utf8.contains) ?? rest.endIndex
            let digits = rest[start..<end].reversed().prefix(while: \.isDigit).count
            let hasPort = rest[start..<(end - digits)].last == UInt8(ascii: ":")
            let hostEnd = hasPort ? end - digits - 1 : end
            scheme = Array(rest[..<start])
            host = Array(rest[start..<hostEnd])
            port = Array(rest[hostEnd..<end])
            rest = rest[end...]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = Array(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = Array(rest[(mark + 1)...])
            rest = rest[..<mark]
        }
        path = rest.isEmpty && !scheme.isEmpty ? Array("/".utf8) : Array(rest)
    }
}
