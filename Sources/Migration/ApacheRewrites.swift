private import URISyntax

// The rules of mod_rewrite.

extension RedirectFile {
    mutating func readRewrite(
        _ words: [String], _ flags: RewriteFlags, _ source: SourceLine, below base: String?
    ) {
        guard words.count >= 2 else { return skip(source, "there is no destination") }
        guard words[0].utf8.first != UInt8(ascii: "!") else {
            return skip(source, "it applies to all other paths")
        }
        let isCaseSensitive = !flags.has("NC", "NOCASE")
        if flags.has("G", "GONE") || flags.has("F", "FORBIDDEN") {
            return add(
                words[0], status: flags.has("G", "GONE") ? 410 : 403, source,
                isCaseSensitive: isCaseSensitive, below: base
            ) { _ in .notFound }
        }
        var target = words[1]
        let isAbsolute = isURL(target)
        guard !flags.has("P", "PROXY") else {
            return skip(source, "a proxy to another host has no equal")
        }
        guard let status = flags["R"] ?? flags["REDIRECT"] ?? (isAbsolute ? "" : nil) else {
            return skip(source, "it rewrites a path within the server")
        }
        if !isAbsolute, target.utf8.first != UInt8(ascii: "/"),
            target.utf8.first != UInt8(ascii: "%")
        {
            target = (base ?? "/") + target
        }
        let code = Self.apacheStatus(status) ?? 302
        if [403, 404, 410].contains(code) {
            return add(
                words[0], status: code, source, isCaseSensitive: isCaseSensitive, below: base
            ) { _ in .notFound }
        }
        add(
            words[0], status: code, source, isCaseSensitive: isCaseSensitive, below: base
        ) { groups in
            let values = Self.variables.merging(groups) { $1 }
            let filled = FilledDestination.apache(
                target, values, isEscaped: !flags.has("NE", "NOESCAPE"))
            guard let filled else { return nil }
            if flags.has("QSD", "QSDISCARD") { return answer(to: filled, status: code) }
            // A question mark at the end drops the query.
            if filled.utf8.last == UInt8(ascii: "?") {
                return answer(to: String(filled.dropLast()), status: code)
            }
            let adds = flags.has("QSA", "QSAPPEND")
            return answer(
                to: adds ? addingQuery(to: filled) : passingQuery(filled), status: code)
        }
    }

    private static let variables = [
        "REQUEST_URI": "{path}", "QUERY_STRING": "{query}", "REQUEST_SCHEME": "https",
    ]
}

/// The flags of a `RewriteRule`.
struct RewriteFlags {
    private var values = [String: String]()

    init(_ list: String) {
        let texts = list.utf8.filter { !"[] ".utf8.contains($0) }.split(
            separator: UInt8(ascii: ","))
        for text in texts {
            let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1).map {
                String(decoding: $0, as: UTF8.self)
            }
            values[(parts.first ?? "").uppercased()] = parts.count > 1 ? parts[1] : ""
        }
    }

    /// Whether no later rule is tried.
    var isLast: Bool {
        let status = (self["R"] ?? self["REDIRECT"]).flatMap { Int($0) } ?? 302
        return has("L", "LAST", "END", "G", "GONE", "F", "FORBIDDEN")
            || !(300...399).contains(status)
    }

    subscript(_ name: String) -> String? { values[name] }

    func has(_ names: String...) -> Bool { names.contains { values[$0] != nil } }
}

/// Whether an expression can match the destination of an earlier rule.
func canMatch(_ expression: String, _ target: String) -> Bool {
    let special = ".[]()*+?{}|^$\\".utf8
    let isAnchored = expression.utf8.first == UInt8(ascii: "^")
    let body = expression.utf8.dropFirst(isAnchored ? 1 : 0)
    guard isAnchored, !body.contains(UInt8(ascii: "|")) else { return true }
    var literal = Array(body.prefix { !special.contains($0) })
    let isWhole = literal.count == body.count
    let next = body.dropFirst(literal.count).first ?? 0
    if "*?{".utf8.contains(next) { _ = literal.popLast() }
    let known = target.utf8.prefix { $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "%") }
    let isOpen = known.count < target.utf8.count
    let isPath = known.first == UInt8(ascii: "/")
    return [known[...], known.dropFirst(isPath ? 1 : 0)].contains { text in
        text.starts(with: literal) || (isOpen && literal.starts(with: text))
            || (isWhole && text.elementsEqual(literal))
    } || (next == UInt8(ascii: "$") && literal.isEmpty && known.isEmpty)
}
