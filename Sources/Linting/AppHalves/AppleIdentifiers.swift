import AppFiles
import Diagnostics

extension SiteHalf {
    /// Whether a service lists an app.
    func lists(_ identifier: String, for service: String) -> Bool {
        listed?.lists(identifier, for: service) == true
    }

    /// Whether a service lists an app with any prefix.
    func lists(bundle: String, for service: String) -> Bool {
        listed?.lists(bundle: bundle, for: service) == true
    }

    /// Whether it lists an App Clip of the app with a bundle identifier. The app declares its domains, too, and is not
    /// listed for them.
    func listsClip(ofBundle bundle: String) -> Bool {
        guard case .read(let services) = apple else { return false }
        return services["appclips"]?.contains { clip in
            clip.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().starts(with: "\(bundle).".utf8)
        } == true
    }

    func lists(package: String) -> Bool {
        if case .read(let packages) = android { packages[package] != nil } else { false }
    }

    /// Whether a statement or the configuration is about a package, also where it does not list it.
    func names(package: String) -> Bool {
        lists(package: package) || named.contains(package) || sharing.contains(package)
            || links[package] != nil
    }
}

extension String {
    /// Whether it is a bundle identifier behind a prefix.
    func isIdentifier(ofBundle bundle: String) -> Bool {
        utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst().elementsEqual(bundle.utf8)
    }
}

extension AppleDeclaration {
    /// The identifier of an app whose source this is; nil if it is not known. A caller who names the app knows its
    /// prefix, which the project's team need not be.
    var sourceIdentifier: String? {
        claimed
            ?? use.flatMap { use in
                use.team.flatMap { team in use.bundleIdentifier.map { "\(team).\($0)" } }
            }
    }
}
