// What the names of an Xcode project's configurations say of their builds.

/// Whether a configuration, or a file, is one of releases by its name. `PreRelease` is for testers.
package func isCalledRelease(_ name: String) -> Bool {
    let letters = letters(of: name.utf8)
    return holds("release", in: letters) && !holds("prerelease", in: letters)
}

/// Whether a configuration beside that of releases is for everybody, too. One such as `Distribution-AdHoc` is for testers.
func isCalledProduction(_ name: String) -> Bool {
    let letters = letters(of: name.utf8)
    return productionWords.contains { holds($0, in: letters) }
        && !isCalledForTests(name)
}

/// Whether a configuration is for developers, testers or employees alone.
func isCalledForTests(_ name: String) -> Bool {
    let letters = letters(of: name.utf8)
    return otherWords.contains { holds($0, in: letters) }
}

/// Whether a configuration, or a file, is that of a debug build.
package func isCalledDebug(_ name: String) -> Bool { holds("debug", in: name.lowercased()) }

extension XcodeProjects {
    /// The configurations of apps that are not compared, because their names are neither those of releases nor those of
    /// debug builds; each target once, for people.
    var otherConfigurations: [String] { projects.flatMap(\.otherConfigurations) }

    /// Whether the release of an app has entitlements that are not known, such as those of a file that is missing.
    func haveUnknownApps(_ isMissing: (String) -> Bool) -> Bool {
        projects.contains { !$0.openApps.isEmpty || !$0.appsWithoutFile(isMissing).isEmpty }
    }
}

extension XcodeProject {
    /// Those of one project. A target without entitlements has no links.
    fileprivate var otherConfigurations: [String] {
        var seen = Set<[UInt8]>()
        let targets = configurations.map(\.target).filter { seen.insert(Array($0.utf8)).inserted }
        return targets.compactMap { target in
            let all = configurationsByTarget[Array(target.utf8)] ?? []
            let others = all.filter { configuration in
                !configuration.isRelease && !configuration.isDebug && !configuration.isForMac
                    && !holds("profile", in: letters(of: configuration.name.utf8))
            }
            guard !others.isEmpty, all.contains(where: { $0.isApp || $0.isClip }),
                all.contains(where: { $0.entitlements != .absent })
            else { return nil }
            let place = directory.isEmpty ? "" : "\(directory): "
            return "\(place)target \(target), \(others.map(\.name).joined(separator: ", "))"
        }
    }
}

private let productionWords: [StaticString] = ["production", "appstore", "distribution"]

/// Words for builds that not everybody has.
private let otherWords: [StaticString] = [
    "adhoc", "alpha", "beta", "debug", "demo", "dev", "enterprise", "inhouse", "internal",
    "nonprod", "notprod", "preprod", "preview", "profile", "qa", "sandbox", "stage", "staging",
    "test", "uat",
]
