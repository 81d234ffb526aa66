private import JSONSyntax

/// The packages of a checkout by their names, as npm and its kin name them in `package.json`. Each file is read once.
final class CheckoutPackages {
    private let files: BundleFiles
    private let names: Set<[UInt8]>
    private lazy var packages = findPackages()

    /// The packages of one name.
    struct Package {
        /// The directory of the first one, with a slash behind it.
        let directory: String
        /// The directories of those that are plugins of Cordova, of which a bounded number is kept.
        var plugins = [String]()
    }

    init(_ files: BundleFiles, _ names: Set<[UInt8]>) { (self.files, self.names) = (files, names) }

    /// - Returns: nil if the checkout has no such package.
    func package(_ name: String) -> Package? { packages[Array(name.utf8)] }

    private static let pluginsMax = 8

    private func findPackages() -> [[UInt8]: Package] {
        var found = [[UInt8]: Package]()
        for name in files.names where pathParts(name).last == "package.json" {
            let root = (try? files.open(name).readWhole()).flatMap {
                JSONDocument($0, file: name).root
            }
            guard let key = root?["name"]?.text.map({ Array($0.utf8) }) else { continue }
            let directory = String(Substring(name.utf8.dropLast("package.json".utf8.count)))
            var package = found[key] ?? Package(directory: directory)
            if package.plugins.count < Self.pluginsMax,
                names.contains(Array("\(directory)plugin.xml".utf8))
            {
                package.plugins.append(directory)
            }
            found[key] = package
        }
        return found
    }
}
