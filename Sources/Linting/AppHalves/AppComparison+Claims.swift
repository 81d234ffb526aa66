package import AppFiles

// The apps of source that the caller names. Where a project does not say an identifier, most targets are none of them: an
// extension, an App Clip, a watch's app and a second application have identifiers of their own.

extension AppComparison {
    /// The declarations with the identifiers that the caller names. One without an identifier has the app's if it is the
    /// only application of all files, or the only file that is of one.
    package func claiming(
        _ files: [(file: String, declarations: [AppDeclaration])]
    ) -> [(file: String, declarations: [AppDeclaration])] {
        guard let name = claimed.ios else { return files }
        let isOfClip = sites.contains { $0.lists(name, for: "appclips") }
        let clip = claimed.clip.map { [($0, true)] } ?? []
        let claims = ([(name, isOfClip)] + clip).map { name, isOfClip in
            (name: name, sources: Self.sources(ofClip: isOfClip, in: files, except: name))
        }
        return files.map { file, declarations in
            let own = declarations.map { declaration -> AppDeclaration in
                guard case .apple(var app) = declaration, app.kind == .entitlements else {
                    return declaration
                }
                app.claimed =
                    claims.first { claim in
                        app.use?.bundleIdentifier.map(claim.name.isIdentifier(ofBundle:))
                            ?? claim.sources.contains(app.source(in: file))
                    }?.name
                return .apple(app)
            }
            return (file, own)
        }
    }

    /// The targets, or files, without an identifier that are of the one app that has a name.
    private static func sources(
        ofClip isOfClip: Bool, in files: [(file: String, declarations: [AppDeclaration])],
        except name: String
    ) -> Set<[String]> {
        let all = files.flatMap { file, declarations in
            declarations.compactMap { declaration -> Source? in
                guard case .apple(let app) = declaration, app.kind == .entitlements,
                    app.unused == nil, !app.isOpen, app.isOfClip == isOfClip,
                    app.use?.isOfApp != false
                else { return nil }
                return Source(name: app.source(in: file), file: fileName(of: file), app: app)
            }
        }
        let targets = all.filter { $0.app.use != nil }
        let isKnown = targets.contains {
            $0.app.use?.bundleIdentifier.map(name.isIdentifier(ofBundle:)) == true
        }
        guard !isKnown else { return [] }
        let unknown = targets.filter { $0.app.use?.bundleIdentifier == nil }
        let apps = (unknown.isEmpty ? all.filter { $0.app.use == nil } : unknown)
            .narrowed { !$0.app.isForMac && $0.app.use?.isOfOtherDevice != true }
            .narrowed { $0.app.use != nil || $0.app.hasLinks }
        let names = Set(apps.narrowed { $0.app.use != nil || !isCalledDebug($0.file) }.map(\.name))
        // The file of debug builds is of the same app.
        return names.count == 1 ? Set(apps.map(\.name)) : []
    }

    /// A declaration without more than its kind.
    private struct Source {
        let name: [String]
        let file: String
        let app: AppleDeclaration
    }
}

extension AppleDeclaration {
    /// The target of a project, or the file that is alone.
    fileprivate func source(in file: String) -> [String] {
        guard let use else { return [file] }
        return use.configurations.isEmpty ? [file, use.target] : [use.project, use.target]
    }

    /// Whether it is of an App Clip, also of one whose file has only its domains.
    fileprivate var isOfClip: Bool {
        guard !isClip, use == nil, case .list(let domains) = domains else { return isClip }
        return domains.allSatisfy { $0.text.utf8.starts(with: "appclips:".utf8) }
    }

    /// Whether it has a domain for links.
    fileprivate var hasLinks: Bool {
        guard case .list(let domains) = domains else { return false }
        return domains.contains { $0.text.utf8.starts(with: "applinks:".utf8) }
    }
}

extension Array {
    /// The elements that are meant, or all if none is.
    fileprivate func narrowed(_ isMeant: (Element) -> Bool) -> [Element] {
        let meant = filter(isMeant)
        return meant.isEmpty ? self : meant
    }
}

/// The last part of a path.
func fileName(of path: String) -> String {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed()
    return String(decoding: Array(name), as: UTF8.self)
}
