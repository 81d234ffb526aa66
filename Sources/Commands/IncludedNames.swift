import Files
import Migration

/// The names of directories that files of nginx or Apache include.
struct IncludedNames {
    private var names = Set<String>()
    /// The names of directories of which each one below is included.
    private var parents = Set<String>()

    init() {}

    /// - Parameter files: those that are read, by their paths below the directory.
    init(_ files: [String], _ directory: String) {
        for file in files where !Self.isData(file) {
            guard
                let bytes = try? readFile("\(directory)/\(file)", bytesMax: Self.bytesMax).bytes
            else { continue }
            for line in bytes.split(separator: 0x0A) { readLine(line) }
        }
    }

    private static let bytesMax = 1 << 20

    /// Whether a file has another format than those of these servers.
    private static func isData(_ file: String) -> Bool {
        [".json", ".csv", ".tsv"].contains {
            file.utf8.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
    }

    /// Reads the directives of a line without its comment.
    private mutating func readLine(_ line: ArraySlice<UInt8>) {
        let directives = line.prefix { $0 != UInt8(ascii: "#") }
            .split { ";{}".utf8.contains($0) }
        for directive in directives {
            let words = directive.split { $0 <= 0x20 }
            guard words.count > 1, Self.isInclude(words[0]) else { continue }
            add(String(decoding: words[1], as: UTF8.self))
        }
    }

    private static func isInclude(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count <= "IncludeOptional".utf8.count else { return false }
        return ["include", "includeoptional"]
            .contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    private static func parts(_ path: String) -> [String] {
        path.utf8.split { "/\"'".utf8.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
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
