import Diagnostics
private import URISyntax

/// A part of a response header field's value that is surely not meant, and the advice. Clients
/// ignore it without a word, so it is a warning: RFC 9111 and CSP 3 allow unknown directives.
struct FieldValueSlip {
    let fact: String
    let advice: String

    /// All slips of a field.
    static func all(in value: String, of name: String) -> [FieldValueSlip] {
        switch name.lowercased() {
        case "cache-control": cacheControl(value)
        case "content-security-policy", "content-security-policy-report-only": policy(value)
        case "permissions-policy": permissions(value)
        case "x-frame-options": frameOptions(value)
        case "referrer-policy": referrer(value)
        case "access-control-allow-origin": allowedOrigin(value)
        default: []
        }
    }

    // MARK: Caches (RFC 9111 §5.2.2)

    private static func cacheControl(_ value: String) -> [FieldValueSlip] {
        let behind = trimmed(value.utf8.split(separator: UInt8(ascii: ";")).dropFirst().map { $0 })
        if behind.contains(where: {
            (secondsDirectives + cacheDirectives).contains(
                String(decoding: $0.lowercased().utf8.prefix { $0 != 0x3D }, as: UTF8.self))
        }) {
            return [
                .init(
                    fact: "its directives are separated by commas, not by semicolons",
                    advice: "write \(quoted(value.replacing(";", with: ",")))")
            ]
        }
        return trimmed(value.utf8.split(separator: UInt8(ascii: ","))).compactMap { directive in
            let parts = directive.utf8.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = (String(parts[0]) ?? "").lowercased()
            let argument = parts.count > 1 ? String(parts[1]) ?? "" : nil
            if secondsDirectives.contains(name) { return secondsSlip(name, argument) }
            // An extension is legal, so only a near name is a slip.
            guard !cacheDirectives.contains(name),
                let nearest = nearestName(
                    to: String(name.utf8.prefix { $0.isLetter || $0 == UInt8(ascii: "-") }) ?? "",
                    among: secondsDirectives + cacheDirectives)
            else { return nil }
            let seconds =
                directive.utf8.split { !$0.isDigit }.last.flatMap { String($0) }
                .map { "=\($0)" } ?? ""
            let isTimed = secondsDirectives.contains(nearest)
            return .init(
                fact: "\(quoted(directive)) is no directive of caches",
                advice: didYouMean(nearest + (isTimed ? seconds : "")))
        }
    }

    private static func secondsSlip(_ name: String, _ argument: String?) -> FieldValueSlip? {
        let argument = argument ?? ""
        let digits = argument.utf8.filter { $0 != 0x22 }
        guard digits.isEmpty || !digits.allSatisfy(\.isDigit) else { return nil }
        let number = Int(String(decoding: digits.prefix(while: \.isDigit), as: UTF8.self))
        let unit = String(
            decoding: digits.drop { $0.isDigit || $0 == 0x20 }.prefix(1), as: UTF8.self)
        let factors = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000]
        let seconds = number.flatMap { number in
            factors[unit.lowercased()].map {
                number.multipliedReportingOverflow(by: $0).partialValue
            }
        }
        return .init(
            fact: argument.isEmpty
                ? "\(name) has no number of seconds"
                : "\(name) is \(quoted(argument)), must be a number of seconds without a unit",
            advice: "write \(name)=\(seconds ?? number ?? 3600)")
    }

    private static let secondsDirectives = [
        "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error",
    ]
    private static let cacheDirectives = [
        "immutable", "must-revalidate", "must-understand", "no-cache", "no-store", "no-transform",
        "private", "proxy-revalidate", "public",
    ]

    // MARK: Content Security Policy (CSP 3 §2.3, §6)

    private static func policy(_ value: String) -> [FieldValueSlip] {
        let directives = value.utf8.split { ";,".utf8.contains($0) }
        return trimmed(directives).flatMap { directive -> [FieldValueSlip] in
            let words = directive.utf8.split(separator: 0x20).map { String($0) ?? "" }
            let name = (words.first ?? "").lowercased()
            let isKnown = policyDirectives.contains(name) || sourceDirectives.contains(name)
            let meant =
                isKnown ? name : nearestName(to: name, among: policyDirectives + sourceDirectives)
            guard let meant else { return [] }
            var slips = [FieldValueSlip]()
            if !isKnown {
                slips.append(
                    .init(
                        fact:
                            "\(quoted(words[0])) is no directive of policies, so browsers ignore it",
                        advice: didYouMean(meant)))
            }
            guard sourceDirectives.contains(meant) else { return slips }
            for word in words.dropFirst() where isUnquotedKeyword(word.lowercased()) {
                slips.append(
                    .init(
                        fact: "\(word) without single quotes is the name of a host",
                        advice: "write '\(word)'"))
            }
            return slips
        }
    }

    private static func isUnquotedKeyword(_ word: String) -> Bool {
        sourceKeywords.contains(word)
            || ["nonce-", "sha256-", "sha384-", "sha512-"].contains {
                word.utf8.starts(with: $0.utf8)
            }
    }

    private static let sourceKeywords: Set = [
        "self", "none", "unsafe-inline", "unsafe-eval", "unsafe-hashes", "strict-dynamic",
        "report-sample", "wasm-unsafe-eval", "inline-speculation-rules",
    ]
    private static let sourceDirectives = [
        "base-uri", "child-src", "connect-src", "default-src", "fenced-frame-src", "font-src",
        "form-action", "frame-ancestors", "frame-src", "img-src", "manifest-src", "media-src",
        "navigate-to", "object-src", "prefetch-src", "script-src", "script-src-attr",
        "script-src-elem", "style-src", "style-src-attr", "style-src-elem", "worker-src",
    ]
    private static let policyDirectives = [
        "block-all-mixed-content", "plugin-types", "referrer", "report-to", "report-uri",
        "require-sri-for", "require-trusted-types-for", "sandbox", "trusted-types",
        "upgrade-insecure-requests", "webrtc",
    ]

    // MARK: Others

    /// `camera 'none'` is the form of Feature-Policy, its predecessor.
    private static func permissions(_ value: String) -> [FieldValueSlip] {
        guard value.utf8.contains(UInt8(ascii: "'")), !value.utf8.contains(UInt8(ascii: "=")) else {
            return []
        }
        return [
            .init(
                fact: "this is the form of Feature-Policy, which browsers no longer read",
                advice: "write \"camera=(), geolocation=(self)\"")
        ]
    }

    private static func frameOptions(_ value: String) -> [FieldValueSlip] {
        guard !["deny", "sameorigin"].contains(value.lowercased()) else { return [] }
        return [
            .init(
                fact:
                    "\(quoted(value)) is neither DENY nor SAMEORIGIN, so browsers ignore the field",
                advice: "name sites in Content-Security-Policy: frame-ancestors https://a.example")
        ]
    }

    private static func referrer(_ value: String) -> [FieldValueSlip] {
        let policies = [
            "no-referrer", "no-referrer-when-downgrade", "origin", "origin-when-cross-origin",
            "same-origin", "strict-origin", "strict-origin-when-cross-origin", "unsafe-url",
        ]
        return trimmed(value.utf8.split(separator: UInt8(ascii: ","))).compactMap { policy in
            guard !policies.contains(policy.lowercased()),
                let nearest = nearestName(to: policy, among: policies)
            else { return nil }
            return .init(
                fact: "\(quoted(policy)) is no referrer policy", advice: didYouMean(nearest))
        }
    }

    /// One origin, without a path (Fetch, §3.3.3).
    private static func allowedOrigin(_ value: String) -> [FieldValueSlip] {
        guard value != "*", value != "null", let origin = try? WebURL(value), !origin.path.isEmpty
        else {
            guard value.utf8.contains(where: { ", ".utf8.contains($0) }) else { return [] }
            return [
                .init(
                    fact: "browsers accept one origin or *, and no list",
                    advice: "write one of them, in a rule for its files")
            ]
        }
        return [
            .init(
                fact: "\(quoted(value)) has a path, but an origin has none",
                advice: "write \(quoted(String(value.utf8.prefix(origin.originBytes)) ?? ""))")
        ]
    }

    /// Without blanks around; without empty ones.
    private static func trimmed(_ parts: [Substring.UTF8View.SubSequence]) -> [String] {
        parts.compactMap { part in
            let text = part.trimmed()
            return text.isEmpty ? nil : String(text)
        }
    }
}
