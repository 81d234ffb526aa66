import Associations
import Diagnostics
import SiteConfiguration
import URISyntax

// Text in a path pattern that has another meaning there, or none.

extension RuleReading {
    /// The first fault of the path's syntax. The faults that follow from it are not reported.
    var pathSyntaxFinding: Finding? {
        guard let path else { return nil }
        let text = Array(path.value.utf8)
        return quoteFinding(path.value) ?? notFinding(text) ?? hostFinding(text) ?? fragmentFinding(
            text)
            ?? queryFinding(text) ?? routerFinding(text) ?? shapeFinding(text)
    }

    private func report(
        _ severity: Severity, _ rule: RuleName, _ message: String, _ advice: String
    ) -> Finding {
        Finding(severity, rule, pathSpot, message, advice: advice)
    }

    /// As in the file, for messages.
    private var written: String { quoted(path?.value ?? "") }

    private func quoteFinding(_ text: String) -> Finding? {
        guard let quote = quote(around: text) else { return nil }
        return report(
            .error, .curlyQuotes,
            "\(written) holds \(quoted(String(quote))), a typographic quote: nothing matches",
            "remove it; only straight quotes around the text are needed")
    }

    private func notFinding(_ text: [UInt8]) -> Finding? {
        if isLegacy, exclude, let first = text.first, first == 0x20 {
            return report(
                .error, .notForm,
                "two spaces follow NOT, so the pattern begins with a space and excludes nothing "
                    + "(reported for current systems)", "write \"NOT /path\"")
        }
        if isLegacy, text.first == UInt8(ascii: "!") {
            return report(
                .error, .notForm,
                "\(written) begins with !, which excludes nothing (reported for current systems)",
                "write \"NOT /path\"")
        }
        guard text.count > 3, zip(text, "not".utf8).allSatisfy({ $0 | 0x20 == $1 }) else {
            return nil
        }
        if !isLegacy, text[3] == 0x20 {
            return report(
                .error, .notInComponent, "NOT is ordinary text in a component: it excludes nothing",
                "add \"exclude\": true beside the pattern")
        }
        guard isLegacy, !exclude, text[3] == UInt8(ascii: "/") || text[3] == UInt8(ascii: "*")
        else { return nil }
        return report(
            .error, .notForm,
            "no space follows NOT in \(written), so it excludes nothing (reported for current "
                + "systems)",
            "write \"NOT /path\"")
    }

    private func hostFinding(_ text: [UInt8]) -> Finding? {
        if text.contains("://") {
            return report(
                .error, .hostInPath, "\(written) contains a scheme, so it matches no path",
                "write only the path; a file applies to its own host")
        }
        let rest = text.drop { $0 == UInt8(ascii: "/") }
        let segment = rest.prefix { $0 != UInt8(ascii: "/") }
        guard isHost(segment), segment.count < rest.count || rest.count == text.count else {
            return nil
        }
        return report(
            .error, .hostInPath,
            "\(written) begins with a host, so it matches no path of this host",
            "write only the path; a file applies to its own host")
    }

    private func fragmentFinding(_ text: [UInt8]) -> Finding? {
        guard text.contains(UInt8(ascii: "#")) else { return nil }
        return report(
            .error, .fragmentInPath,
            "\(written) contains a #, but the fragment is not part of a path, so nothing matches",
            "write the fragment's pattern under the key \"#\"")
    }

    private func queryFinding(_ text: [UInt8]) -> Finding? {
        guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let behind = text[(mark + 1)...].prefix { $0 != UInt8(ascii: "/") }
        let isQuery = behind.contains(UInt8(ascii: "=")) || behind.contains(UInt8(ascii: "&"))
        let isOpenQuery =
            behind.elementsEqual([UInt8(ascii: "*")]) && mark + 2 == text.count && mark > 0
            && isAlphanumeric(text[mark - 1])
        guard isQuery || isOpenQuery else { return nil }
        return report(
            .error, .queryInPath,
            "\(written) contains a query, but in a path ? matches any one character",
            isLegacy
                ? "remove the query; paths ignore it"
                : "write the query's pattern under the key \"?\"")
    }

    private func routerFinding(_ text: [UInt8]) -> Finding? {
        guard let syntax = routerSyntax(text) else { return nil }
        return report(
            .warning, .routerSyntax, "\(syntax) in \(written) is ordinary text",
            translatedPattern(String(decoding: text, as: UTF8.self)).map { "write \(quoted($0))" }
                ?? "patterns have only *, ?, ?* and variables such as $(digit)")
    }

    private func shapeFinding(_ text: [UInt8]) -> Finding? {
        if text.contains(UInt8(ascii: "\\")) {
            return report(
                .warning, .backslash,
                "\(written) contains a backslash, which systems interpret differently (reported "
                    + "for current systems)",
                "patterns have no escapes; remove it")
        }
        if text.count == 1, text != [UInt8(ascii: "/")], text != [UInt8(ascii: "*")] {
            return report(
                .error, .oneCharacterPath,
                "a path pattern of one character gets no leading slash, and matches no page "
                    + "(reported for current systems)", "write the slash: \"/x\" or \"/?\"")
        }
        if text.count > 1, text.allSatisfy({ $0 == UInt8(ascii: "*") }) {
            return report(
                .warning, .doubleStar,
                "\(written) does not match the path / (reported for current systems)", "write \"*\""
            )
        }
        if let fault = formFault(text) {
            return report(.warning, .pathForm, "\(written) \(fault)", "write the path without it")
        }
        guard let first = text.first, !"/*?".utf8.contains(first), first != 0x20 else { return nil }
        return report(
            .warning, .noLeadingSlash,
            "\(written) does not begin with a slash; systems add it",
            "write \"/\" before it, so that people see it too")
    }
}

/// `www.example.com`, `github.com`: a segment that ends like the hosts that people paste.
private func isHost(_ segment: ArraySlice<UInt8>) -> Bool {
    let labels = segment.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last,
        labels.allSatisfy({ label in
            !label.isEmpty
                && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == 0x2A }
        })
    else { return false }
    let domains = ["com", "net", "org", "io", "edu", "gov", "co", "de", "at", "uk", "fr", "jp"]
    return domains.contains { last.elementsEqual($0.utf8) }
        || labels[0].elementsEqual("www".utf8)
}

/// The syntax of a router or a regular expression.
private func routerSyntax(_ text: [UInt8]) -> String? {
    let segments = text.split(separator: UInt8(ascii: "/"))
    if segments.contains(where: { $0.count > 1 && $0.first == UInt8(ascii: ":") }) { return "`:`" }
    if text.contains(UInt8(ascii: "{")), text.contains(UInt8(ascii: "}")) { return "`{…}`" }
    if text.first == UInt8(ascii: "^") || text.starts(with: "/^".utf8) { return "`^`" }
    if text.count > 1, text.last == UInt8(ascii: "$") { return "`$`" }
    let everything = [".*", ".+", ".*?"].first { word in
        segments.contains { $0.elementsEqual(word.utf8) }
    }
    if let everything { return "`\(everything)`" }
    if text.contains(UInt8(ascii: "<")), text.contains(UInt8(ascii: ">")) { return "`<…>`" }
    if text.contains("\\d") || text.contains("\\w") { return "`\\`" }
    if text.contains(UInt8(ascii: "[")), text.contains(UInt8(ascii: "]")) { return "`[…]`" }
    let isGroup = text.contains(UInt8(ascii: "|")) || text.contains("(.*)") || text.contains("(?:")
    if isGroup, text.contains(UInt8(ascii: "(")) { return "`(…)`" }
    return text.contains(UInt8(ascii: "|")) ? "`|`" : nil
}

private func formFault(_ text: [UInt8]) -> String? {
    if text.contains("//") { return "has two slashes in a row, which count as one" }
    let segments = text.split(separator: UInt8(ascii: "/"))
    let hasDots = segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    return hasDots ? "has a segment of dots, which is resolved before URLs are compared" : nil
}

func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit }

extension Sequence<UInt8> {
    /// Whether the bytes of `text` occur in these, one after the other.
    func contains(_ text: String) -> Bool {
        let (bytes, wanted) = (Array(self), Array(text.utf8))
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { start in
            bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
