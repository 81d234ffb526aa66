private import URISyntax

extension Migration {
    /// A kind of file that can be read.
    package enum Kind: String, Sendable, CaseIterable {
        case apple, android, netlify, nginx, apache, csv, vercel, firebase, caddy
    }
}

extension Migration.Kind {
    /// Whether a file of a directory can be of a known kind, by its path. In a directory such as
    /// `sites-enabled`, names have any form.
    package static func canBe(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self).lowercased()
        }
        let name = parts.last ?? ""
        guard !isEnding(name, leftovers + [".schema.json"]) else { return false }
        let isEnabled = parts.dropLast().last?.contains("-enabled") ?? false
        return isEnabled || named(name) != nil || name.hasPrefix("apple-app-site-association")
            || isEnding(name, [".json", ".conf"])
    }

    /// Whether a file is in a directory that somebody has put aside, by its path below the directory that
    /// is searched.
    package static func isPutAside(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).dropLast().contains { part in
            isEnding(String(decoding: part, as: UTF8.self).lowercased(), leftovers)
        }
    }

    /// Whether a file of a directory such as `sites-enabled` has the name of a copy that is left beside another one:
    /// nginx reads all files there, and Apache those with the ending `.conf`.
    package static func isLeftover(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map {
            String(decoding: $0, as: UTF8.self).lowercased()
        }
        guard let name = parts.last, let directory = parts.dropLast().last else { return false }
        return isEnding(directory, ["-enabled"]) && isEnding(name, leftovers)
    }

    /// The directory in which a file is that is a copy of one which servers read: it stands beside that one, or is in a
    /// directory beside it, and its name has a number or a word such as `old` besides. So is a directory that is called
    /// `old` or `backup`, or has the ending of a copy, in one that servers read. By the file's path below the directory
    /// that is searched.
    /// - Parameter directories: all that have files or directories with files, by their paths.
    package static func copiedDirectory(_ path: String, among directories: Set<String>) -> String? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
        let index = parts.indices.first { index in
            let name = parts[index].lowercased()
            func isThere(_ name: String) -> Bool {
                directories.contains((parts[..<index] + [name]).joined(separator: "/"))
            }
            if index > 0, originals.contains(parts[index - 1].lowercased()), isAside(name) {
                return true
            }
            if isOfCopy(name[...]) {
                let next = index + 1 < parts.count ? parts[index + 1] : ""
                if originals.contains(next.lowercased()), isThere(next) { return true }
            }
            if name == "sites-disabled", isThere("sites-enabled") { return true }
            return (originals + places).contains { original in
                guard name != original, let range = name.firstRange(of: original) else {
                    return false
                }
                let rest = name[..<range.lowerBound] + "." + name[range.upperBound...]
                let digitsMin = originals.contains(original) ? 1 : 4
                return isThere(original) && isOfCopy(rest, digitsMin: digitsMin)
            }
        }
        return index.map { parts[...$0].joined(separator: "/") }
    }

    /// Whether a directory beside the files of a server is one of copies. A year or a word within a name says nothing there: they
    /// can be those of sites.
    private static func isAside(_ name: String) -> Bool {
        let ending = name.hasSuffix(".d") ? String(name.dropLast(2)) : name
        return ["old", "bak", "backup", "backups"].contains(name) || isEnding(ending, leftovers)
    }

    /// Whether what a name has besides that of the original says that it is a copy.
    private static func isOfCopy(_ rest: Substring, digitsMin: Int = 4) -> Bool {
        let words = rest.utf8.split { !$0.isLetter && !$0.isDigit }
        return words.contains { word in
            (word.allSatisfy(\.isDigit) && word.count >= digitsMin)
                || copyWords.contains { word.elementsEqual($0.utf8) }
        }
    }

    /// Directories whose files servers read.
    private static let originals = ["sites-enabled", "conf-enabled", "conf.d"]
    /// Directories that have such directories, or sites of their own. A second one with a small number can be another
    /// server's.
    private static let places = ["nginx", "apache2", "httpd", "caddy", "vhosts", "vhosts.d"]

    /// Whether a directory, or the link to one, has a name whose files servers read.
    package static func isOfServers(_ path: String) -> Bool {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? []
        return originals.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    private static let copyWords = [
        "old", "bak", "backup", "copy", "orig", "save", "saved", "before", "disabled", "off", "tmp",
    ]

    /// The ends of names of copies that editors, packages and people leave.
    private static let leftovers = [
        "~", ".bak", ".backup", ".old", ".orig", ".save", ".swp", ".dpkg-old", ".dpkg-dist",
        ".rpmsave", ".rpmnew",
    ]

    private static func isEnding(_ text: String, _ endings: [String]) -> Bool {
        endings.contains { text.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    /// The kind of a file, from its name, or else from the form of its content; nil for any other.
    package init?(of bytes: [UInt8], path: String) {
        let name =
            path.utf8.split(separator: UInt8(ascii: "/")).last.map {
                String(decoding: $0, as: UTF8.self).lowercased()
            } ?? ""
        if let kind = Self.named(name) {
            self = kind
            return
        }
        let text = String(decoding: bytes.prefix(Self.sampleBytes), as: UTF8.self).lowercased()
        let first = bytes.first { $0 > 0x20 && $0 < 0x7F }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            let isApple = name.hasPrefix("apple-app-site-association")
            guard let kind = Self.json(text) ?? (isApple ? .apple : nil) else {
                // The options of a Caddyfile stand in a block without a name.
                guard Self.isCaddy(text) else { return nil }
                self = .caddy
                return
            }
            self = kind
        } else if name.hasPrefix("apple-app-site-association") {
            self = .apple
        } else if first == UInt8(ascii: "/") {
            // Two of them begin a comment of other formats, and no path.
            guard !bytes.drop(while: { $0 != first }).starts(with: "//".utf8) else { return nil }
            self = text.prefix(200).contains(",") ? .csv : .netlify
        } else if let kind = Self.server(
            bytes.prefix(Self.sampleBytes), isNamed: name.hasSuffix(".conf"))
        {
            self = kind
        } else {
            return nil
        }
    }

    private static let sampleBytes = 65_536

    private static func named(_ name: String) -> Self? {
        if name.hasPrefix("_redirects") { return .netlify }
        if name == ".htaccess" { return .apache }
        if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return .csv }
        if name == "vercel.json" || name == "now.json" { return .vercel }
        if name == "firebase.json" { return .firebase }
        if name.hasPrefix("caddyfile") || name.hasSuffix(".caddy") { return .caddy }
        return name == "assetlinks.json" ? .android : nil
    }

    private static func json(_ text: String) -> Self? {
        func has(_ words: String...) -> Bool { words.contains { text.contains("\"\($0)\"") } }
        // A JSON Schema has the names of members, and says nothing of a site.
        let dense = String(decoding: text.utf8.filter { $0 > 0x20 }, as: UTF8.self)
        guard !has("properties", "$ref"),
            !["object", "array"].contains(where: { dense.contains("\"type\":\"\($0)\"") })
        else { return nil }
        if has("applinks", "webcredentials", "appclips", "activitycontinuation") { return .apple }
        // Other files, such as those of Firebase, have names of packages, too.
        if has("relation", "sha256_cert_fingerprints") || has("namespace") && has("package_name") {
            return .android
        }
        if has("hosting"), has("redirects", "rewrites") { return .firebase }
        return has("redirects") && has("source") && has("destination") ? .vercel : nil
    }

    private static func isCaddy(_ text: String) -> Bool {
        text.split(separator: "\n").contains { trimmed($0).hasPrefix("redir ") }
    }

    // MARK: Grammars

    /// nginx ends a directive with a semicolon or a block, and Apache with its line. A line without
    /// either can go on, so that the greater number of lines decides.
    private static func server(_ bytes: ArraySlice<UInt8>, isNamed: Bool) -> Self? {
        var (ofNginx, ofApache, names) = (0, 0, Set<String>())
        let all = lines(of: Array(bytes)).map(trimmed)
        // The last line of a sample is not whole.
        let cut = bytes.count == sampleBytes ? all.count - 1 : all.count
        for (number, line) in all.enumerated() {
            guard let first = line.utf8.first, let last = line.utf8.last,
                first != UInt8(ascii: "#")
            else { continue }
            let word = line.utf8.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") }
            names.insert(String(decoding: word, as: UTF8.self).lowercased())
            let hasComment = line.contains("; #") || line.contains("{ #")
            let goesOn = number == cut && (line.contains("; ") || line.contains(" {"))
            if ";{}".utf8.contains(last) || hasComment || goesOn {
                ofNginx += 1
            } else {
                ofApache += first == UInt8(ascii: "<") ? 3 : 1
            }
        }
        let isNginx = ofNginx >= ofApache && ofNginx > 0
        guard isNamed || !names.isDisjoint(with: isNginx ? nginxNames : apacheNames) else {
            return nil
        }
        guard ofNginx + ofApache > 0 else { return nil }
        return isNginx ? .nginx : .apache
    }

    private static let nginxNames: Set = [
        "server", "location", "return", "rewrite", "http", "map", "upstream",
    ]
    private static let apacheNames: Set = [
        "redirect", "redirectmatch", "redirectpermanent", "redirecttemp", "rewriterule",
        "rewriteengine", "<virtualhost", "<ifmodule",
    ]
}
