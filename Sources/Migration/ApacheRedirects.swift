extension RedirectFile {
    /// Reads the redirects of an Apache configuration or of a `.htaccess` (Apache HTTP Server,
    /// mod_alias and mod_rewrite), for each host those of its virtual host.
    /// - Parameter base: the path of the directory in which a `.htaccess` is, with a slash at its
    ///   end. Nil for the server's own configuration, whose rules compare whole paths.
    static func apache(_ text: [UInt8], file: String, below base: String? = nil) -> RedirectFile {
        guard !beginsWithMark(text) else { return RedirectFile(marked: file) }
        // Settings count for the lines before them, too.
        var settings = ApacheReader(file: file, base: base)
        settings.read(text)
        var reader = ApacheReader(file: file, base: base, settings.rewriting)
        reader.read(text)
        return reader.finished()
    }
}

extension ApacheReader {
    mutating func read(_ text: [UInt8]) {
        var pending = ""
        for (number, part) in lines(of: text).enumerated() {
            // A backslash at the end continues a line.
            if part.utf8.last == UInt8(ascii: "\\") {
                pending += part.dropLast()
                continue
            }
            let line = trimmed(pending + part)
            pending = ""
            guard !line.isEmpty, line.utf8.first != UInt8(ascii: "#") else { continue }
            read(line, number: number + 1)
        }
    }
}

extension RedirectRule {
    /// The host to whose same paths it leads all paths over https; nil if it does anything else.
    var upgradedHost: String? {
        guard case .url(let url) = answer, match == ["/*"] || match == ["*"],
            url.utf8.starts(with: "https://".utf8),
            let end = ["/{1}?{query}", "{path}?{query}"].first(where: url.hasSuffix)
        else { return nil }
        return String(url.dropFirst("https://".utf8.count).dropLast(end.utf8.count))
    }
}
