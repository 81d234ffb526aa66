import Associations
import Diagnostics
import Markup
import URISyntax

extension PageExamination {
    var securityResults: [ItemResult] {
        [
            contentSecurityPolicy, noSniff, referrerPolicy, frameProtection, transportSecurity,
            echoedSecrets, mixedContent, unsafeAddress,
        ]
    }

    private func field(_ item: ReportItem, _ name: String) -> ItemResult {
        guard let response = input.exchange?.response else {
            return item.notApplicable(Self.noResponse)
        }
        return response[name].map { item.pass(quoted($0)) } ?? item.recommended("there is none")
    }

    private var contentSecurityPolicy: ItemResult {
        let tag = page.metas("content-security-policy").first { $0.kind == .equivalent }
        if let tag { return ReportItem.contentSecurityPolicy.pass("line \(tag.line)") }
        return field(.contentSecurityPolicy, "Content-Security-Policy")
    }

    private var noSniff: ItemResult {
        guard let value = input.exchange?.response["X-Content-Type-Options"],
            value.lowercased() != "nosniff"
        else { return field(.noSniff, "X-Content-Type-Options") }
        return ReportItem.noSniff.recommended("it is \(quoted(value))")
    }

    private var referrerPolicy: ItemResult {
        if let tag = page.meta("referrer") {
            return ReportItem.referrerPolicy.pass(quoted(tag.content))
        }
        return field(.referrerPolicy, "Referrer-Policy")
    }

    private var frameProtection: ItemResult {
        // A `meta` tag cannot set it (W3C, "Content Security Policy" §6.4.2).
        let policy = input.exchange?.response["Content-Security-Policy"] ?? ""
        let isSaid = policy.lowercased().utf8.split(separator: UInt8(ascii: ";")).contains { part in
            trimmed(String(decoding: part, as: UTF8.self)).utf8.starts(with: "frame-ancestors".utf8)
        }
        return isSaid
            ? ReportItem.frameProtection.pass("frame-ancestors")
            : field(.frameProtection, "X-Frame-Options")
    }

    private var transportSecurity: ItemResult {
        guard url?.isSecure != false else {
            return ReportItem.transportSecurity.notApplicable("plain HTTP cannot say it")
        }
        return field(.transportSecurity, "Strict-Transport-Security")
    }

    /// URLs that the page gives to others, by the tags that contain them.
    private var givenAway: [(name: String, url: LinkURL)] {
        let keys = [
            "og:url", "al:ios:url", "al:android:url", "al:web:url", "twitter:app:url:iphone",
            "twitter:app:url:googleplay", "twitter:url",
        ]
        var found = keys.compactMap { key in
            page.meta(key).flatMap { resolve($0.content, against: base) }.map { (key, $0) }
        }
        if let canonical { found.append(("canonical", canonical)) }
        if let argument = banner?["app-argument"].flatMap({ resolve($0, against: nil) }) {
            found.append(("app-argument", argument))
        }
        return found
    }

    private var echoedSecrets: ItemResult {
        let item = ReportItem.echoedSecrets
        for (name, url) in givenAway {
            guard let secret = url.queryNames.first(where: isSecret) else { continue }
            return item.required("\(name) carries \(quoted(secret))")
        }
        for (name, url) in givenAway {
            guard let tracking = url.queryNames.first(where: isTracking) else { continue }
            return item.recommended("\(name) carries \(quoted(tracking))")
        }
        return item.pass("none")
    }

    private var mixedContent: ItemResult {
        let item = ReportItem.mixedContent
        let loaded =
            (page.sources + page.images).compactMap { tag in tag["src"].map { ($0, tag) } }
            + page.links.filter { tag in
                !Set(tag.words("rel")).isDisjoint(with: [
                    "stylesheet", "icon", "preload", "manifest",
                ])
            }.compactMap { tag in tag["href"].map { ($0, tag) } }
        let plain = loaded.filter { scheme(of: Array($0.0.utf8)) == "http" }
        guard let (address, tag) = plain.first else { return item.pass("none") }
        return item.required(
            "line \(tag.line): <\(tag.tag.name)> loads \(quoted(address)), \(plain.count) in all")
    }

    private var unsafeAddress: ItemResult {
        let item = ReportItem.unsafeAddress
        let tags = page.metas.filter { meta in
            ["og:", "al:", "twitter:"].contains { meta.key.utf8.starts(with: $0.utf8) }
                && isUnsafeAddress(meta.content)
        }
        if let tag = tags.first {
            return item.required("line \(tag.line): \(tag.key) is \(quoted(tag.content))")
        }
        guard let first = page.unsafeAddresses.first else { return item.pass("none") }
        return item.required("line \(first.line): \(quoted(first.text))")
    }
}

/// Whether a query item is secret, by its name.
private func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    let parts = name.utf8.split { !$0.isLetter && !$0.isDigit }
        .map { String(decoding: $0, as: UTF8.self) }
    return parts.contains { secretWords.contains($0) } || secretNames.contains(name)
}

/// Secret anywhere in a name, such as in `access_token`.
private let secretWords: Set = [
    "token", "secret", "password", "passwd", "pwd", "session", "sessionid", "phpsessid",
    "jsessionid", "apikey", "jwt", "otp", "email",
]
/// Secret only as a whole name; `country_code` is not.
private let secretNames: Set = ["sid", "auth", "code", "signature", "sig", "key", "api_key"]
