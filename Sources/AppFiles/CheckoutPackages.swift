import JSONSyntax

/// The packages of a checkout by their names, as npm and its kin name them in `package.json`. Each file is read once.
final class CheckoutPackages {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    private lazy var found = findPackages()
    /// The packages that patches are of.
    private(set) lazy var patched = Self.patched(files.names)
    /// The packages that the files of directories replace.
    private var replaced = [String: Set<[UInt8]>]()

    /// The packages of one name.
    struct Package {
        /// The directory of the first one, with a slash behind it.
        let directory: String
        /// The directories of those that are plugins of Cordova, of which a bounded number is kept.
        var plugins = [String]()
        /// The hooks of Capacitor that the first one with such has.
        var hook: UnreadSource?
    }

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// - Returns: nil if the checkout has no such package.
    func package(_ name: String) -> Package? { found.packages[Array(name.utf8)] }

    /// The hooks of Capacitor that a package has; nil if it has none.
    func hook(of name: String) -> UnreadSource? { package(name)?.hook }

    /// The packages that the files of a directory, which has a slash behind it, replace.
    func replaced(in directory: String) -> Set<[UInt8]> {
        if let known = replaced[directory] { return known }
        let found = findReplaced(in: directory)
        replaced[directory] = found
        return found
    }

    /// - Returns: nil for a file that is not there, or cannot be read.
    func bytes(_ name: String) -> [UInt8]? {
        names.contains(Array(name.utf8)) ? try? files.open(name).readWhole() : nil
    }

    /// - Returns: nil for a file that is not there, or is no JSON.
    func json(_ name: String) -> JSONValue? {
        bytes(name).flatMap { JSONDocument($0, file: name).root }
    }

    /// Those of the package in a directory, which has a slash behind it.
    func hook(in directory: String) -> UnreadSource? { found.hooks[Array(directory.utf8)] }

    private static let pluginsMax = 8

    private func findPackages() -> (packages: [[UInt8]: Package], hooks: [[UInt8]: UnreadSource]) {
        var (found, hooks) = ([[UInt8]: Package](), [[UInt8]: UnreadSource]())
        for name in files.names where pathParts(name).last == "package.json" {
            let root = json(name)
            let directory = String(Substring(name.utf8.dropLast("package.json".utf8.count)))
            let hook = BuildHooks.source(ofCapacitor: root, in: name)
            hooks[Array(directory.utf8)] = hook
            guard let key = root?["name"]?.text.map({ Array($0.utf8) }) else { continue }
            var package = found[key] ?? Package(directory: directory)
            if package.plugins.count < Self.pluginsMax,
                names.contains(Array("\(directory)plugin.xml".utf8))
            {
                package.plugins.append(directory)
            }
            package.hook = package.hook ?? hook
            found[key] = package
        }
        return (found, hooks)
    }
}
