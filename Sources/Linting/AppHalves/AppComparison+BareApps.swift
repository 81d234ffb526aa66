import AppFiles
import Diagnostics

extension AppComparison {
    /// Adds the apps of Xcode projects that declare nothing, if the site lists apps for iOS, and no file is of one. Where
    /// the project's identifier is another one, or is not known, nothing else would say that no link opens the app.
    func addBareApps(
        to agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        guard !agreements.contains(where: { $0.platform?.isOfApple == true && $0.isOfApp })
        else { return }
        let listed = sites.flatMap { $0.listedApps(for: "applinks") }
        guard !listed.isEmpty else { return }
        for (file, declarations) in files {
            var seen = Set<[String]>()
            for case .apple(let app) in declarations {
                guard let use = app.use, use.isOfApp, !use.configurations.isEmpty,
                    !use.isOfOtherSystem, !use.isOfOtherDevice, !app.isClip,
                    app.lostFile == nil, app.unused == nil, case .missing = app.domains,
                    seen.insert([use.description, use.bundleIdentifier ?? ""]).inserted
                else { continue }
                var found = AppFindings(file: file)
                let name = use.bundleIdentifier.map { quoted($0) } ?? "the app of the project"
                if app.isOpen {
                    found.add(
                        .warning, .entitlementsMissing, app.place,
                        "the site lists \(enumerated(listed)), and which entitlements \(name) has is not known: a file of "
                            + "settings is not in the directory", advice: "give the .ipa")
                } else {
                    found.add(
                        .warning, .domainsMissing, app.place,
                        "the site lists \(enumerated(listed)), and \(name) has no associated domains",
                        advice:
                            "if it is the app, add com.apple.developer.associated-domains to its entitlements, and "
                            + "publish its identifier")
                }
                agreements.append(
                    AppAgreement(
                        app: use.bundleIdentifier, platform: .ios,
                        source: "\(file): \(use.description)", findings: found.list,
                        opening: [.domainsMissing]))
            }
        }
    }
}

extension AppComparison {
    /// Says once that the release of an app has no entitlements, where the project has its configuration, and not a second
    /// time for a file that other builds have, or none.
    func joinUnused(
        _ agreements: inout [AppAgreement],
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) {
        let unused = files.filter { $0.declarations.contains(where: \.isIdle) }.map(\.file)
        var (joined, known) = (Set<String>(), [String: [String]]())
        for index in agreements.indices where !unused.isEmpty {
            guard
                let missing = agreements[index].findings.firstIndex(where: { finding in
                    finding.severity == .error && finding.rule == .domainsMissing
                }), let directory = directory(ofProject: agreements[index].findings[missing])
            else { continue }
            let own = known[directory] ?? unused.filter { $0.utf8.starts(with: directory.utf8) }
            known[directory] = own
            guard !own.isEmpty else { continue }
            joined.formUnion(own)
            let finding = agreements[index].findings[missing]
            agreements[index].findings[missing] = Diagnostic(
                .error, .entitlementsUnused, at: finding.position,
                "\(finding.message), and no release uses \(enumerated(own, quote: quotedPath))",
                advice: "set CODE_SIGN_ENTITLEMENTS of the configuration to the file")
        }
        agreements.removeAll { joined.contains($0.source) }
    }

    /// Says what an `Info.plist` alone has at the app that is nearest to it in the directory, if there is one.
    func joinSchemes(_ agreements: inout [AppAgreement]) {
        let apps = agreements.indices.filter { index in
            agreements[index].platform?.isOfApple == true && agreements[index].isOfApp
        }
        let others = agreements.indices.filter { !agreements[$0].isOfApp }
        guard !apps.isEmpty, !others.isEmpty else { return }
        let paths = apps.map { index in (index, Array(agreements[index].source.utf8)) }
        for other in others {
            let own = Array(agreements[other].source.utf8)
            // The first of those that are as near.
            let near = paths.max { one, two in
                zip(one.1, own).prefix { $0 == $1 }.count
                    < zip(two.1, own).prefix { $0 == $1 }.count
            }
            if let near { agreements[near.0].findings += agreements[other].findings }
        }
        agreements = agreements.indices.filter { !others.contains($0) }.map { agreements[$0] }
    }

    /// The directory that a finding about a project is of, with its slash; nil for other files.
    private func directory(ofProject finding: Diagnostic) -> String? {
        guard let file = finding.position?.file, fileName(of: file) == "project.pbxproj" else {
            return nil
        }
        let parts = file.utf8.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.dropLast(2).map { "\(Substring($0))/" }.joined()
    }

    /// The agreement of files that declare nothing of links, so that nothing was compared.
    package func agreement(ofNothingIn file: String) -> AppAgreement {
        let listed = sites.flatMap { $0.listedApps(for: "applinks") + $0.listedPackages }
        var found = AppFindings(file: file)
        found.add(
            .warning, .appUnknown, nil,
            "no file declares links, so nothing is compared"
                + (listed.isEmpty ? "" : ", and the site lists \(enumerated(listed))"),
            advice:
                "give the .ipa or the .apk, or run the program first that writes the project or the entitlements"
        )
        return AppAgreement(app: nil, platform: nil, source: file, findings: found.list)
    }
}

extension AppDeclaration {
    /// Whether it is of entitlements that no release has, while the release of an app has none.
    fileprivate var isIdle: Bool {
        guard case .apple(let app) = self else { return false }
        return app.unused == .whileAnAppHasNone || app.unused == .whileItsReleaseHasNone
    }
}

extension SiteHalf {
    /// The identifiers that a service lists, each once.
    fileprivate func listedApps(for service: String) -> [String] {
        guard case .read(let services) = apple else { return [] }
        var seen = Set<[UInt8]>()
        return (services[service] ?? []).filter { seen.insert(Array($0.utf8)).inserted }
    }

    /// The application IDs that may open links, in order.
    fileprivate var listedPackages: [String] {
        if case .read(let packages) = android { packages.keys.sorted() } else { [] }
    }
}
