private import Diagnostics

/// The tools that may give an entitlements file other domains before a build: XcodeGen, and scripts of a target. They are
/// programs that most projects run when the file has what they write.
final class EntitlementsWriters {
    private let bytes: (String) -> [UInt8]?
    /// The words of the specifications of XcodeGen with domains, by their names; an inner nil for another one.
    private var words = [String: Set<[UInt8]>?]()

    /// - Parameter bytes: those of a file; nil if there is none.
    init(_ bytes: @escaping (String) -> [UInt8]?) { self.bytes = bytes }

    /// The tools that may change a file which a target uses.
    /// - Parameter source: what is in the file, its variables still there.
    func writers(
        of source: AppleDeclaration, by use: XcodeUse, _ projects: XcodeProjects
    ) -> [UnreadSource] {
        guard case .list(let domains) = source.domains else { return [] }
        var found = [UnreadSource]()
        let directory = use.project.isEmpty ? "" : "\(use.project)/"
        let specification = ["project.yml", "project.yaml"].lazy.map { directory + $0 }
            .first { self.words(of: $0) != nil }
        if let specification, let words = words(of: specification),
            domains.contains(where: { !words.contains(Array($0.text.utf8)) })
        {
            found.append(
                UnreadSource(
                    specification,
                    "it has associated domains, and not all that are here: XcodeGen may write the file anew"
                ))
        }
        let isOfScript = projects.projects.contains { project in
            project.directory.isScalarwise(use.project)
                && project.writingTargets.contains(Array(use.target.utf8))
        }
        if isOfScript {
            found.append(
                UnreadSource(
                    use.target, "a script of this target names associated-domains"))
        }
        return found
    }

    /// Nil for a file that is not there, or has no domains.
    private func words(of name: String) -> Set<[UInt8]>? {
        if let known = words[name] { return known }
        let signs = "\"'[]{},".utf8
        let all = (bytes(name) ?? []).split { $0 <= 0x20 || signs.contains($0) }
        let key = "com.apple.developer.associated-domains".utf8
        var found: Set<[UInt8]>?
        if all.contains(where: { $0.starts(with: key) }) { found = Set(all.map { Array($0) }) }
        words[name] = .some(found)
        return found
    }
}

extension XcodeProject {
    /// The names of the targets with a script that is about domains.
    /// - Parameter targets: those of the project.
    static func writingTargets(
        of targets: [PropertyList], _ objects: PropertyList
    ) -> Set<[UInt8]> {
        // Targets can have the same phases.
        var known = [[UInt8]: Bool]()
        var found = Set<[UInt8]>()
        for target in targets {
            for phase in (target["buildPhases"]?.items ?? []).compactMap(\.text) {
                let key = Array(phase.utf8)
                let writes =
                    known[key]
                    ?? objects[phase]?["shellScript"]?.text.map {
                        holds("associated-domains", in: $0)
                    } ?? false
                known[key] = writes
                if writes, let name = target["name"]?.text { found.insert(Array(name.utf8)) }
            }
        }
        return found
    }
}
