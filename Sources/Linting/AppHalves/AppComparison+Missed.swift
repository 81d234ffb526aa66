import AppFiles
import Diagnostics

// The apps of source that no other one stands for, and those that others do.

extension AppComparison {
    /// Apps of a file that a site does not list beside others, and that are compared all the same: they declare a host whose
    /// site lists none of the project's apps, and no compared app of the file declares it.
    /// - Parameter chosen: the numbers of those that are compared anyway.
    func missed(of declarations: [AppDeclaration], beside chosen: [Int]) -> [Int] {
        guard claimed.ios == nil, claimed.android == nil, chosen.count < declarations.count else {
            return []
        }
        let (bundles, packages) = identifiers(of: declarations)
        let apple = sites.filter { site in
            guard let listed = site.listed else { return !site.lacksApple }
            return !listed.listsAny(ofBundles: bundles)
        }
        let android = sites.filter { site in
            !site.lacksAndroid && !packages.contains { site.lists(package: $0) }
        }
        guard !apple.isEmpty || !android.isEmpty else { return [] }
        let known = Set(chosen)
        let declared = Set(chosen.flatMap { Self.hosts(of: declarations[$0]) })
        return declarations.indices.filter { index in
            guard !known.contains(index), let app = SourceApp(declarations[index]) else {
                return false
            }
            let strange = (app.isOfApple ? apple : android).filter {
                // Of the hosts of developers, nobody has said that they are of the site.
                !$0.isLive || !app.isForDevelopers
            }
            return !strange.isEmpty
                && Self.hosts(of: declarations[index]).contains { host in
                    !declared.contains(host) && strange.contains { $0.answers(host.name) }
                }
        }
    }

    /// The identifiers of the apps of a file's projects.
    private func identifiers(
        of declarations: [AppDeclaration]
    ) -> (bundles: Set<[UInt8]>, packages: Set<String>) {
        var (bundles, packages, projects) = (Set<[UInt8]>(), Set<String>(), Set<String>())
        for declaration in declarations {
            switch declaration {
            case .apple(let app):
                guard let use = app.use else { continue }
                bundles.formUnion(
                    (use.others + [use.bundleIdentifier].compactMap(\.self)).map { Array($0.utf8) })
                if projects.insert(use.project).inserted { bundles.formUnion(use.siblings) }
            case .android(let app):
                packages.formUnion(app.others + [app.applicationID].compactMap(\.self))
            case .key, .program: break
            }
        }
        return (bundles, packages)
    }

    /// A host that systems ask, with the kind of system.
    struct Host: Hashable {
        let name: String
        let isOfApple: Bool
    }

    /// The hosts that an app asks everybody's devices to open links of, or to share passwords with.
    static func hosts(of declaration: AppDeclaration) -> [Host] {
        switch declaration {
        case .apple(let app):
            guard case .list(let domains) = app.domains else { return [] }
            return domains.compactMap { domain in
                guard let entry = try? AssociatedDomain(domain.text), !entry.isForDevelopers,
                    // A file for App Clips lists them, and not the app.
                    app.isClip || !entry.service.isScalarwise("appclips")
                else { return nil }
                return Host(name: entry.host, isOfApple: true)
            }
        case .android(let app):
            return app.filters.filter { $0.isForWebLinks && $0.mayBeVerified }.flatMap(\.hosts)
                .filter { !$0.isUnresolved }.map { host in
                    let isWildcard = host.text.utf8.starts(with: "*.".utf8)
                    let name = String(Substring(host.text.utf8.dropFirst(isWildcard ? 2 : 0)))
                    return Host(name: name.lowercased(), isOfApple: false)
                }
        case .key, .program: return []
        }
    }

    /// Whether another target of the project is the app that the caller names, or, for a build for developers, one that a
    /// site lists. Others may be apps of their own.
    func isOfOtherTarget(_ app: AppleDeclaration) -> Bool {
        guard let use = app.use, use.isOfApp, !app.isClip, !use.siblings.isEmpty else {
            return false
        }
        if let name = claimed.ios { return use.siblings.contains(Array(bundleBytes(name))) }
        return SourceApp(.apple(app))?.isForDevelopers == true
            && !use.siblings.isDisjoint(with: listedBundles)
    }
}
