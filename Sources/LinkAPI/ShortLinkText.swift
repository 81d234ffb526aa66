import Diagnostics

/// A short link as services write it: its slug, or its URL with or without the scheme.
struct ShortLinkText {
    /// In small letters; nil for a slug alone.
    let host: String?
    let slug: String

    init(_ text: String) throws(Problem) {
        var rest = Substring(text).utf8
        let scheme = Self.takeScheme(&rest)
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let authority = rest[..<slash]
        if scheme != nil || slash < rest.endIndex && authority.contains(UInt8(ascii: ".")) {
            host = Self.host(String(Substring(authority)), isSecure: scheme != "http://")
            rest = rest[slash...].dropFirst()
        } else {
            host = nil
            if slash == rest.startIndex { rest = rest.dropFirst() }
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let end = path.lastIndex { $0 != UInt8(ascii: "/") }
        slug = end.map { String(Substring(path[...$0])) } ?? ""
        guard !slug.isEmpty else {
            throw .invalid([
                PointedFault(
                    "/slug", .wrongValue,
                    "\(quoted(text)) is no short link: nothing follows its host",
                    advice: "what the domain itself leads to is `unmatched` of the environment")
            ])
        }
    }

    /// A host in small letters, without a port that its scheme has anyway.
    static func host(_ authority: String, isSecure: Bool) -> String {
        let text = authority.lowercased()
        let port = isSecure ? ":443" : ":80"
        return text.hasSuffix(port) ? String(text.dropLast(port.utf8.count)) : text
    }

    private static func takeScheme(_ text: inout Substring.UTF8View) -> String? {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.starts(with: $0.utf8) }) else { return nil }
        text = text.dropFirst(scheme.utf8.count)
        return scheme
    }
}
