import Diagnostics
private import JSONSyntax
import SiteConfiguration
import URISyntax

/// A file of JSON below `/.well-known/`.
struct WellKnownReading {
    private let file: String
    private(set) var findings = [Diagnostic]()

    init(_ bytes: [UInt8], _ name: String, file: String) {
        self.file = file
        let document = JSONDocument(bytes, file: file)
        guard document.isValid, let root = document.root else {
            findings = document.diagnostics
            return
        }
        switch name {
        case WellKnownFile.webauthn.rawValue: readOrigins(root)
        case WellKnownFile.passkeyEndpoints.rawValue: readEndpoints(root)
        case WellKnownFile.appLinking.rawValue: readApps(root)
        default: break
        }
    }

    private func position(_ value: JSONValue) -> SourcePosition {
        SourcePosition(file: file, line: value.start.line, column: value.start.column)
    }

    private mutating func report(
        _ value: JSONValue, _ message: String, advice: String, severity: Severity = .error
    ) {
        guard findings.count < Self.findingsMax else { return }
        findings.append(
            Diagnostic(
                severity, .wellKnownForm, at: position(value), message, advice: advice))
    }

    /// Browsers refuse the whole list for one item that is no text, and leave out what is no origin of https (WebAuthn
    /// Level 3 §5.11).
    private mutating func readOrigins(_ root: JSONValue) {
        let usual = "write {\"origins\": [\"https://www.example.com\"]}"
        guard let items = root["origins"]?.elements else {
            return report(root, "the file has no list `origins`", advice: usual)
        }
        var origins = [RelatedOrigin]()
        for item in items {
            guard let text = item.text else {
                report(
                    item,
                    "an origin is \(item.kind), must be a string, so browsers refuse the list",
                    advice: usual)
                continue
            }
            do throws(WebURLError) {
                let url = try WebURL(text)
                if url.isSecure {
                    origins.append(RelatedOrigin(url, at: position(item)))
                } else {
                    report(
                        item, "\(quoted(text)) has no passkeys, which need https",
                        advice: "write https://, or remove it", severity: .warning)
                }
            } catch {
                report(
                    item, "\(quoted(text)) is no origin, so browsers leave it out: \(error)",
                    advice: "write the scheme and the host, such as https://www.example.com",
                    severity: .warning)
            }
        }
        findings += [Site.finding(ofOrigins: origins)].compactMap(\.self)
    }

    /// Each page may be missing (W3C, "A Well-Known URL for Relying Party Passkey Endpoints").
    private mutating func readEndpoints(_ root: JSONValue) {
        guard root.members != nil else {
            return report(
                root, "the file is \(root.kind), must be an object",
                advice: "write {\"enroll\": \"https://…\", \"manage\": \"https://…\"}")
        }
        for key in ["enroll", "manage", "prfUsageDetails"] {
            guard let value = root[key] else { continue }
            let url = value.text.flatMap { try? WebURL($0) }
            guard url?.isSecure != true else { continue }
            report(
                value,
                "`\(key)` is \(value.text.map { quoted($0) } ?? value.kind), must be a URL of https",
                advice: "write the whole URL of the page")
        }
    }

    /// Huawei, "App Linking".
    private mutating func readApps(_ root: JSONValue) {
        let usual = "write {\"applinking\": {\"apps\": [{\"appIdentifier\": \"…\"}]}}"
        guard let apps = root["applinking"]?["apps"]?.elements else {
            return report(root, "the file has no list `apps` in `applinking`", advice: usual)
        }
        if apps.isEmpty { report(root, "the file names no app", advice: usual) }
        for app in apps where app["appIdentifier"]?.text?.isEmpty != false {
            report(app, "an app has no `appIdentifier`", advice: usual)
        }
    }

    private static let findingsMax = 100
}
