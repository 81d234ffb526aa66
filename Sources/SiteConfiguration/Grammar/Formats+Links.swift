private import Associations
private import Diagnostics
private import URISyntax

// The formats of texts about links: patterns, pages, and URLs for visitors.

extension Format {
    /// A pattern that Apple matches with a URL's path.
    static let pathPattern = Format(
        "a path pattern", pattern: patternStart + SchemaPattern.character(except: #" #\\"#) + "*$"
    ) {
        pathPatternFault($0)
    }

    /// The same in a component. With `percentEncoded: false` it is compared with decoded URLs,
    /// where a space is a space and not `%20`.
    static let componentPath = Format(
        "a path pattern", pattern: patternStart + SchemaPattern.character(except: #"#\\"#) + "*$"
    ) {
        pathPatternFault($0, mayHoldBlanks: true)
    }

    /// A path without a query or a scheme.
    private static let patternStart =
        "^\(SchemaPattern.noVariable)\(SchemaPattern.variables(predefinedVariables))"
        + #"(?![^?]*\?[^/=]*=)(?!.*://)(?=[/*])"#

    private static func pathPatternFault(_ text: String, mayHoldBlanks: Bool = false) -> Fault? {
        if text.utf8.starts(with: "http".utf8), text.contains("://") {
            return Fault(
                rule: .pattern, message: "\(quoted(text)) contains a scheme and a host",
                advice: "write only the path; the environment has the hosts")
        }
        guard let first = text.utf8.first, "/*".utf8.contains(first) else {
            return Fault(
                rule: .pattern, message: "pattern \(quoted(text)) must begin with / or *",
                advice: adviceOnStart(of: text))
        }
        return strangeByte(in: text, mayHoldBlanks) ?? queryInPath(text) ?? variableFault(text)
    }

    private static func adviceOnStart(of text: String) -> String {
        if text.utf8.first == UInt8(ascii: "^") {
            return "patterns are not regular expressions; "
                + (translatedPattern(text).map { "write \(quoted($0))" }
                    ?? "they have only *, ? and variables")
        }
        if text.utf8.starts(with: "NOT ".utf8) { return "write it under `exclude`, without NOT" }
        return text.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "."))
            ? "write only the path; the environment has the hosts" : "write \(quoted("/" + text))"
    }

    /// A pattern that Apple matches with a query or a fragment; an empty one matches an empty part.
    static let partPattern = Format(
        "a pattern",
        pattern: "^\(SchemaPattern.noVariable)\(SchemaPattern.variables(predefinedVariables))"
            + "\(SchemaPattern.character())*$",
        alsoKnownAs: ["number", "boolean"], canBeEmpty: true, fault: variableFault)

    static let queryName = Format("the name of a query item", pattern: SchemaPattern.line)

    /// A file of the public directory, by its URL path, or a generated page.
    static let unmatchedPage = Format(
        "a page", pattern: "^\(SchemaPattern.noVariable)(page|landing|\(SchemaPattern.page))$"
    ) { text in
        text == "landing" ? nil : pageFault(text)
    }

    static let unmatched = Format(
        "an answer", pattern: actionPattern(["not-found"], hasStars: false)
    ) { text throws(Fault) in
        guard !["gone", "410"].contains(text) else {
            throw Fault(
                rule: .pagePath, message: "only a link can be gone",
                advice: "write not-found, or a page with `status: 410`")
        }
        do throws(Fault) {
            let action = try parseAction(text)
            guard case .redirect(let template, _) = action, template.starsNeeded > 0 else {
                return action
            }
            throw Fault(
                rule: .placeholder, message: "{\(template.starsNeeded)} has no value here",
                advice: "only a link's pattern has stars; use {path} for the whole path")
        } catch {
            let url = hasStatus(text) ? String(text.utf8.dropFirst(4)) ?? text : text
            guard let other = OtherPlaceholder(in: url, hasPattern: false), other.isTranslated
            else { throw error }
            var fault = error
            fault.advice = other.advice
            throw fault
        }
    }

    /// A URL with placeholders.
    static let template = Format(
        "a URL", pattern: "^\(SchemaPattern.noVariable)\(SchemaPattern.template())$"
    ) { text throws(Fault) in .template(try URLTemplate(reading: text)) }

    /// The action of one platform for a link.
    static let webAction = Format(
        "an action", pattern: actionPattern(["not-found", "gone"], hasStars: true),
        parse: parseAction)

    @Sendable private static func parseAction(_ text: String) throws(Fault) -> Parsed {
        if actionWords.contains(text) { return .text }
        if isAddress(text) || hasStatus(text) { return try parseRedirect(text) }
        if let fault = pageFault(text) { throw fault }
        return .text
    }

    /// A URL, and perhaps a status in front of it, as `gets` of a link test has both.
    private static func parseRedirect(_ text: String) throws(Fault) -> Parsed {
        guard hasStatus(text) else {
            if let fault = decorationFault(text) { throw fault }
            return .redirect(try URLTemplate(reading: text), .found)
        }
        let number = String(decoding: text.utf8.prefix(3), as: UTF8.self)
        guard let status = Int(number).flatMap(RedirectStatus.init) else {
            throw Fault(
                rule: .wrongValue, message: "\(quoted(number)) is not a status of redirects",
                advice: number == "200"
                    ? "Waymark forwards no requests; without a status it redirects with 302"
                    : "write 301, 302, 307 or 308 in front of the URL; without one it is 302")
        }
        let url = String(decoding: text.utf8.dropFirst(4), as: UTF8.self)
        return .redirect(try URLTemplate(reading: url), status)
    }

    /// A URL with other words around it: `301! https://…` (Netlify), `return 301 https://…;`
    /// (nginx), `https://… [R=301,L]` (Apache).
    private static func decorationFault(_ text: String) -> Fault? {
        let bytes = Array(text.utf8)
        guard
            let start = bytes.indices.first(where: {
                bytes[$0...].starts(with: "https://".utf8)
                    || bytes[$0...].starts(with: "http://".utf8)
            })
        else { return nil }
        let end = bytes[start...].firstIndex(where: { " ;".utf8.contains($0) }) ?? bytes.count
        let words = (bytes[..<start] + " ".utf8 + bytes[end...])
            .split { !$0.isLetter && !$0.isDigit }.map { String(decoding: $0, as: UTF8.self) }
        let status = words.lazy.compactMap { Int($0) }.compactMap(RedirectStatus.init).first
        let names = ["return", "redirect", "permanent", "temporary", "temp", "rewrite"]
        guard status != nil || words.contains(where: { names.contains($0.lowercased()) }) else {
            return nil
        }
        let number = status?.rawValue ?? (words.contains("permanent") ? 301 : nil)
        let url = String(decoding: bytes[start..<end], as: UTF8.self)
        let written = quoted((number.map { "\($0) " } ?? "") + url)
        return Fault(
            rule: .url, message: "\(quoted(text)): only a status can stand in front of a URL",
            advice: bytes.contains(UInt8(ascii: "!"))
                ? "write \(written); public files come first all the same" : "write \(written)")
    }

    /// Whether a text begins with three digits and a blank.
    private static func hasStatus(_ text: String) -> Bool {
        text.utf8.dropFirst(3).first == 0x20 && text.utf8.prefix(3).allSatisfy(\.isDigit)
    }

    private static let actionWords = ["not-found", "gone", "landing", "store"]
    private static func actionPattern(_ words: [String], hasStars: Bool) -> String {
        "^\(SchemaPattern.noVariable)(\((words + ["page", "landing", "store"]).joined(separator: "|"))"
            + "|\(SchemaPattern.page)|((301|302|307|308) )?\(SchemaPattern.template(hasStars: hasStars)))$"
    }

    /// Whether a text that begins with no slash means a URL, however wrong.
    private static func isAddress(_ text: String) -> Bool {
        text.utf8.first != UInt8(ascii: "/") && text.utf8.contains(UInt8(ascii: ":"))
    }

    static let image = Format("an image", pattern: address, fault: addressFault)

    private static let address =
        "^\(SchemaPattern.noVariable)(\(SchemaPattern.page)|\(SchemaPattern.url()))$"

    /// The target of a page's link.
    static let pageAddress = Format("a path or a URL", pattern: address, fault: addressFault)

    @Sendable private static func addressFault(_ text: String) -> Fault? {
        if text.utf8.first == UInt8(ascii: "/") { return pageFault(text) }
        do throws(Fault) {
            _ = try readURL(text, as: text)
            return nil
        } catch {
            var fault = error
            fault.advice = "write a public file as its URL path, beginning with /"
            return fault
        }
    }

    static let schemaType = Format("a type of schema.org", pattern: "^[A-Z][A-Za-z0-9]*$") { text in
        guard text.utf8.first?.isUpperCaseLetter == true,
            text.utf8.allSatisfy({ $0.isLetter || $0.isDigit })
        else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not a schema.org type",
                advice: "write its name as schema.org has it, such as Product")
        }
        return nil
    }

    static let profile = Format("a profile", pattern: "^[a-z0-9]+(-[a-z0-9]+)*$") { text in
        let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isProfile = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isLowerCaseLetter || $0.isDigit }
        }
        guard isProfile else {
            return Fault(
                rule: .wrongValue, message: "\(quoted(text)) is not a client",
                advice: "write a name such as desktop-chrome or iphone-safari")
        }
        return nil
    }

    /// A status, and the URL of a redirect: `302 https://www.example.com/`.
    static let outcome = Format(
        "a status, and the URL of a redirect",
        pattern: "^[1-5][0-9][0-9]( \(SchemaPattern.url()))?$",
        alsoKnownAs: ["integer"], integers: 100...599
    ) { text throws(Fault) in
        let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count <= 2, let status = wholeNumber(words[0], 100...599) else {
            throw Fault(
                rule: .wrongValue,
                message: "\(quoted(text)) must be a status, or a status and a URL",
                advice: "write a number from 100 to 599, and the URL of a redirect behind a space, "
                    + "such as 302 https://www.example.com/")
        }
        let location = words.count == 2 ? words[1] : nil
        // Such as the reason of HTTP: `302 Found`.
        if let location, location.utf8.allSatisfy(\.isLetter) {
            throw Fault(
                rule: .wrongValue,
                message: "\(quoted(text)): only the URL of a redirect can stand behind a status",
                advice: "write \(status)")
        }
        if let location { _ = try readURL(location, as: location) }
        return .outcome(.init(status: status, location: location))
    }
}

/// The advice on a text that is neither an action, a path nor a URL, by its probable meaning.
private func actionAdvice(on text: String) -> String {
    let word = String(decoding: text.utf8.map(\.foldedToLowerCase), as: UTF8.self)
    if let meant = actionSynonyms.first(where: { $0.words.contains(word) })?.action {
        return didYouMean(meant)
    }
    if let status = Int(word), RedirectStatus(rawValue: status) != nil {
        return "write the URL behind the status: \(quoted("\(word) https://www.example.com/"))"
    }
    let words = ["page", "landing", "store", "not-found", "gone"]
    if let nearest = nearestName(to: word, among: words) {
        return didYouMean(nearest)
    }
    return Format.startsWithHost(text)
        ? "write \(quoted(Format.withScheme(text)))"
        : "write a file of the public directory as its URL path: \(quoted("/" + text))"
}

/// Words of other programs for the actions.
private let actionSynonyms: [(action: String, words: Set<String>)] = [
    ("not-found", ["404", "none", "off", "notfound", "not_found", "error", "deny"]),
    (
        "store",
        [
            "app-store", "appstore", "app_store", "play", "playstore", "play-store",
            "google-play", "stores", "install", "download",
        ]
    ),
    ("gone", ["410", "expired", "ended", "deleted", "removed"]),
    ("landing", ["landing-page", "landingpage", "landing_page", "fallback", "generated"]),
]

func pageFault(_ text: String) -> Fault? {
    if text == "page" { return nil }
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else {
        return Fault(
            rule: .pagePath,
            message: "\(quoted(text)) is neither an action, nor a path that begins with /, nor an "
                + "https:// URL",
            advice: actionAdvice(on: text))
    }
    guard !bytes.starts(with: "//".utf8) else {
        return Fault(
            rule: .pagePath, message: "\(quoted(text)) has a host but no scheme",
            advice: "write \(quoted("https:" + text)), or one slash for a public file")
    }
    guard !bytes.contains(where: { "?#\\".utf8.contains($0) }) else {
        return Fault(
            rule: .pagePath,
            message: "page \(quoted(text)) contains a ?, a # or a backslash",
            advice: "write only the path of a public file; another page is an https:// URL")
    }
    guard !PathDecoding.hasDotSegment(bytes, bytes.indices) else {
        return Fault(
            rule: .pagePath, message: "page \(quoted(text)) contains a . or .. segment",
            advice: "write the path of a file below the public directory, without it")
    }
    return nil
}

private func strangeByte(in pattern: String, _ mayHoldBlanks: Bool) -> Fault? {
    let isStrange = { (byte: UInt8) in
        byte < 0x20 || byte == 0x20 && !mayHoldBlanks || "#\\".utf8.contains(byte)
    }
    guard let byte = pattern.utf8.first(where: isStrange) else { return nil }
    let (name, advice): (String, String?) =
        switch byte {
        case UInt8(ascii: "#"): ("a #", "write the fragment under a component's key `#`")
        case UInt8(ascii: "\\"):
            (
                "a backslash",
                translatedPattern(pattern).map { "write \(quoted($0))" }
                    ?? "patterns are not regular expressions; they have only *, ? and variables"
            )
        default: ("a blank", listAdvice(pattern) ?? "write a space in a URL as %20")
        }
    return Fault(
        rule: .pattern, message: "pattern \(quoted(pattern)) holds \(name), which no path has",
        advice: advice)
}

/// `/a/*, /b/*`: two patterns in one text.
private func listAdvice(_ pattern: String) -> String? {
    let patterns = pattern.utf8.split(separator: UInt8(ascii: ",")).map { part in
        String(decoding: part.drop { $0 == 0x20 }, as: UTF8.self)
    }
    let isList = patterns.count > 1 && patterns.allSatisfy { $0.utf8.first == UInt8(ascii: "/") }
    return isList ? "write a list: [\(patterns.map(shownPattern).joined(separator: ", "))]" : nil
}

private func shownPattern(_ pattern: String) -> String {
    pattern.utf8.contains(0x20) ? quoted(pattern) : onOneLine(pattern)
}

/// `/a?x=1`: the question mark would match any one character.
private func queryInPath(_ pattern: String) -> Fault? {
    let bytes = pattern.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")),
        let equals = bytes[mark...].firstIndex(of: UInt8(ascii: "=")),
        !bytes[mark..<equals].contains(UInt8(ascii: "/"))
    else { return nil }
    return Fault(
        rule: .pattern, message: "pattern \(quoted(pattern)) contains a query, which no path has",
        advice: "write it under a component's key `?`")
}

/// A pattern with an undefined variable never matches.
private func variableFault(_ pattern: String) -> Fault? {
    for name in variableNames(in: pattern) {
        guard let name else {
            return Fault(
                rule: .pattern, message: "pattern \(quoted(pattern)) contains a $( without a )",
                advice: "close the name of the variable with )")
        }
        guard predefinedVariables.contains(name) else {
            let nearest = nearestName(to: name, among: predefinedVariables)
            return Fault(
                rule: .unknownName, message: "there is no variable \(quoted(name))",
                advice: nearest.map(didYouMean)
                    ?? "Apple defines \(predefinedVariables.joined(separator: ", "))")
        }
    }
    return nil
}
