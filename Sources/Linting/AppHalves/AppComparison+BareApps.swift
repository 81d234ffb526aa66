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

extension SiteHalf {
    /// The identifiers that a service lists, each once.
    fileprivate func listedApps(for service: String) -> [String] {
        guard case .read(let services) = apple else { return [] }
        var seen = Set<[UInt8]>()
        return (services[service] ?? []).filter { seen.insert(Array($0.utf8)).inserted }
    }
}
