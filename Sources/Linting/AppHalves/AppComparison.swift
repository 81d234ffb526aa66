package import AppFiles
package import Diagnostics

/// Compares files of apps with what sites publish.
package struct AppComparison: Sendable {
    let sites: [SiteHalf]
    let claimed: ClaimedApp
    /// The bundle identifiers that sites list for any service, which each flavour of a project is looked up in.
    let listedBundles: Set<[UInt8]>
    /// The bundle identifiers and application IDs of apps that other environments publish.
    let elsewhere: Set<String>
    /// The entries of each site's `apple-app-site-association`, as far as they were searched for the files so far.
    private var siteEntries: [OpeningEntries?]

    /// - Parameters:
    ///   - claimed: the app that files without an identifier are of.
    ///   - elsewhere: the bundle identifiers and application IDs that other environments publish.
    package init(
        _ sites: [SiteHalf], claimed: ClaimedApp = ClaimedApp(), elsewhere: Set<String> = []
    ) {
        (self.sites, self.claimed, self.elsewhere) = (sites, claimed, elsewhere)
        siteEntries = sites.map { $0.appleRules.map { OpeningEntries($0) } }
        listedBundles = sites.reduce(into: []) { bundles, site in
            guard case .read(let services) = site.apple else { return }
            for app in AssociatedDomain.services.lazy.flatMap({ services[$0] ?? [] }) {
                bundles.insert(Array(app.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()))
            }
        }
    }

    /// The agreements of what a file declares.
    /// - Parameter file: the file's name in positions.
    package mutating func compare(
        _ declarations: [AppDeclaration], file: String
    ) -> [AppAgreement] {
        var forms = AndroidForms()
        return compared(declarations).compactMap { declaration in
            switch declaration {
            case .apple(let app):
                var comparison = AppleComparison(
                    app, file: file, sites, claimed: claimed)
                return comparison.agreement(&siteEntries)
            case .android(let app):
                var comparison = AndroidComparison(app, file: file, sites, claimed: claimed)
                return forms.agreement(of: &comparison)
            case .key(let key):
                return KeyComparison(key, file: file, sites, claimed: claimed.android).agreement
            case .program(let program): return Self.agreement(of: program, file: file)
            }
        }
    }

    /// The declarations of a file that sites are compared with.
    func compared(_ declarations: [AppDeclaration]) -> [AppDeclaration] {
        func isOfApple(_ index: Int) -> Bool {
            if case .apple = declarations[index] { true } else { false }
        }
        let meant = declarations.indices.filter { !isOfOtherFlavor(declarations[$0]) }
        // A file such as that of Expo or Cordova has the apps of both systems, whose identifiers can differ.
        let chosen =
            released(meant.filter(isOfApple), of: declarations)
            + released(meant.filter { !isOfApple($0) }, of: declarations)
        return (chosen + missed(of: declarations, beside: chosen)).map { declarations[$0] }
    }

    /// Whether the caller or a site is about other flavours than the one that a file is of.
    private func isOfOtherFlavor(_ declaration: AppDeclaration) -> Bool {
        func isMeant(_ id: String) -> Bool {
            claimed.android.map(id.isScalarwise) ?? sites.contains { $0.lists(package: id) }
        }
        switch declaration {
        case .android(let app):
            guard let own = app.applicationID else { return false }
            return !isMeant(own) && app.others.contains(where: isMeant)
        case .apple(let app):
            guard let own = app.use?.bundleIdentifier, let others = app.use?.others else {
                return false
            }
            guard !isAbout(bundle: own) else { return false }
            return others.contains(where: isAbout) || isOfOtherTarget(app)
        case .key, .program: return false
        }
    }

    /// Whether the caller or a site is about an iOS app.
    func isAbout(bundle: String) -> Bool {
        claimed.ios.map { $0.isIdentifier(ofBundle: bundle) }
            ?? listedBundles.contains(Array(bundle.utf8))
    }

    /// Of the apps that a project builds from one file, such as those of several flavours: the one that the caller
    /// names, or those that a site lists; all if there is none.
    private func released(_ indices: [Int], of declarations: [AppDeclaration]) -> [Int] {
        func bundle(_ index: Int) -> String? {
            switch declarations[index] {
            // The build for Macs stands beside that for iOS.
            case .apple(let app): app.use?.isOfOtherSystem == true ? nil : app.use?.bundleIdentifier
            case .android(let app): app.kind == .source ? app.applicationID : nil
            case .key, .program: nil
            }
        }
        guard Set(indices.map(bundle)).count > 1 else { return indices }
        let named = indices.filter { index in
            guard let bundle = bundle(index) else { return false }
            return claimed.ios?.isIdentifier(ofBundle: bundle) == true
                || claimed.android?.isScalarwise(bundle) == true
        }
        if !named.isEmpty { return named }
        let listed = indices.filter { index in
            guard let bundle = bundle(index) else { return true }
            return listedBundles.contains(Array(bundle.utf8))
                || sites.contains { $0.lists(package: bundle) }
        }
        return listed.isEmpty ? indices : listed
    }

    /// Nothing is run, so it is not known what a program declares.
    private static func agreement(of program: AppProgram, file: String) -> AppAgreement {
        var found = AppFindings(file: file)
        switch program {
        case .expo:
            found.add(
                .warning, .appUnknown, nil,
                "the file is a program, and what it declares is known when it runs",
                advice:
                    "give the .ipa and the .apk, or a file with what npx expo config --json prints")
        case .cordova:
            found.add(
                .warning, .appUnknown, nil,
                "a plugin of Cordova adds the links, and what it declares is known when it has run",
                advice:
                    "give the .ipa and the .apk, or this directory after cordova prepare, with platforms/ios and "
                    + "platforms/android")
        }
        return AppAgreement(app: nil, platform: nil, source: file, findings: found.list)
    }

    /// The finding about a file that is not what its format requires.
    package static func finding(of fault: FormatFault, file: String) -> Diagnostic {
        Diagnostic(
            fault.isOfOtherKind ? .warning : .error, .appFileForm,
            at: SourcePosition(
                file: file, line: fault.place?.line ?? 1, column: fault.place?.column ?? 1),
            "the file \(fault.fact)", advice: fault.advice)
    }

    /// The agreement of such a file: nothing is known of it.
    package static func agreement(of fault: FormatFault, file: String) -> AppAgreement {
        AppAgreement(
            app: nil, platform: nil, source: file, findings: [finding(of: fault, file: file)])
    }
}
