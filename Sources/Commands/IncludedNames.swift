import Files
import Migration

/// The names of directories that files of nginx or Apache include.
struct IncludedNames {
    private var names = Set<String>()
    /// The names of directories of which each one below is included.
    private var parents = Set<String>()

    init() {}

    /// - Parameter files: by their paths below the directory.
    init(_ files: [String], _ directory: String) {
        for file in files where Migration.Kind.canBe("\(directory)/\(file)") {
            guard
                let bytes = try? readFile("\(directory)/\(file)", bytesMax: Self.bytesMax).bytes
            else { continue }
            for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == UInt8(ascii: ";") }) {
                let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
                guard let at = words.firstIndex(where: Self.isInclude), at + 1 < words.count else {
                    continue
                }
                add(String(decoding: words[at + 1], as: UTF8.self))
            }
        }
    }

    private static let bytesMax = 1 << 20

    private static func isInclude(_ word: ArraySlice<UInt8>) -> Bool {
        ["include", "includeoptional"].contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    private static func parts(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func add(_ path: String) {
        let parts = Self.parts(path)
        names.formUnion(parts)
        for (parent, name) in zip(parts, parts.dropFirst()) where name == "*" {
            parents.insert(parent)
        }
    }

    /// Whether a directory is one of them, by its name and that of its parent.
    func has(_ copy: String) -> Bool {
        let parts = Self.parts(copy)
        return parts.last.map(names.contains) == true
            || parts.dropLast().last.map(parents.contains) == true
    }
}
