private import Diagnostics

/// The manifests of one module, which Gradle merges with each other.
struct MergedManifests {
    private let directory: String
    private let count: Int
    private var manifests = [Manifest]()
    /// The declarations of all of them, one for each flavour.
    private var declarations = 0
    /// The manifest that was not read, or the reason why none is merged.
    private var unread: UnreadSource?

    private struct Manifest {
        let name: String
        var all = [AndroidDeclaration]()
        /// Those for all releases.
        var ofAll = [AndroidDeclaration]()
        var ofFlavors = [String: [AndroidDeclaration]]()
    }

    /// - Parameters:
    ///   - directory: that of the module.
    ///   - count: the number of its manifests.
    init(of directory: String, count: Int) {
        (self.directory, self.count) = (directory, count)
        guard count > AppFileLimits.mergedMax else { return }
        unread = UnreadSource(
            directory.isEmpty ? "." : directory,
            "the module has \(count) manifests, may have \(AppFileLimits.mergedMax)")
    }

    /// Whether not all of them are known.
    var isOpen: Bool { unread != nil }

    mutating func leaveOpen(_ source: UnreadSource) { unread = source }

    /// Adds the declarations of a manifest, one for each flavour.
    mutating func add(_ found: [AppDeclaration], of name: String) {
        var manifest = Manifest(name: name)
        for case .android(let app) in found {
            manifest.all.append(app)
            if let flavor = app.flavor {
                manifest.ofFlavors[flavor, default: []].append(app)
            } else {
                manifest.ofAll.append(app)
            }
        }
        declarations += manifest.all.count
        manifests.append(manifest)
        // Each declaration is merged with those of every other manifest.
        guard declarations * count > AppFileLimits.mergesMax else { return }
        unread = UnreadSource(
            directory.isEmpty ? "." : directory,
            "the module has \(count) manifests for its flavors, more than are merged with each other"
        )
    }

    /// The forms of the manifests that are merged for a flavour: with the same ones, the same is merged.
    func forms(with app: AndroidDeclaration) -> [Int] {
        guard let flavor = app.flavor, unread == nil else { return [app.form] }
        return manifests.reduce(into: [app.form]) { forms, other in
            let parts = other.ofFlavors[flavor] ?? []
            forms.append(parts.count)
            forms += parts.map(\.form)
        }
    }

    /// Adds the filters of the other manifests to the declaration of one, those of its flavour alone.
    func merge(into app: inout AndroidDeclaration, of name: String) {
        if let unread {
            app.mergesOpen = true
            app.unread.append(unread)
            return
        }
        for other in manifests where !other.name.isScalarwise(name) {
            let parts = app.flavor.map { other.ofAll + (other.ofFlavors[$0] ?? []) } ?? other.all
            let sourceSet = sourceSetName(pathParts(other.name).dropLast())
            let isAbove = sourceSet != "main" && sourceSet != "androidMain"
            for part in parts {
                if isAbove { app.add(closing: part.closed, of: other.name) }
                if part.navigation != nil { app.mergesOpen = true }
                guard app.merged.count + part.filters.count <= AppFileLimits.declaredMax else {
                    app.mergesOpen = true
                    app.unread.append(
                        UnreadSource(
                            directory.isEmpty ? "." : directory,
                            "the manifests of the module have more than \(AppFileLimits.declaredMax) filters"
                        ))
                    return
                }
                app.merged += part.filters
            }
        }
    }
}

extension AndroidDeclaration {
    /// Takes what was merged with the same form for another flavour.
    mutating func takeMerged(of other: AndroidDeclaration) {
        (merged, changing, mergesOpen) = (other.merged, other.changing, other.mergesOpen)
        (unread, form) = (other.unread, other.form)
    }

    /// Leaves the verdict open, because the script of its module may switch off its release.
    mutating func leaveOpen(switchedOffBy script: String) {
        isUncertain = true
        unread.append(
            UnreadSource(
                script,
                "it may switch off or remove \(flavor == nil ? "the release" : "the releases of this flavor")",
                isRead: true))
    }

    /// Keeps that another manifest closes one of its components, or takes it away.
    fileprivate mutating func add(closing closed: ClosedElements, of name: String) {
        guard let what = closed.first(of: filters, in: namespace) else { return }
        changing.append(
            UnreadSource(
                name,
                "it closes or removes \(what), or a part of it, and the manifest merger of Gradle decides which counts"
            ))
    }
}
