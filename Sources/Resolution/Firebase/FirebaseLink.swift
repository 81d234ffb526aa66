import Associations
package import Diagnostics
package import SiteConfiguration
import URISyntax

/// A link of Firebase Dynamic Links by its parameters, and the link of a collection that it becomes:
/// the same one for a row of an export, a long link, and a request to make a short one.
package struct FirebaseLink {
    /// By their names in long links, such as `apn`.
    package let values: [String: String]
    /// That open the collection.
    private let apps: [App]
    /// The parameters that are not kept.
    package private(set) var notes = [FirebaseNote]()

    package init(_ values: [String: String], opening apps: [App]) {
        (self.values, self.apps) = (values, apps)
    }

    /// The members of the link, as in a request that makes one, besides collection and slug.
    package mutating func members() -> [(key: String, value: JSONText)] {
        var members: [(key: String, value: JSONText)] = [
            ("destination", .string(url("link") ?? ""))
        ]
        let web = web()
        if !web.isEmpty { members.append(("web", .object(web))) }
        let page = page()
        if !page.isEmpty { members.append(("page", .object(page))) }
        let apple = appleCampaign()
        if !apple.isEmpty { members.append(("campaign", .object([("apple", .object(apple))]))) }
        let data = appData()
        if !data.isEmpty { members.append(("app", .object([("data", .object(data))]))) }
        for key in ["at", "mt"] where values[key] != nil {
            note(key, .unspecified, "\(key) is not passed on to the App Store")
        }
        if values["gclid"] != nil {
            note("gclid", .deprecatedParameter, "gclid is not passed on; Firebase did not either")
        }
        return members
    }

    private mutating func note(
        _ parameter: String, _ code: FirebaseWarning, _ detail: String, advice: String? = nil
    ) {
        notes.append(FirebaseNote(parameter, code, detail, advice: advice))
    }

    // MARK: Actions

    private mutating func web() -> [(key: String, value: JSONText)] {
        let opensAndroid = isKnown(
            [("apn", .notInProjectAndroidPackageName)], as: "package",
            among: apps.compactMap { $0.android?.package.description })
        let opensIOS = isKnown(
            [("ibi", .notInProjectIOSBundleID), ("ipbi", .notInProjectIPadBundleID)],
            as: "bundle identifier", among: apps.compactMap { $0.ios?.id.bundleIdentifier })
        checkStoreIdentifier(opensIOS)
        if let scheme = values["ius"], !apps.contains(where: { $0.ios?.scheme == scheme }) {
            note(
                "ius", opensIOS ? .unspecified : .unnecessaryIOSURLScheme,
                "no app that opens the collection has the scheme \(quoted(scheme))",
                advice: "set `scheme` of the app in the configuration, where it is for all links")
        }
        var web = [(key: String, value: JSONText)]()
        func add(_ platform: String, _ action: String?) {
            if let action { web.append((platform, .string(action))) }
        }
        let afl = fallback("afl", .notURIAndroidFallbackLink, .badSchemeAndroidFallbackLink)
        let ifl = fallback("ifl", .notURIIOSFallbackLink, .badSchemeIOSFallbackLink)
        let ipfl = fallback("ipfl", .notURIIPadFallbackLink, .badSchemeIPadFallbackLink)
        add("android", afl ?? (opensAndroid ? googlePlay : nil))
        // The page before the store was Firebase's way to open the app from a browser.
        add("ios", ifl ?? (opensIOS ? (flag("efr") ? "store" : "landing") : nil))
        add("ipad", ipfl)
        add("desktop", fallback("ofl", .unspecified, .unspecified))
        return web
    }

    private mutating func checkStoreIdentifier(_ opensIOS: Bool) {
        guard let id = values["isi"] else { return }
        if !id.utf8.allSatisfy(\.isDigit) {
            note("isi", .notNumericIOSAppStoreID, "\(quoted(id)) is no App Store ID")
        } else if opensIOS, !apps.contains(where: { $0.ios?.storeIdentifier == id }) {
            note(
                "isi", .notMatchingIOSBundleIDAndStoreID,
                "the configuration's app has not the App Store ID \(quoted(id))",
                advice: "set `store` of the app, which is what people are led to")
        } else if values["ibi"] == nil, values["ipbi"] == nil {
            note("isi", .unnecessaryIOSAppStoreID, "without ibi, isi leads nowhere")
        }
    }

    /// The URL of a parameter; nil for what is none, which Firebase left out too.
    private mutating func fallback(
        _ key: String, _ notURI: FirebaseWarning, _ badScheme: FirebaseWarning
    ) -> String? {
        guard let url = url(key) else { return nil }
        do throws(WebURLError) {
            _ = try WebURL(url)
            return url
        } catch {
            let hasScheme = url.utf8.contains(UInt8(ascii: ":"))
            let code = if case .scheme = error, hasScheme { badScheme } else { notURI }
            note(key, code, "\(quoted(url)) is left out: \(error)")
            return nil
        }
    }

    private static let utm = [
        "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content",
    ]

    /// Google Play's page of the app; it tells the app the link's UTM parameters.
    private var googlePlay: String {
        let parameters = utmItems { _ in true }
        guard !parameters.isEmpty, let package = values["apn"] else { return "store" }
        return "https://play.google.com/store/apps/details?id=\(package)&referrer="
            + parameters.queryEscaped
    }

    private func utmItems(where isWanted: (String) -> Bool) -> String {
        Self.utm.compactMap { name in
            values[name].flatMap { isWanted(name) ? "\(name)=\($0.queryEscaped)" : nil }
        }.joined(separator: "&")
    }

    /// Whether the link names an app that opens it. Others were refused by Firebase.
    private mutating func isKnown(
        _ parameters: [(String, FirebaseWarning)], as kind: String, among known: [String]
    ) -> Bool {
        var isKnown = false
        for (parameter, code) in parameters {
            guard let value = values[parameter] else { continue }
            if known.contains(value) {
                isKnown = true
            } else {
                note(
                    parameter, code,
                    "no app that opens the collection has the \(kind) \(quoted(value))",
                    advice: "the link leads to no store for it; add the app and publish it")
            }
        }
        return isKnown
    }

    /// The URL of a parameter, with the link's UTM parameters.
    private func url(_ key: String) -> String? {
        guard var text = values[key] else { return nil }
        let start = text.utf8.prefix(9).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        if start.starts(with: "http%3a".utf8) || start.starts(with: "https%3a".utf8) {
            text = queryItems("x=\(text)").first?.value ?? text
        }
        // Browsers escape these, too. A host has no escapes: what it may not have is said of it as it is written.
        var bytes = [UInt8]()
        let authority = Self.authority(of: text)
        for (index, byte) in text.utf8.enumerated() {
            if !authority.contains(index), byte > 0x7F || " \"<>\\^`{|}".utf8.contains(byte) {
                bytes.append(percentEncoded: byte)
            } else {
                bytes.append(byte)
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
        let present = question.map {
            queryItems(String(decoding: bytes[($0 + 1)..<end], as: UTF8.self)).map(\.name)
        }
        let added = utmItems { present?.contains($0) != true }
        guard !added.isEmpty else { return text }
        let separator = question == nil ? "?" : question == end - 1 ? "" : "&"
        return String(decoding: bytes[..<end], as: UTF8.self) + separator + added
            + String(decoding: bytes[end...], as: UTF8.self)
    }

    /// The place of a URL's authority: its host, and what is beside the host up to the path.
    private static func authority(of url: String) -> Range<Int> {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8)
        else { return 0..<0 }
        let start = colon + "://".utf8.count
        return start..<(bytes[start...].firstIndex(where: \.endsAuthority) ?? bytes.endIndex)
    }

    // MARK: Other members

    private mutating func page() -> [(key: String, value: JSONText)] {
        var page = [(key: String, value: JSONText)]()
        if let title = values["st"] { page.append(("title", .string(title))) }
        if let text = values["sd"] { page.append(("description", .string(text))) }
        if let image = values["si"] {
            do throws(WebURLError) {
                if try WebURL(image).isSecure {
                    page.append(("image", .string(image)))
                } else {
                    note(
                        "si", .badSchemeSocialImageLink,
                        "the image \(quoted(image)) is left out: previews need https")
                }
            } catch {
                note(
                    "si", .notURISocialImageLink,
                    "the image \(quoted(image)) is left out: \(error)")
            }
        }
        return page
    }

    private mutating func appleCampaign() -> [(key: String, value: JSONText)] {
        var apple = [(key: String, value: JSONText)]()
        if let provider = values["pt"] {
            if provider.utf8.allSatisfy(\.isDigit), provider.utf8.count <= 18 {
                apple.append(("provider", .string(provider)))
            } else {
                note(
                    "pt", .unspecified,
                    "\(quoted(provider)) is not a provider token, which has digits only")
            }
        }
        if let campaign = values["ct"] {
            if campaign.utf8.count <= Campaign.appleTokenBytesMax {
                apple.append(("campaign", .string(campaign)))
            } else {
                note(
                    "ct", .tooLongParameter,
                    "the campaign has \(campaign.utf8.count) bytes, the App Store takes "
                        + "\(Campaign.appleTokenBytesMax)")
            }
        }
        return apple
    }

    /// Firebase's SDK gave the app the link, and the versions that it should have at least.
    private mutating func appData() -> [(key: String, value: JSONText)] {
        if let version = values["amv"] {
            if !version.utf8.allSatisfy(\.isDigit) {
                note(
                    "amv", .notIntegerAndroidPackageMinVersion,
                    "\(quoted(version)) is no version code, which is a whole number")
            } else if values["apn"] == nil {
                note("amv", .unnecessaryAndroidPackageMinVersion, "without apn, no app gets amv")
            }
        }
        if let link = values["al"] {
            if (try? WebURL(url("al") ?? link)) == nil {
                note("al", .notURIAndroidLink, "\(quoted(link)) is no URL; the app gets it anyway")
            } else if values["apn"] == nil {
                note("al", .unnecessaryAndroidLink, "without apn, no app gets al")
            }
        }
        return ["link", "al", "amv", "imv"].compactMap { key in
            let value = key == "link" || key == "al" ? url(key) : values[key]
            return value.map { (key, .string($0)) }
        }
    }

    private mutating func flag(_ key: String) -> Bool {
        guard let text = values[key] else { return false }
        guard let flag = Self.flag(text) else {
            note(key, .unspecified, Self.noFlag(text))
            return false
        }
        return flag
    }

    /// The value of a text; nil for one that is neither true nor false.
    package static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }

    /// That a text is neither true nor false.
    package static func noFlag(_ text: String) -> String {
        "\(quoted(text)) is neither true nor false, and counts as false"
    }
}
