private import Associations
private import ClientAddress
private import Diagnostics
private import PostgreSQL
import URISyntax

// The forms of texts in a configuration. A regular expression checks as much as it can. Parsing
// decides the rest, and gives the reason for people if it refuses a text.

extension Format {
    /// One line of words.
    static let text = Format(
        "a text", pattern: SchemaPattern.line, alsoKnownAs: ["number", "boolean"])

    /// Text that can have several lines.
    static let prose = Format(
        "a text", pattern: SchemaPattern.prose, alsoKnownAs: ["number", "boolean"], isProse: true)

    static let flag = Format("true or false", json: .boolean, choices: ["true", "false"]) {
        .flag($0 == "true")
    }

    static func choice(_ choices: String...) -> Format {
        Format(inWords(choices.map { "`\($0)`" }), choices: choices)
    }

    /// A name that the configuration defines: of an app, a link, an environment.
    static let name = Format(
        "a name", pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", alsoKnownAs: ["number", "boolean"]
    ) { text in
        let bytes = text.utf8
        guard bytes.count <= ConfigurationLimits.nameBytesMax else {
            return Fault(
                rule: .name,
                message: "a name has at most \(ConfigurationLimits.nameBytesMax) characters, "
                    + "this one \(bytes.count)", advice: "shorten it")
        }
        guard bytes.first.map({ $0.isLetter || $0.isDigit }) == true,
            bytes.allSatisfy({ $0.isLetter || $0.isDigit || "._-".utf8.contains($0) })
        else {
            return Fault(
                rule: .name,
                message: "\(quoted(text)) is not a name",
                advice: "a name begins with a letter or digit; letters A-Z, digits, full stops, "
                    + "hyphens and underscores may follow")
        }
        return nil
    }

    static let appIdentifier = Format(
        "an application identifier", pattern: #"^[A-Z0-9]{10}(\.[A-Za-z0-9-]+)+$"#
    ) { text throws(Fault) in
        do throws(AppIdentifierError) {
            return .appIdentifier(try AppIdentifier(text))
        } catch {
            throw Fault(rule: .appIdentifier, message: error.description, advice: error.advice)
        }
    }

    static let androidPackage = Format(
        "a package name", pattern: #"^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+$"#
    ) { text throws(Fault) in
        do throws(AndroidIdentifierError) {
            return .androidPackage(try AndroidPackage(text))
        } catch {
            throw Fault(
                rule: .androidIdentifier, message: error.description,
                advice: "write the app's applicationId, such as com.example.app")
        }
    }

    static let fingerprint = Format(
        "a SHA-256 fingerprint", pattern: "^[0-9A-F]{2}(:[0-9A-F]{2}){31}$"
    ) { text throws(Fault) in
        do throws(AndroidIdentifierError) {
            return .fingerprint(try CertificateFingerprint(text))
        } catch {
            throw Fault(
                rule: .androidIdentifier, message: error.description,
                advice: "copy it from Play Console › App signing, or from `keytool -list -v`")
        }
    }

    static let storeIdentifier = Format(
        "a numeric App Store ID", pattern: "^[1-9][0-9]{0,17}$", alsoKnownAs: ["integer"],
        integers: 1...999_999_999_999_999_999
    ) { text in
        let digits = text.utf8
        guard digits.allSatisfy(\.isDigit), digits.first != UInt8(ascii: "0"), digits.count <= 18
        else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not an App Store ID",
                advice: "it is the number after `id` in the URL of the app's page on "
                    + "apps.apple.com")
        }
        return nil
    }

    static let scheme = Format(
        "a URL scheme",
        pattern: "^(?!(\(SchemaPattern.anyCase(browserSchemes.sorted())))$)[A-Za-z][A-Za-z0-9+.-]*$"
    ) { text in
        guard text.utf8.first?.isLetter == true,
            text.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+.-".utf8.contains($0) })
        else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not a URL scheme",
                advice: "write it without `://`")
        }
        guard !browserSchemes.contains(text.lowercased()) else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not an app's own scheme",
                advice: "browsers and systems use this scheme themselves")
        }
        return nil
    }

    /// With these schemes, a link of a page would run a script, or lead to something other than the
    /// app.
    private static let browserSchemes: Set = [
        "about", "blob", "content", "data", "file", "filesystem", "ftp", "http", "https", "intent",
        "itms", "itms-apps", "javascript", "mailto", "market", "sms", "tel", "vbscript",
        "view-source", "ws", "wss",
    ]

    static let hostPattern = Format(
        "a host name",
        // A wildcard is below a domain; what is filled in for `{site}` is checked later.
        pattern: "\(SchemaPattern.ownHost)|"
            + #"^\*\.(?!(.*\.)?[0-9]+$)(?=.*\.|[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]$)"#
            + SchemaPattern.host + "$|"
            + #"^(?=.*\{site\})(\*\.)?([A-Za-z0-9]|\{site\})(([A-Za-z0-9-]|\{site\})*([A-Za-z0-9]|\{site\}))?"#
            + #"(\.([A-Za-z0-9]|\{site\})(([A-Za-z0-9-]|\{site\})*([A-Za-z0-9]|\{site\}))?)*$"#
    ) { text throws(Fault) in
        let pattern = try HostPattern(text)
        if case .exact(let host) = pattern, let fault = numberFault(host) { throw fault }
        return .hostPattern(pattern)
    }

    static let siteFiles = Format(
        "a directory and `/*.yaml`",
        pattern: "^\(SchemaPattern.noVariable)\(SchemaPattern.character(except: "*"))+/"
            + #"\*\.yaml$"#
    ) { text in
        guard text.hasSuffix("/*.yaml"), text.utf8.count(where: { $0 == UInt8(ascii: "*") }) == 1
        else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) does not name files of a directory",
                advice: "write sites/*.yaml, or the sites themselves, by name")
        }
        return nil
    }

    static let host = Format("a host name", pattern: SchemaPattern.ownHost) { text throws(Fault) in
        let host: HostName
        do throws(HostNameError) {
            host = try HostName(text)
        } catch {
            throw fault(error, of: text, isWildcard: false)
        }
        if let fault = numberFault(host) { throw fault }
        return .host(host)
    }

    /// Browsers take a host for an address, whose last part is a number (WHATWG URL §3.5).
    static func numberFault(_ host: HostName) -> Fault? {
        let last = host.description.utf8.split(separator: UInt8(ascii: ".")).last ?? []
        let isHexadecimal =
            last.starts(with: "0x".utf8)
            && last.dropFirst(2).allSatisfy { "0123456789abcdef".utf8.contains($0) }
        guard host.isAddress || isHexadecimal, IPAddress(host.description) == nil else {
            return nil
        }
        return Fault(
            rule: .hostName,
            message:
                "\(quoted(host.description)) ends with a number, so browsers take it for an IPv4 "
                + "address, which it is not", advice: "write a host name, or an address whole")
    }

    /// - Parameter text: as written.
    static func fault(
        _ error: HostNameError, of text: String, isWildcard: Bool = true, port: String = ownPort
    ) -> Fault {
        guard case .tooLong(_, let bytes) = error else {
            return hostFault(text, isWildcard: isWildcard, port: port)
        }
        return Fault(
            rule: .hostName,
            message: "host \(quoted(text)) has \(bytes) bytes, may have \(HostName.bytesMax)")
    }

    static let port = Format(
        "a port", pattern: "^\(SchemaPattern.port)$", alsoKnownAs: ["integer"], integers: 1...65_535
    ) { text throws(Fault) in
        guard let port = wholeNumber(text, 1...65_535) else {
            throw Fault(rule: .wrongValue, message: "\(quoted(text)) is not a port from 1 to 65535")
        }
        return .number(port)
    }

    /// A number in decimal digits without leading zeros.
    static func wholeNumber(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        let digits = text.utf8
        guard digits.allSatisfy(\.isDigit), digits.count == 1 || digits.first != 0x30,
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }

    /// The name of a file or directory.
    static let path = Format("a path", pattern: SchemaPattern.line, alsoKnownAs: ["number"])

    /// The path of a file of stored links, or the URL of a database of several nodes.
    static let store = Format(
        "a path, or the URL of a database",
        pattern: "^\(SchemaPattern.noVariable)(?!.*://)\(SchemaPattern.character())+$|"
            + #"^postgres(ql)?://[!$-.0-9;=A-Z_a-z~]+@[!$-.0-9:;=A-Z\[\]_a-z~]*/[!$-.0-9:;=A-Z_a-z~]+"#
            + #"(\?[!$-;=?A-Z\[\]_a-z~]*)?$"#,
        alsoKnownAs: ["number"]
    ) { text in
        guard PostgreSQLLocation.isMeant(by: text) else {
            guard text.contains("://") else { return nil }
            return Fault(
                rule: .wrongValue, message: "`store` is a URL of another kind of database",
                advice: "write postgresql://USER@HOST/DATABASE, or the path of a file")
        }
        do throws(PostgreSQLLocation.Fault) {
            _ = try PostgreSQLLocation(text)
            return nil
        } catch {
            return Fault(rule: .wrongValue, message: error.fact, advice: error.advice)
        }
    }

    static let url = Format(
        "a URL", pattern: "^\(SchemaPattern.url())$"
    ) { text throws(Fault) in .url(try readURL(text, as: text)) }

    /// - Parameter written: the text in the file.
    static func readURL(_ text: String, as written: String) throws(Fault) -> WebURL {
        do throws(WebURLError) {
            return try WebURL(text)
        } catch {
            let error = asWritten(error, written)
            // With credentials, it is not repeated.
            let subject = if case .credentials = error { "" } else { "\(quoted(written)): " }
            throw Fault(
                rule: .url, message: subject + error.description, advice: advice(on: error, written)
            )
        }
    }

    /// The error with the offset in the text of the file, whose placeholders have other lengths than
    /// the values that stand for them. A host of another script is an error of the host.
    private static func asWritten(_ error: WebURLError, _ written: String) -> WebURLError {
        guard case .character = error else { return error }
        var isPlaceholder = false
        let bytes = Array(written.utf8)
        let offset = bytes.firstIndex { byte in
            if byte == UInt8(ascii: "{") { isPlaceholder = true }
            defer { if byte == UInt8(ascii: "}") { isPlaceholder = false } }
            return !isPlaceholder && !byte.isURLCharacter
        }
        guard let offset else { return error }
        let start = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + "://".utf8.count } ?? 0
        let host = bytes.dropFirst(start).prefix { !"/?#".utf8.contains($0) }
        let isOfHost = host.indices.contains(offset) && bytes[offset] >= 0x80
        return isOfHost
            ? .host(String(decoding: host, as: UTF8.self)) : .character(written, offset: offset)
    }

    /// The advice on a URL as people read it.
    private static func advice(on error: WebURLError, _ text: String) -> String? {
        if let place = placeOfBlank(text) { return "remove the blank at its \(place)" }
        switch error {
        case .scheme: return schemeAdvice(text)
        case .credentials: return "remove the user name, the password and the @"
        case .port: return "write the port of a server behind the host, or none"
        case .host(let host) where host.isEmpty: return "write the host behind ://"
        case .character, .host: break
        }
        let isOfHost =
            if case .host(let host) = error { !host.utf8.allSatisfy { $0 < 0x80 } } else { true }
        guard isOfHost else { return "write a host of letters, digits, hyphens and full stops" }
        if let escaped = escaped(text) {
            // Where braces alone are wrong, there are no placeholders.
            let isSame = escaped.isScalarwise(text)
            return "write \(isSame ? WebURL.escaped(text) ?? escaped : escaped)"
        }
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "write each character that no URL has as %XX"
        }
        return "write a host of another script in its form xn--…, and other characters as %XX"
    }

    /// The URL as programs send it, with its placeholders as they are; nil if that is no URL.
    private static func escaped(_ text: String) -> String? {
        guard var url = WebURL.escaped(text) else { return nil }
        for part in URLTemplate.placeholders(in: text) {
            url = url.replacing("%7B\(part)%7D", with: "{\(part)}")
        }
        return url
    }

    private static func schemeAdvice(_ text: String) -> String {
        if text.utf8.first == UInt8(ascii: "/") {
            return "write the whole URL: \(quoted("https://www.example.com" + text))"
        }
        return startsWithHost(text)
            ? "write \(quoted(withScheme(text)))" : "write the https:// URL of a page or a service"
    }

    /// A text that begins with a host, as a URL.
    static func withScheme(_ text: String) -> String {
        "https://\(text)" + (text.utf8.contains { "/?#".utf8.contains($0) } ? "" : "/")
    }

    /// Whether a text begins like a URL without its scheme: with a host that has a domain.
    static func startsWithHost(_ text: String) -> Bool {
        let host = String(Substring(text.utf8.prefix { !":/?#".utf8.contains($0) }))
        guard let name = try? HostName(host), name.hasDomain, !name.isAddress else { return false }
        let last = name.description.utf8.split(separator: UInt8(ascii: ".")).last.map {
            String(Substring($0))
        }
        return last.map(fileExtensions.contains) == false
    }

    /// Ends of names that are files of a site, and no domains.
    private static let fileExtensions: Set = [
        "css", "gif", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "key", "pdf", "pem", "php",
        "png", "svg", "txt", "webp", "xml", "yaml", "yml",
    ]

    static let status = Format("200, 404 or 410", choices: ["200", "404", "410"]) {
        .number(Int($0) ?? 200)
    }

    static let version = Format("1", choices: ["1"])
}

/// The end at which a text has a blank that was copied with it; nil if neither has one.
func placeOfBlank(_ text: String) -> String? {
    func isBlank(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace == true }
    if isBlank(text.unicodeScalars.first) { return "beginning" }
    return isBlank(text.unicodeScalars.last) ? "end" : nil
}
