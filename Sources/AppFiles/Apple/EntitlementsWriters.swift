private import Diagnostics

/// The tools that may give an app other domains or another identifier before a build: XcodeGen, which most projects run when their
/// files have what it writes, CocoaPods, and scripts of targets and schemes, which run in each build.
final class EntitlementsWriters {
    private let files: [String]
    private let bytes: (String) -> [UInt8]?
    private var specifications = [String: Specification]()

    /// A specification of XcodeGen.
    private struct Specification {
        /// Its words; nil for one without domains.
        var words: Set<[UInt8]>?
        /// The bundle identifiers that it sets.
        var identifiers = Set<[UInt8]>()
    }

    private lazy var schemes = XcodeSchemes(files, bytes)
    /// The Podfiles and specifications of pods that name entitlements or identifiers of apps.
    private lazy var pods = files.filter { name in
        let file = pathParts(name).last ?? ""
        let isPodfile = file == "Podfile"
        guard
            isPodfile
                || [".podspec", ".podspec.json"].contains(where: {
                    file.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
                }), let bytes = bytes(name)
        else { return false }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { line in
            line.first { $0 > 0x20 } != UInt8(ascii: "#")
        }
        let text = String(decoding: Array(lines.joined(separator: "\n".utf8)), as: UTF8.self)
        return NamedFiles(text).hasEntitlements
            // Pods have identifiers of their own.
            || holds("PRODUCT_BUNDLE_IDENTIFIER", in: text)
                && (isPodfile || holds("user_target_xcconfig", in: text))
    }

    /// - Parameters:
    ///   - files: the names of all files.
    ///   - bytes: those of a file; nil if there is none.
    init(_ files: [String], _ bytes: @escaping (String) -> [UInt8]?) {
        (self.files, self.bytes) = (files, bytes)
    }

    /// The scripts that may write what a target uses.
    func scripts(of use: XcodeUse, _ projects: XcodeProjects) -> [UnreadSource] {
        projects.projects.filter { $0.directory.isScalarwise(use.project) }.flatMap { project in
            let script = project.writingTargets[Array(use.target.utf8)].map { script in
                UnreadSource(
                    "\(project.bundle)/project.pbxproj",
                    "a script that is built with \(quoted(use.target)) names entitlements or settings that are read here, "
                        + "and may write them", isRead: true, at: script.place)
            }
            let others = schemes.archivingOthers(than: use, of: project)
            return [script, others].compactMap(\.self) + schemes.writing(for: use, of: project)
        } + pods(of: use)
    }

    /// The programs of CocoaPods that may set what a target uses. A Podfile stands beside a project or above it.
    private func pods(of use: XcodeUse) -> [UnreadSource] {
        pods.filter { name in
            var path = pathParts(name)
            return path.popLast() != "Podfile"
                || pathParts(use.project).starts(with: path, by: { $0.isScalarwise($1) })
        }.prefix(AppFileLimits.unreadMax + 1).map { name in
            let fact =
                "it is a program of CocoaPods that names entitlements or identifiers, and may set the app's"
            return UnreadSource(name, fact, isRead: true)
        }
    }

    /// The specifications of XcodeGen that differ from a file which a target uses, or from the target.
    /// - Parameter source: what is in the file, its variables still there.
    func writers(of source: AppleDeclaration, by use: XcodeUse) -> [UnreadSource] {
        guard case .list(let domains) = source.domains else { return [] }
        let directory = use.project.isEmpty ? "" : "\(use.project)/"
        return ["project.yml", "project.yaml"].map { directory + $0 }.flatMap { name in
            let found = specification(name)
            var facts = [String]()
            if let words = found.words,
                domains.contains(where: { !words.contains(Array($0.text.utf8)) })
            {
                facts.append(
                    "it has associated domains, and not all that are here: XcodeGen may write the file anew"
                )
            }
            if let bundle = use.bundleIdentifier, !found.identifiers.isEmpty,
                !found.identifiers.contains(Array(bundle.utf8)),
                !found.identifiers.contains(where: { $0.contains(UInt8(ascii: "$")) })
            {
                facts.append(
                    "it has bundle identifiers, and not \(quoted(bundle)): XcodeGen may write the project anew"
                )
            }
            return facts.map { UnreadSource(name, $0) }
        }
    }

    private func specification(_ name: String) -> Specification {
        if let known = specifications[name] { return known }
        let signs = "\"'[]{},".utf8
        let all = (bytes(name) ?? []).split { $0 <= 0x20 || signs.contains($0) }
        let key = "com.apple.developer.associated-domains".utf8
        var found = Specification()
        if all.contains(where: { $0.starts(with: key) }) {
            found.words = Set(all.map { Array($0) })
        }
        let identifiers = zip(all, all.dropFirst()).filter { word, _ in
            word.starts(with: "PRODUCT_BUNDLE_IDENTIFIER".utf8) && word.last == UInt8(ascii: ":")
        }
        found.identifiers = Set(identifiers.map { Array($0.1) })
        specifications[name] = found
        return found
    }
}
