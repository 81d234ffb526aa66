private import Diagnostics

/// The shared schemes of a checkout: which configuration they archive, and actions before the build, which may write files of a
/// project (Xcode, "Customizing the build schemes for a project").
struct XcodeSchemes {
    private struct Scheme {
        let file: String
        /// The scripts of its actions.
        let scripts: [(names: NamedFiles, place: TextPlace)]
        /// The configuration of releases.
        let configuration: String?
    }

    /// The schemes of each target, which is behind the path of its project, in the order of their files.
    private var schemes = [[[UInt8]]: [Scheme]]()

    init(_ files: [String], _ bytes: (String) -> [UInt8]?) {
        for name in files where name.utf8.suffix(9).elementsEqual(".xcscheme".utf8) {
            guard let content = bytes(name), let root = try? XMLReader.read(content) else {
                continue
            }
            let (scheme, targets) = Self.scheme(root, name)
            for target in targets { schemes[target, default: []].append(scheme) }
        }
    }

    private func schemes(of use: XcodeUse, in project: XcodeProject) -> [Scheme] {
        schemes[[project.bundle, use.target].map { Array($0.utf8) }] ?? []
    }

    /// The schemes with an action that may write what a target uses.
    func writing(for use: XcodeUse, of project: XcodeProject) -> [UnreadSource] {
        schemes(of: use, in: project).filter { scheme in
            scheme.configuration.map { use.configurations.contains(where: $0.isScalarwise) }
                != false
        }.compactMap { scheme in
            scheme.scripts.first { $0.names.may(write: project.settingsFiles) }.map { script in
                UnreadSource(
                    scheme.file,
                    "an action before the build names entitlements or settings that are read here, and may write them",
                    isRead: true, at: script.place)
            }
        }
    }

    /// The scheme that archives other builds of a target for everybody, if none archives those that use a file.
    func archivingOthers(than use: XcodeUse, of project: XcodeProject) -> UnreadSource? {
        // A scheme that is out of date names a configuration that is gone.
        let there = project.configurationsByTarget[Array(use.target.utf8)] ?? []
        let archiving = schemes(of: use, in: project).filter { scheme in
            scheme.configuration.map(isCalledForTests) == false
                && there.contains { scheme.configuration?.isScalarwise($0.name) == true }
        }
        guard let first = archiving.first, let name = first.configuration,
            !archiving.contains(where: { scheme in
                use.configurations.contains { scheme.configuration?.isScalarwise($0) == true }
            })
        else { return nil }
        return UnreadSource(
            first.file,
            "it archives \(quoted(name)), and no shared scheme archives \(enumerated(use.configurations))",
            isRead: true)
    }

    /// - Returns: the scheme, and the targets that it builds, each behind the path of its project.
    private static func scheme(
        _ root: XMLNode, _ file: String
    ) -> (Scheme, targets: Set<[[UInt8]]>) {
        let actions = root.children.filter { ["BuildAction", "ArchiveAction"].contains($0.name) }
        let scripts = actions.flatMap(\.children).filter { $0.name == "PreActions" }
            .flatMap(\.children).flatMap(\.children).compactMap { content in
                content.plain("scriptText").map { (NamedFiles($0.value), $0.place) }
            }
        // Behind the directory with the project or workspace are it, two directories of schemes, and the file.
        let directory = pathParts(file).dropLast(4).joined(separator: "/")
        let entries = actions.flatMap(\.children).filter { $0.name == "BuildActionEntries" }
            .flatMap(\.children).filter { $0.plain("buildForArchiving")?.value != "NO" }
        let targets = entries.flatMap(\.children).compactMap { reference -> [[UInt8]]? in
            guard let name = reference.plain("BlueprintName")?.value,
                let container = reference.plain("ReferencedContainer")?.value,
                let colon = container.utf8.firstIndex(of: UInt8(ascii: ":")),
                let path = normalized("\(directory)/\(container[colon...].dropFirst())")
            else { return nil }
            return [Array(path.utf8), Array(name.utf8)]
        }
        let archive = actions.first { $0.name == "ArchiveAction" }
        let scheme = Scheme(
            file: file, scripts: scripts,
            configuration: archive?.plain("buildConfiguration")?.value)
        return (scheme, Set(targets))
    }
}
