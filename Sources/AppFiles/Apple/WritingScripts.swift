private import Diagnostics

/// The files of entitlements and of settings that the text of a script names, as what may write them does. What only reads one is not
/// told apart.
struct NamedFiles {
    /// Whether it names entitlements, or the key of their domains.
    let hasEntitlements: Bool
    /// The last parts of the paths of files of settings, in lower case. One that is empty stands for a name that is computed.
    private var settings = Set<[UInt8]>()

    init(_ text: String) {
        hasEntitlements =
            holds(".entitlements", in: text) || holds("CODE_SIGN_ENTITLEMENTS", in: text)
            || holds("associated-domains", in: text)
        let ending = Array(".xcconfig".utf8)
        let separators = Set("/ \t\r\n\"'`=:;,()<>|&\\".utf8)
        for word in text.lowercased().utf8.split(whereSeparator: separators.contains)
        where word.count < 256 && word.suffix(ending.count).elementsEqual(ending) {
            let isComputed =
                word.count == ending.count || word.contains(where: "$*?}]".utf8.contains)
            settings.insert(isComputed ? [] : Array(word))
        }
    }

    /// Whether it may write entitlements, or a file of settings that is read.
    /// - Parameter read: the last parts of the paths of those, in lower case.
    func may(write read: Set<[UInt8]>) -> Bool {
        hasEntitlements || settings.contains([]) || !settings.isDisjoint(with: read)
    }
}

extension XcodeProject {
    /// The place of a script of a target, or of one that is built before it, that may write entitlements or settings.
    struct WritingScript {
        let place: TextPlace?
    }

    /// The targets with such a script, by their names.
    /// - Parameters:
    ///   - targets: those of the project.
    ///   - files: the names of the files of settings that are read.
    static func writingTargets(
        of targets: [PropertyList], _ objects: PropertyList, _ files: Set<[UInt8]>
    ) -> [[UInt8]: WritingScript] {
        // Targets can have the same phases.
        var known = [[UInt8]: WritingScript?]()
        var own = [[UInt8]: WritingScript]()
        var before = [[UInt8]: [String]]()
        for target in targets {
            guard let name = target["name"]?.text.map({ Array($0.utf8) }) else { continue }
            before[name] = dependencies(of: target, objects)
            for phase in (target["buildPhases"]?.items ?? []).compactMap(\.text) {
                let key = Array(phase.utf8)
                let script = known[key] ?? objects[phase].flatMap { Self.script($0, files) }
                known[key] = .some(script)
                if let script { own[name] = script }
            }
        }
        var found = own
        for name in before.keys where own[name] == nil {
            var (left, seen) = ([name], Set([name]))
            while let next = left.popLast(), seen.count <= AppFileLimits.depthMax {
                if let script = own[next] { found[name] = script }
                left += (before[next] ?? []).map { Array($0.utf8) }.filter {
                    seen.insert($0).inserted
                }
            }
        }
        return found
    }

    private static func script(_ phase: PropertyList, _ files: Set<[UInt8]>) -> WritingScript? {
        guard let text = phase["shellScript"]?.text else { return nil }
        let outputs = (phase["outputPaths"]?.items ?? []).compactMap(\.text)
        let names = NamedFiles(([text] + outputs).joined(separator: "\n"))
        return names.may(write: files) ? WritingScript(place: phase.place) : nil
    }
}
