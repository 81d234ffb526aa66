private import Diagnostics

/// The programs of a checkout that hooks of Cordova are, each read once.
final class CordovaPrograms {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    /// An inner nil for one that cannot be read.
    private var known = [String: Program?]()
    /// The files that programs use, by the names of the programs.
    private var ofPrograms = [String: [String]]()
    /// The files of directories of hooks, by the directories around these, with slashes behind them.
    private lazy var ofDirectories = findDirectories()

    /// A program, as far as it is read.
    struct Program {
        /// Whether it is about what decides about links.
        let isOfManifest, isOfEntitlements: Bool
        /// The names of files beside it that it may use.
        let used: [String]
    }

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// Nil for a program that cannot be read, or that the checkout does not have.
    func program(_ name: String) -> Program? {
        if let found = known[name] { return found }
        var program: Program?
        if let bytes = bytes(name) {
            let text = withoutCommentLines(bytes)
            program = Program(
                isOfManifest: holds("AndroidManifest", in: text),
                isOfEntitlements: holds("ntitlements", in: text)
                    || holds("ssociated-domain", in: text),
                used: ProgramNames.used(in: text))
        }
        known[name] = .some(program)
        return program
    }

    /// The files of the checkout that a program may use.
    func files(usedBy name: String) -> [String] {
        if let found = ofPrograms[name] { return found }
        let directory = pathParts(name).dropLast().map { "\($0)/" }.joined()
        var seen = Set<[UInt8]>()
        let found = (program(name)?.used ?? []).filter { seen.insert(Array($0.utf8)).inserted }
            .compactMap { ProgramNames.file($0, in: directory, names) }
            .filter(ProgramNames.areOfProgram)
        ofPrograms[name] = found
        return found
    }

    /// The bytes of a file; nil if it cannot be read.
    func bytes(_ name: String) -> [UInt8]? {
        names.contains(Array(name.utf8)) ? try? files.open(name).readWhole() : nil
    }

    /// The files in the directories of hooks of a project, which run, too.
    /// - Parameter path: the directory of its configuration, with a slash behind it.
    func hooks(in path: String) -> [String] { ofDirectories[path] ?? [] }

    private func findDirectories() -> [String: [String]] {
        var found = [String: [String]]()
        for name in files.names {
            let parts = pathParts(name)
            for index in parts.indices.dropLast(2) where parts[index] == "hooks" {
                found[parts[..<index].map { "\($0)/" }.joined(), default: []].append(name)
            }
        }
        return found
    }
}
