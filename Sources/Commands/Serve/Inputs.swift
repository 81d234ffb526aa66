import Files
import SiteConfiguration
import TLS

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

    /// What tells, without reading them, that one of them has changed; nil for what is not there.
    func stamps() -> [String: FileStamp?] {
        var stamps = [String: FileStamp?]()
        for path in allFiles() { stamps[path] = .some(FileStamp(of: path)) }
        return stamps
    }

    /// A hash of their names and contents, in hexadecimal digits.
    func hash() -> String {
        var all = [UInt8]()
        for path in allFiles().sorted() {
            all += sha256(Array(path.utf8))
            // What cannot be read has a hash too, which changes when it can.
            var content = [UInt8]()
            do {
                try readFile(path, bytesMax: inputBytesMax) { content += sha256($0) }
            } catch {
                content = [0]
            }
            all += sha256(content)
        }
        return hexadecimal(sha256(all))
    }

    /// The directories in which one of them can change.
    func decidingDirectories() -> Set<String> {
        var found = directories
        for path in allFiles() { found.formUnion(Files.decidingDirectories(of: path)) }
        for path in directories {
            found.formUnion(Files.decidingDirectories(of: path))
            found.formUnion((try? findDirectories(under: path)) ?? [])
        }
        return found
    }

    private func allFiles() -> Set<String> {
        directories.reduce(into: files) { files, directory in
            // A directory that cannot be read stands for itself; a link is a name of its own.
            let found = try? findFiles(under: directory)
            files.formUnion(found?.map { "\(directory)/\($0.relativePath)" } ?? [directory])
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0\(digits)" : digits
    }.joined()
}

/// No input may be larger.
private let inputBytesMax = 1 << 30
