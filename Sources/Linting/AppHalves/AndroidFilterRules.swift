import AppFiles
import Diagnostics
import URISyntax

/// The faults of one intent filter for links of the web, whatever the site publishes.
struct AndroidFilterRules {
    let filter: IntentFilter
    let kind: AndroidDeclaration.Kind
    private let notation: ManifestNotation
    /// Whether the values of the module's resources were read.
    private let isOfCheckout: Bool
    /// The API level of the oldest version of Android on which the app is installed; nil if it is not known.
    let leastAPI: Int?
    /// Those of all filters of the app.
    let verified: VerifiedHosts
    private var isTogether: Bool { verified.isTogether }

    init(_ filter: IntentFilter, of app: AndroidDeclaration, _ verified: VerifiedHosts) {
        (self.filter, kind, leastAPI) = (filter, app.kind, app.leastAPI)
        self.verified = verified
        (notation, isOfCheckout) = (ManifestNotation(app, filter), app.isOfCheckout)
    }

    func examine(_ found: inout AppFindings) {
        for attribute in filter.unread {
            // A filter without android:autoVerify is a warning, too.
            found.add(
                attribute.attribute == "autoVerify" ? .warning : .error,
                .attributeWithoutNamespace, attribute.value.place,
                "\(attribute.attribute)=\(quoted(attribute.value.text)) has no android: before it, so it is not read",
                advice: "write android:\(attribute.attribute)")
        }
        findPlaceholders(&found)
        if filter.lacksScheme, let host = filter.hosts.first {
            found.add(
                isVerifiedElsewhere ? .warning : .error, .manifestSchemeForm, host.place,
                "the filter has hosts, but no scheme, without which Android reads no host",
                advice: "add \(notation.attribute("scheme", "https"))")
        }
        findSchemes(&found)
        findHosts(&found)
        guard filter.isOfWeb else { return }
        AndroidPathRules(filter, kind: kind, leastAPI: leastAPI, notation).examine(&found)
        guard filter.isVerified else { return }
        findClosed(&found)
        let parts: [(isThere: Bool, name: String)] = [
            (filter.isView, "android.intent.action.VIEW"),
            (filter.isDefault, "android.intent.category.DEFAULT"),
            (filter.isBrowsable, "android.intent.category.BROWSABLE"),
        ]
        // What is open was said.
        guard filter.opening.isEmpty else { return }
        let missing = parts.filter { !$0.isThere }.map(\.name)
        if !missing.isEmpty {
            let near = (filter.actions + filter.categories).map(\.text).first { name in
                !parts.map(\.name).contains(where: name.isScalarwise)
                    && nearestName(to: lastPart(of: name), among: missing.map(lastPart)) != nil
            }
            found.add(
                isVerifiedElsewhere ? .warning : .error, .autoVerifyNeeds, filter.place,
                "the filter is not verified: it lacks \(missing.joined(separator: " and "))"
                    + (isVerifiedElsewhere ? "; another one verifies its hosts" : ""),
                advice: near.map { advice(for: $0, among: missing) }
                    ?? "add it: a verified filter has VIEW, DEFAULT and BROWSABLE")
        }
        if let type = filter.mimeTypes.first {
            found.add(
                isVerifiedElsewhere ? .warning : .error, .manifestMIMEType, type.place,
                "the filter requires the type \(quoted(type.text)), which no link has",
                advice: "move \(notation.name("mimeType")) to a filter of its own")
        }
    }

    /// Says which name was meant. Expo writes the first part of a name by itself.
    private func advice(for name: String, among missing: [String]) -> String {
        let word = nearestName(to: lastPart(of: name), among: missing.map(lastPart)) ?? ""
        let meant = missing.first { lastPart(of: $0).isScalarwise(word) } ?? ""
        return name.utf8.count > meant.utf8.count + 4
            ? "write \(quoted(word)) alone: Expo adds the rest of the name"
            : "write \(meant), not \(name)"
    }

    private func findPlaceholders(_ found: inout AppFindings) {
        let undecided = filter.mayBeVerified && !isOpenedElsewhere ? filter.undecided : []
        let ports = filter.authorities.filter { !verified.withoutPort.take($0.host.text) }
            .compactMap(\.port)
        let values =
            filter.schemes + filter.hosts + [filter.autoVerify].compactMap(\.self) + undecided
            + (filter.isVerified ? filter.opening + ports : [])
        for value in values where value.isUnresolved {
            found.add(
                .warning, .manifestPlaceholder, value.place,
                "\(quoted(value.text)) is filled in by \(isReference(value) ? "a resource" : "Gradle"), so "
                    + "it is not known here",
                advice: advice(isReference(value)))
        }
        let others =
            ports + filter.mimeTypes + (filter.paths + filter.groups.flatMap(\.parts)).map(\.value)
        let parts = filter.schemes + filter.hosts + (filter.isVerified ? others : [])
        for value in parts where value.dependsOnDevice {
            found.add(
                .warning, .manifestPlaceholder, value.place,
                "\(value.shown) is a resource of which languages, screens or modes have values of their own: Android "
                    + "takes none of them, so nothing is there",
                advice: "write the value in the manifest, or leave one value, in res/values")
        }
    }

    private func advice(_ isReference: Bool) -> String {
        guard kind == .source else {
            return
                "write the value in the manifest: versions of Android have different ones, or none is known"
        }
        guard !isReference || !isOfCheckout else {
            return "give the .apk: the module's resources do not have one value for it"
        }
        return isReference
            ? "give the .apk, or the checkout with the module's res/values, where the value stands once"
            : AndroidComparison.mergedManifest
    }

    private func isReference(_ value: IntentFilter.Value) -> Bool {
        value.text.utf8.first == UInt8(ascii: "@") || value.text.utf8.first == UInt8(ascii: "?")
    }

    private func findSchemes(_ found: inout AppFindings) {
        for scheme in filter.schemes where !scheme.isUnresolved {
            let plain = scheme.text.utf8.prefix {
                $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/")
            }
            let meant = String(decoding: Array(plain), as: UTF8.self).lowercased()
            if isWebScheme(meant), !isWebScheme(scheme.text) {
                found.add(
                    isVerifiedElsewhere ? .warning : .error, .manifestSchemeForm, scheme.place,
                    "\(scheme.shown) is no scheme of links: they are compared with it to the letter",
                    advice: "write \(notation.attribute("scheme", meant))")
            } else if filter.isVerified, filter.isOfWeb, !isWebScheme(scheme.text),
                filter.hosts.isEmpty || !isVerifiedElsewhere
            {
                found.add(
                    // A filter without hosts has nothing to verify.
                    filter.hosts.isEmpty || isTogether ? .warning : .error, .mixedSchemes,
                    scheme.place,
                    isTogether
                        ? "the filter is verified only because the app is made for Android 11 or earlier, and another one "
                            + "is: it also has the scheme \(scheme.shown)"
                        : "the filter is not verified, because it also has the scheme \(scheme.shown)",
                    advice: "move the scheme to an intent-filter of its own")
            }
        }
    }

    private func findHosts(_ found: inout AppFindings) {
        guard filter.isOfWeb else { return }
        // Android leaves an empty host out.
        let isVerifiedWithoutEmpty = verified.isVerified(besides: filter)
        for host in filter.hosts where !host.isUnresolved {
            let isWildcard = host.text.utf8.starts(with: "*.".utf8)
            let name = String(decoding: host.text.utf8.dropFirst(isWildcard ? 2 : 0), as: UTF8.self)
            // A filter for every host opens a dialog, which some apps want; it cannot be verified.
            if host.text == "*" {
                if filter.isVerified { addEveryHost(host, &found) }
                continue
            }
            if isAndroidHost(name) {
                if filter.isVerified { findLetterCase(host, name, &found) }
                continue
            }
            found.add(
                host.text.isEmpty && isVerifiedWithoutEmpty ? .warning : .error,
                .manifestHostForm, host.place,
                host.text.isEmpty
                    ? "the host\(host.whence) is empty, so no link has it"
                    : "\(host.shown) is no host, so it is not verified",
                advice: name.utf8.allSatisfy { $0 < 0x80 }
                    ? "write a host alone, such as www.example.com or *.example.com"
                    : "write the host in punycode")
        }
    }

    /// Android verifies hosts as they are written (AOSP, `DomainVerificationCollector`), and browsers write those of links in small
    /// letters.
    private func findLetterCase(
        _ host: IntentFilter.Value, _ name: String, _ found: inout AppFindings
    ) {
        guard name.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return }
        found.add(
            .error, .manifestHostForm, host.place,
            "\(host.shown) has capital letters, and Android verifies it as it is written, which is not the host of a link",
            advice: "write \(quoted(name.lowercased()))")
    }

    private func addEveryHost(_ host: IntentFilter.Value, _ found: inout AppFindings) {
        found.add(
            .warning, .manifestHostForm, host.place,
            "\"*\" is every host, so it is not verified, and links open the browser or a dialog",
            advice: "name the hosts, or remove \(notation.name("autoVerify")), which has no effect")
    }

    /// Reasons why links do not reach the activity, although its hosts are verified.
    private func findClosed(_ found: inout AppFindings) {
        if !filter.isExported, !isOpenedElsewhere {
            found.add(
                // A manifest of source is merged with others, which can say otherwise.
                kind == .source ? .warning : .error, .manifestNotExported, filter.place,
                "the activity \(quoted(filter.component)) is not exported, so links of other apps do not reach it",
                advice: "write android:exported=\"true\" on the activity")
        }
        findPermission(&found)
        if filter.isDisabled {
            found.add(
                .note, .manifestDisabled, filter.place,
                "the activity \(quoted(filter.component)) is switched off until the app switches it on; its hosts "
                    + "are verified all the same",
                advice: "remove android:enabled=\"false\", unless the app switches it on")
        }
        if let value = filter.enabling {
            found.add(
                .note, .manifestDisabled, value.place,
                "\(quoted(value.text)) decides whether the activity \(quoted(filter.component)) is switched on; its "
                    + "hosts are verified all the same",
                advice: "write android:enabled=\"true\", unless the app switches it on")
        }
        findPorts(&found)
    }

    private func findPermission(_ found: inout AppFindings) {
        guard let permission = filter.permissionOfOwn, !isOpenedElsewhere else { return }
        found.add(
            kind == .source ? .warning : .error, .manifestNotExported, permission.place,
            "the activity \(quoted(filter.component)) requires the permission \(quoted(permission.text)), which browsers "
                + "do not have",
            advice: "remove android:permission from the "
                + (filter.isPermissionOfApplication ? "application" : "activity")
                + ", or write a second activity for links")
    }

    /// Whether the hosts of the filter, which is not verified, are also those of filters that are.
    private var isVerifiedElsewhere: Bool {
        !filter.hosts.isEmpty
            && filter.hosts.allSatisfy { !$0.isUnresolved && verified.verified.take($0.text) }
    }

    /// Whether the hosts of the filter are also those of filters whose activities others can start.
    private var isOpenedElsewhere: Bool {
        filter.hosts.allSatisfy { verified.opened.take($0.text) }
    }

    /// A link has one of the authorities, each with its own port, so a port is no fault beside the host without one.
    private func findPorts(_ found: inout AppFindings) {
        for authority in filter.authorities {
            // Android takes -1 for every port.
            guard let port = authority.port, !port.isUnresolved, port.text != "-1" else { continue }
            guard !verified.withoutPort.take(authority.host.text) else { continue }
            found.add(
                // Another host is of a server for development, perhaps.
                verified.withoutPort.isEmpty ? .error : .note, .manifestPort, port.place,
                "a link must have port \(quoted(port.text)) to fit, and links have none",
                advice: "remove \(notation.name("port")): 443 is that of https")
        }
    }
}
