private import Diagnostics

// What modules of libraries, and the project around a module, can set of an app.

extension SourceModules {
    /// The manifests of libraries that set what keeps links out of all activities of an app, as far as the app's own
    /// <application> does not say otherwise.
    mutating func libraries(closingBesides directory: String) -> [UnreadSource] {
        let known = closingLibraries ?? findClosingLibraries()
        closingLibraries = known
        return known.lazy.filter { !$0.directory.isScalarwise(directory) }
            .prefix(AppFileLimits.unreadMax).map(\.source)
    }

    /// Whether a module is a library of an app that the checkout has, so that its manifest is none of an app.
    /// - Parameter isMade: whether a configuration, such as that of Expo, makes an app.
    mutating func isLibrary(_ directory: String, ofMade isMade: Bool) -> Bool {
        guard !module(directory).mayBeApplication else { return false }
        let known =
            hasApplication
            ?? manifestFiles.keys.contains { module($0).mayBeApplication }
        hasApplication = known
        return known || isMade
    }

    private mutating func findClosingLibraries() -> [(directory: String, source: UnreadSource)] {
        var found = [(directory: String, source: UnreadSource)]()
        for (directory, names) in manifestFiles.sorted(by: { $0.key < $1.key }) {
            let own = module(directory)
            guard !own.script.isEmpty, !own.isApplication else { continue }
            for name in names where own.isOfRelease(manifest: name) {
                let closes = try? AppFile.read(files.open(name)).contains(
                    where: \.closesApplication)
                guard closes ?? true else { continue }
                found.append(
                    (
                        directory,
                        UnreadSource(
                            name,
                            "it is of a library, and its <application> has android:enabled or android:permission, "
                                + "which Gradle merges with that of the app")
                    ))
            }
        }
        return found
    }
}

extension AndroidDeclaration {
    /// Whether a filter of it opens links of the web.
    var opensLinks: Bool { filters.contains(where: \.isForWebLinks) }
}

extension AppDeclaration {
    fileprivate var closesApplication: Bool {
        guard case .android(let app) = self else { return false }
        return app.closed.closesApplication
    }
}

/// Whether the directory of a module, or one above it, has a settings script of Gradle.
func hasSettingsScript(above directory: String, _ names: Set<[UInt8]>) -> Bool {
    var parts = pathParts(directory)
    repeat {
        let path = parts.map { "\($0)/" }.joined()
        if gradleSettingsScripts.contains(where: { names.contains(Array((path + $0).utf8)) }) {
            return true
        }
    } while parts.popLast() != nil
    return false
}
