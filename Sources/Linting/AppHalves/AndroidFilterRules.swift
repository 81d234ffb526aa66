import AppFiles
import Diagnostics
import URISyntax

/// The faults of one intent filter for links of the web, whatever the site publishes.
struct AndroidFilterRules {
    let filter: IntentFilter
    let kind: AndroidDeclaration.Kind

    init(_ filter: IntentFilter, kind: AndroidDeclaration.Kind) {
        (self.filter, self.kind) = (filter, kind)
    }

    func examine(_ found: inout AppFindings) {
        findPlaceholders(&found)
        findSchemes(&found)
        findHosts(&found)
        if filter.isOfWeb { findPaths(&found) }
        guard filter.isVerified, filter.isOfWeb else { return }
        let parts: [(isThere: Bool, name: String)] = [
            (filter.isView, "android.intent.action.VIEW"),
            (filter.isDefault, "android.intent.category.DEFAULT"),
            (filter.isBrowsable, "android.intent.category.BROWSABLE"),
        ]
        let missing = parts.filter { !$0.isThere }.map(\.name)
        if !missing.isEmpty {
            found.add(
                .error, .autoVerifyNeeds, filter.place,
                "the filter is not verified: it lacks \(missing.joined(separator: " and "))",
                advice: "add it: a verified filter has VIEW, DEFAULT and BROWSABLE")
        }
        if let type = filter.mimeTypes.first {
            found.add(
                .error, .manifestMIMEType, type.place,
                "the filter requires the type \(quoted(type.text)), which no link has",
                advice: "move android:mimeType to a filter of its own")
        }
    }

    private func findPlaceholders(_ found: inout AppFindings) {
        let values = filter.schemes + filter.hosts + [filter.autoVerify].compactMap(\.self)
        for value in values where value.isUnresolved {
            found.add(
                .warning, .manifestPlaceholder, value.place,
                "\(quoted(value.text)) is filled in by \(isReference(value) ? "a resource" : "Gradle"), so "
                    + "it is not known here",
                advice: advice(isReference(value)))
        }
    }

    private func advice(_ isReference: Bool) -> String {
        guard kind == .source else {
            return
                "write the value in the manifest: versions of Android have different ones, or none is known"
        }
        return isReference
            ? "give the .apk, or the checkout with the module's res/values, where the value stands once"
            : "give the .apk, or the merged manifest of app/build/intermediates"
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
                    .error, .manifestSchemeForm, scheme.place,
                    "\(quoted(scheme.text)) is no scheme of links: they are compared with it to the letter",
                    advice: "write android:scheme=\"\(meant)\"")
            } else if filter.isVerified, filter.isOfWeb, !isWebScheme(scheme.text) {
                found.add(
                    // A filter without hosts has nothing to verify.
                    filter.hosts.isEmpty ? .warning : .error, .mixedSchemes, scheme.place,
                    "the filter is not verified, because it also has the scheme \(quoted(scheme.text))",
                    advice: "move the scheme to an intent-filter of its own")
            }
        }
    }

    private func findHosts(_ found: inout AppFindings) {
        guard filter.isOfWeb else { return }
        for host in filter.hosts where !host.isUnresolved {
            let isWildcard = host.text.utf8.starts(with: "*.".utf8)
            let name = String(decoding: host.text.utf8.dropFirst(isWildcard ? 2 : 0), as: UTF8.self)
            // A filter for every host opens a dialog, which some apps want; it cannot be verified.
            if host.text == "*" {
                if filter.isVerified { addEveryHost(host, &found) }
                continue
            }
            guard (try? HostName(name)) == nil else { continue }
            found.add(
                .error, .manifestHostForm, host.place,
                host.text.isEmpty
                    ? "the host is empty, so no link has it"
                    : "\(quoted(host.text)) is no host, so it is not verified",
                advice: name.utf8.allSatisfy { $0 < 0x80 }
                    ? "write a host alone, such as www.example.com or *.example.com"
                    : "write the host in punycode")
        }
    }

    private func addEveryHost(_ host: IntentFilter.Value, _ found: inout AppFindings) {
        found.add(
            .warning, .manifestHostForm, host.place,
            "\"*\" is every host, so it is not verified, and links open the browser or a dialog",
            advice: "name the hosts, or remove android:autoVerify, which has no effect")
    }

    private func findPaths(_ found: inout AppFindings) {
        for path in filter.paths where !path.value.isUnresolved {
            let text = path.value.text
            // An empty path is that of a link to the host alone.
            guard let first = text.utf8.first else { continue }
            let isPlain = path.attribute == "path" || path.attribute == "pathPrefix"
            let mayBegin =
                first == UInt8(ascii: "/")
                || path.attribute == "pathPattern" && first == UInt8(ascii: ".")
            if isPlain || path.attribute == "pathPattern", !mayBegin {
                found.add(
                    .error, .pathWithoutSlash, path.value.place,
                    "\(path.attribute) \(quoted(text)) does not begin with a slash, so it fits no link",
                    advice: "write android:\(path.attribute)=\"/…\"")
            } else if isPlain,
                text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") })
            {
                found.add(
                    .error, .pathHasStar, path.value.place,
                    "\(path.attribute) \(quoted(text)) is compared to the letter, and links seldom have * or ?",
                    advice:
                        "write android:pathPrefix with what stands before it, or android:pathPattern; queries "
                        + "are not compared")
            }
        }
    }
}
