import Files
import SiteConfiguration
import TLS
import URISyntax

/// Everything that an origin is served from: the configuration, the files that it names, and the
/// directories that it serves.
struct Inputs {
    private(set) var files: Set<String>
    private(set) var directories = Set<String>()

    /// - Parameter environment: nil knows of the configuration alone.
    init(configuration: String, _ environment: Environment?) {
        files = [configuration]
        guard let environment else { return }
        files.formUnion(environment.inputFiles.map(\.path))
        directories = Set(environment.inputDirectories.map(\.path))
    }

    mutating func formUnion(_ other: Inputs) {
        files.formUnion(other.files)
        directories.formUnion(other.directories)
    }

    /// What tells of a file, by the bytes of its name and without reading it, that it has changed;
    /// nil for one that is not there.
    typealias Stamps = [[UInt8]: FileStamp?]

    func stamps() -> Stamps {
        var stamps = Stamps()
        for path in allFiles() { stamps[path] = .some(FileStamp(of: text(path))) }
        return stamps
    }

    /// A hash of their names and contents, in hexadecimal digits.
    func hash() -> String {
        var all = [UInt8]()
        for path in allFiles().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            all += sha256(path)
            // What cannot be read has a hash too, which changes when it can.
            var content = [UInt8]()
            do {
                try readFile(text(path), bytesMax: inputBytesMax) { content += sha256($0) }
            } catch {
                content = [0]
            }
            all += sha256(content)
        }
        return sha256(all).hexadecimal
    }

    /// The directories in which one of them can change.
    func decidingDirectories() -> Set<String> {
        var found = directories
        for path in allFiles() { found.formUnion(Files.decidingDirectories(of: text(path))) }
        for path in directories {
            found.formUnion(Files.decidingDirectories(of: path))
            found.formUnion((try? findDirectories(under: path)) ?? [])
        }
        return found
    }

    /// By their bytes: two names that are equal as text may be two files.
    private func allFiles() -> Set<[UInt8]> {
        var paths = Set(files.map { Array($0.utf8) })
        for directory in directories {
            // A directory that cannot be read stands for itself; a link is a name of its own.
            let found = try? findFiles(under: directory)
            let names = found?.map { "\(directory)/\($0.relativePath)" } ?? [directory]
            paths.formUnion(names.map { Array($0.utf8) })
        }
        return paths
    }

    private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}

/// No input may be larger.
private let inputBytesMax = 1 << 30
