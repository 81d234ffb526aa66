private import Diagnostics

/// The names of the texts in directories such as `res/values-de`, for some devices alone. They are read when a name is asked for first.
final class DeviceValues {
    /// A file, and the flavour in whose releases alone it is; nil for all.
    typealias File = (path: String, flavor: String?)

    private let paths: [File]
    private let files: BundleFiles
    /// The flavours that have each name.
    private lazy var names = findNames()

    init(_ paths: [File], _ files: BundleFiles) { (self.paths, self.files) = (paths, files) }

    /// Whether some devices have a text of their own for a key such as `string/host` in the release of a flavour, or may have one.
    func have(_ key: [UInt8], in flavor: String?) -> Bool {
        guard key.starts(with: "string/".utf8) else { return false }
        guard let names else { return true }
        let flavors = names[Array(key.dropFirst(7)), default: []]
        return flavors.contains(nil) || flavors.contains(flavor)
    }

    /// Nil if a file cannot be read.
    private func findNames() -> [[UInt8]: Set<String?>]? {
        var found = [[UInt8]: Set<String?>]()
        for (path, flavor) in paths {
            guard let bytes = try? files.open(path).readWhole(),
                let document = try? XMLReader.read(bytes)
            else { return nil }
            for node in document.children {
                let kind = node.name == "item" ? node.plain("type")?.value ?? "" : node.name
                guard kind == "string", let name = node.plain("name")?.value else { continue }
                found[Array(name.utf8), default: []].insert(flavor)
            }
        }
        return found
    }
}

extension SourceModule {
    /// Takes the files of values for some devices, of the source sets that releases have or may have.
    mutating func addDeviceValues(_ names: [String], _ files: BundleFiles) {
        let flavors = variants.compactMap(\.flavor)
        let found = names.compactMap { name -> DeviceValues.File? in
            let directory = pathParts(name).dropLast(3)
            let written = sourceSetName(directory)
            guard !unbuilt.contain(directory),
                sourceSets.mayBeOfRelease(written) || sourceSets.isOpen(written)
            else { return nil }
            let set = sourceSets.plain(written)
            return (name, flavors.first(where: set.isOfReleases))
        }
        if !found.isEmpty { ofDevices = DeviceValues(found, files) }
    }
}
