private import Diagnostics

/// The names of the texts in directories such as `res/values-de`, for some devices alone. They are read when a name is asked for first.
final class DeviceValues {
    private let paths: [String]
    private let files: BundleFiles
    private lazy var names = findNames()

    init(_ paths: [String], _ files: BundleFiles) { (self.paths, self.files) = (paths, files) }

    /// Whether some devices have a text of their own for a key such as `string/host`, or may have one.
    func have(_ key: [UInt8]) -> Bool {
        guard key.starts(with: "string/".utf8) else { return false }
        return names.map { $0.contains(Array(key.dropFirst(7))) } ?? true
    }

    /// Nil if a file cannot be read.
    private func findNames() -> Set<[UInt8]>? {
        var found = Set<[UInt8]>()
        for path in paths {
            guard let bytes = try? files.open(path).readWhole(),
                let document = try? XMLReader.read(bytes)
            else { return nil }
            for node in document.children {
                let kind = node.name == "item" ? node.plain("type")?.value ?? "" : node.name
                guard kind == "string", let name = node.plain("name")?.value else { continue }
                found.insert(Array(name.utf8))
            }
        }
        return found
    }
}
