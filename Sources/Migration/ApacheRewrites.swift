// The rules of mod_rewrite.

/// A virtual host of a file, by its number, and a directory in it.
struct RewritingPlace: Hashable {
    let host: Int
    let directory: String?
}

/// The settings of mod_rewrite for a place.
struct RewritingSettings {
    /// Nil if the file does not say it.
    var isOn: Bool?
    /// The path in front of relative destinations in a directory: `RewriteBase`.
    private(set) var base: String?
    /// A `RewriteBase` that Apache refuses, and the whole file with it.
    private(set) var invalidBase: String?

    mutating func setBase(_ path: String) {
        base = path
        if path.utf8.first != UInt8(ascii: "/") { invalidBase = path }
    }
}

extension RedirectFile {
    /// - Parameters:
    ///   - directory: the path that expressions do not see.
    ///   - written: `RewriteBase`; nil if there is none.
    mutating func readRewrite(
        _ words: [String], _ flags: RewriteFlags, _ source: SourceLine, below base: String?,
        base written: String?
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
        let isRelative =
            !isAbsolute && target.utf8.first != UInt8(ascii: "/")
            && target.utf8.first != UInt8(ascii: "%")
        guard !flags.has("P", "PROXY") else {
            return skip(source, "a proxy to another host has no equal")
        }
        guard let status = flags["R"] ?? flags["REDIRECT"] ?? (isAbsolute ? "" : nil) else {
            return skip(source, "it rewrites a path within the server" + pageAdvice(target))
        }
        if isRelative {
            let start = written ?? base ?? "/"
            // Apache takes it literally, and would expand nothing in it.
            guard !start.utf8.contains(where: "$%".utf8.contains) else {
                return skip(source, "RewriteBase \(start) has a $ or a %")
            }
            target = start + (start.utf8.last == UInt8(ascii: "/") ? "" : "/") + target
        }
        let code = Self.apacheStatus(status) ?? 302
        if [403, 404, 410].contains(code) {
            return add(
                words[0], status: code, source, isCaseSensitive: isCaseSensitive, below: base
            ) { _ in .notFound }
        }
        guard words[1] != "-" else { return skip(source, "it rewrites a path within the server") }
        add(
            words[0], status: code, source, isCaseSensitive: isCaseSensitive, below: base
        ) { groups in
            let values = Self.variables.merging(groups) { $1 }
            let filled = FilledDestination.apache(
                target, values, isEscaped: !flags.has("NE", "NOESCAPE"), isRewrite: true)
            guard let filled else { return nil }
            if flags.has("QSD", "QSDISCARD") { return answer(to: filled, status: code) }
            // A question mark at the end drops the query.
            if filled.utf8.last == UInt8(ascii: "?") {
                return answer(to: String(filled.dropLast()), status: code)
            }
            let adds = flags.has("QSA", "QSAPPEND")
            return answer(to: adds ? addingQuery(to: filled) : passingQuery(filled), status: code)
        }
    }

    /// Advice for an application in one page.
    private func pageAdvice(_ target: String) -> String {
        guard target.utf8.suffix(5).elementsEqual(".html".utf8) else { return "" }
        return "; a page for every other path is `unmatched: {page: /index.html, status: 200}`"
    }

    /// Conditions that have an equal have no groups, so that the values of these are empty.
    private static let variables = [
        "REQUEST_URI": "{path}", "QUERY_STRING": "{query}", "REQUEST_SCHEME": "https",
    ].merging((1...9).map { ("%\($0)", "") }) { $1 }
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

    /// Whether a rule leaves the URL as it is: a `-` is no destination of a redirect either.
    func passes(_ words: [String]) -> Bool {
        guard words.dropFirst().first == "-", !has("G", "GONE", "F", "FORBIDDEN") else {
            return false
        }
        guard let status = self["R"] ?? self["REDIRECT"] else { return has("L", "LAST", "END") }
        return (300...399).contains(RedirectFile.apacheStatus(status) ?? 302)
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

/// The first literal text of an expression of a later rule, which can match what an earlier one
/// leads to.
struct ExpressionStart {
    /// The bytes that each match begins with; nothing is known of an expression without `^`.
    private var literal: [UInt8]?
    /// Whether the expression ends at once.
    private let isEmpty: Bool

    init(_ expression: String) {
        let special = ".[]()*+?{}|^$\\".utf8
        let body = expression.utf8.dropFirst()
        let text = Array(body.prefix { !special.contains($0) })
        let next = body.dropFirst(text.count).first ?? 0
        isEmpty = next == UInt8(ascii: "$") && text.isEmpty
        guard expression.utf8.first == UInt8(ascii: "^"), !body.contains(UInt8(ascii: "|")) else {
            return
        }
        literal = text
        if "*?{".utf8.contains(next) { _ = literal?.popLast() }
    }

    /// Whether the expression can match a destination, with or without its first slash.
    func canMatch(_ destination: RewrittenDestination) -> Bool {
        guard let literal else { return true }
        let known = destination.known
        if isEmpty, known.isEmpty { return true }
        func canMatch(_ text: ArraySlice<UInt8>) -> Bool {
            text.starts(with: literal) || (destination.isOpen && literal.starts(with: text))
        }
        return canMatch(known[...])
            || (known.first == UInt8(ascii: "/") && canMatch(known.dropFirst()))
    }
}

/// The destination of a rule as later rules see it.
struct RewrittenDestination {
    /// The bytes before the first value that a request gives.
    let known: [UInt8]
    /// Whether such a value follows.
    let isOpen: Bool

    init(_ target: String) {
        known = Array(target.utf8.prefix { $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "%") })
        isOpen = known.count < target.utf8.count
    }
}
