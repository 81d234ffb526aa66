package import AppFiles
import Diagnostics

/// The hosts for which the iOS apps of a project open links, beside those of its Android apps.
struct PlatformComparison {
    private var ios = Side()
    private var android = Side()

    private struct Side {
        var hosts = [(host: String, isWildcard: Bool)]()
        /// The file and the place that another host would be added to.
        var file: String?
        var place: TextPlace?
        /// Whether a host is not known.
        var isOpen = false
        /// The app that the hosts are of, as far as it is known, and its flavour.
        var app: String?
        var flavor: String?

        /// Leaves it open if the hosts are of several apps or flavours, which may have others each.
        mutating func note(app other: String?, flavor otherFlavor: String? = nil) {
            if let other {
                if let app, !app.isScalarwise(other) { isOpen = true }
                app = other
            }
            if let otherFlavor {
                if let flavor, !flavor.isScalarwise(otherFlavor) { isOpen = true }
                flavor = otherFlavor
            }
        }

        func covers(_ host: String, _ isWildcard: Bool) -> Bool {
            hosts.contains { own in
                own.isWildcard
                    ? host.utf8.suffix(own.host.utf8.count + 1).elementsEqual(".\(own.host)".utf8)
                        || isWildcard && host.isScalarwise(own.host)
                    : !isWildcard && host.isScalarwise(own.host)
            }
        }
    }

    init(_ files: [(file: String, declarations: [AppDeclaration])]) {
        for (file, declarations) in files {
            for declaration in declarations {
                switch declaration {
                case .apple(let app): add(app, file)
                case .android(let app): add(app, file)
                case .key: break
                case .program: (ios.isOpen, android.isOpen) = (true, true)
                }
            }
        }
    }

    private mutating func add(_ app: AppleDeclaration, _ file: String) {
        guard app.kind != .profile, app.unused == nil, !app.isClip,
            case .list(let entries) = app.domains
        else { return }
        for entry in entries {
            do throws(AssociatedDomain.Fault) {
                let domain = try AssociatedDomain(entry.text)
                guard domain.service.isScalarwise("applinks"), !domain.isForDevelopers else {
                    continue
                }
                ios.note(app: app.use?.bundleIdentifier ?? app.applicationIdentifier)
                if ios.file == nil { (ios.file, ios.place) = (file, app.place) }
                ios.hosts.append((domain.host, domain.isWildcard))
            } catch {
                if case .variable = error { ios.isOpen = true }
            }
        }
    }

    private mutating func add(_ app: AndroidDeclaration, _ file: String) {
        for filter in app.filters where filter.isOfWeb && filter.isView {
            if filter.autoVerify?.isUnresolved == true { android.isOpen = true }
            guard filter.isVerified else { continue }
            android.note(app: app.applicationID, flavor: app.flavor)
            for host in filter.hosts {
                guard !host.isUnresolved else {
                    android.isOpen = true
                    continue
                }
                if android.file == nil { (android.file, android.place) = (file, filter.place) }
                // Every host is none that an entry can name.
                guard host.text != "*" else {
                    android.isOpen = true
                    continue
                }
                let isWildcard = host.text.utf8.starts(with: "*.".utf8)
                let name = String(Substring(host.text.utf8.dropFirst(isWildcard ? 2 : 0)))
                android.hosts.append((name.lowercased(), isWildcard))
            }
        }
    }

    /// The findings, each with its file. There are none if a platform has no hosts.
    var findings: [(file: String, finding: Diagnostic)] {
        guard !ios.isOpen, !android.isOpen else { return [] }
        return [
            finding(
                of: android, missingIn: ios, "the manifest verifies",
                "no associated domain is for it", { "add applinks:\($0) to the associated domains" }
            ),
            finding(
                of: ios, missingIn: android, "the associated domains have",
                "no filter verifies it", { "add <data android:host=\"\($0)\"/> to the filter" }),
        ].compactMap(\.self)
    }

    private func finding(
        of one: Side, missingIn other: Side, _ fact: String, _ lack: String,
        _ advice: (String) -> String
    ) -> (file: String, finding: Diagnostic)? {
        guard let file = other.file else { return nil }
        let missing = one.hosts.filter { !other.covers($0.host, $0.isWildcard) }
            .map { $0.isWildcard ? "*.\($0.host)" : $0.host }
        guard let first = missing.first else { return nil }
        var found = AppFindings(file: file)
        found.add(
            .warning, .platformsDifferInHosts, other.place,
            "\(fact) \(enumerated(missing)), and \(lack)", advice: advice(first))
        return found.list.first.map { (file, $0) }
    }
}

extension AppComparison {
    /// Adds what differs between the platforms of one project. A site that says its hosts says this of each by
    /// itself.
    package func addPlatforms(
        to agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        guard sites.allSatisfy({ $0.hosts == nil }) else { return }
        let parts = files.map { part in
            (file: part.file, declarations: compared(part.declarations))
        }
        for (file, finding) in PlatformComparison(parts).findings {
            let index = agreements.firstIndex { agreement in
                agreement.source.utf8.starts(with: file.utf8)
            }
            if let index { agreements[index].findings.append(finding) }
        }
    }
}
