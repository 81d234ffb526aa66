package import Diagnostics
package import Files
import Resolution
import SiteConfiguration

/// A file of the public directory, in memory.
struct PublicFile {
    /// Under the directory, without a leading slash.
    let path: String
    var bytes: [UInt8]
    /// Seconds since 1970; nil for one that is not served as it lies there.
    var modified: Int?
    /// Whether it was changed just before it was read, so that it may be a part of what is to come.
    let isRecent: Bool
}

extension SnapshotBuilder {
    /// Reads the whole public directory. A request never touches the file system, and what is read
    /// here lies beneath the directory, whatever symbolic links say.
    /// - Parameter outputs: files that this process writes to, which must not be among them.
    mutating func loadPublicFiles(_ outputs: [FileIdentity]) -> [PublicFile] {
        let directory = environment.publicDirectory
        var (files, bytes) = ([PublicFile](), 0)
        do throws(FileError) {
            let root = try RootDirectory(directory.path)
            let tree = root.walk(directory.path) { file in
                // Once there are too many, nothing more is read: memory is for what is served.
                guard bytes <= limits.publicBytesMax, !hidesAssociation(file.found),
                    let content = read(file)
                else { return }
                bytes += content.bytes.count
                files.append(publicFile(file.found.relativePath, content))
            }
            if bytes > limits.publicBytesMax { failForSize(of: directory) }
            lacksPublicFiles = lacksPublicFiles || !tree.faults.isEmpty
            for fault in tree.faults {
                fail(fault.diagnostic(at: directory.position), kind: fault.kind)
            }
            for fault in environment.exposures(in: tree, outputs: outputs) {
                fail(fault, kind: .invalid)
            }
        } catch {
            let error = FileTreeError.unreadable(path: directory.path, error)
            fail(error.diagnostic(at: directory.position), kind: error.kind)
            lacksPublicFiles = true
        }
        return files.sorted { $0.path < $1.path }
    }

    private mutating func read(_ file: borrowing WalkedFile) -> FileContent? {
        let (position, bytesMax) = (environment.publicDirectory.position, limits.publicFileBytesMax)
        let content = take("public file", file.found.relativePath, at: position) {
            () throws(FileError) in try file.read(bytesMax: bytesMax)
        }
        guard let content else {
            lacksPublicFiles = true
            return nil
        }
        if !limits.canRequest(URLPath.of(file: file.found.relativePath)) {
            warn(
                .unreachableName, at: position,
                "no request can reach the public file \(quoted(file.found.relativePath))",
                advice: "rename it: it contains a control character, a backslash or an escape such "
                    + "as %41, or its path is too long")
        }
        if holdsPrivateKey(content.bytes) {
            fail(
                .privateKeyInPublic, at: position,
                "public file \(quoted(file.found.relativePath)) contains a private key (PEM)",
                advice:
                    "move it out of \(quoted(environment.publicDirectory.path)); if the key was "
                    + "served, replace it")
        }
        return content
    }

    private func publicFile(_ path: String, _ content: FileContent) -> PublicFile {
        // Nothing may say that it was changed later than it is sent (RFC 9110 §8.8.2.1), and some
        // file systems can say years that HTTP cannot.
        PublicFile(
            path: path, bytes: content.bytes, modified: max(0, min(content.modified, now)),
            isRecent: (now - recentSeconds + 1..<now + recentSeconds).contains(content.modified))
    }

    private mutating func failForSize(of directory: FileReference) {
        fail(
            .publicTooLarge, at: directory.position,
            "the files of \(quoted(directory.path)) have more than "
                + "\(limits.publicBytesMax) bytes together",
            advice: "they are kept in memory; serve large media from another host")
        lacksPublicFiles = true
    }

    /// Says that a page which the configuration names is not there; not where a fault hides files,
    /// this one perhaps.
    mutating func failForMissingPage(_ page: String, at position: SourcePosition) {
        guard !lacksPublicFiles else { return }
        fail(
            .missingPage, at: position,
            "\(page) is not a file in \(quoted(environment.publicDirectory.path))")
    }

    /// A generated association file would answer in the place of one that lies here unseen.
    private mutating func hidesAssociation(_ file: FoundFile) -> Bool {
        let path = "/\(file.relativePath)"
        let isAASA = Router.applePaths.contains(path)
        guard isAASA || path == Router.assetLinksPath else { return false }
        fail(
            .associationInPublic, at: environment.publicDirectory.position,
            "\(quoted(file.relativePath)) is in the public directory, where it is not checked",
            advice: "name it under \(isAASA ? "aasa" : "assetlinks"): and move it elsewhere")
        return true
    }
}

extension FileTreeError {
    /// What is said of a public directory whose files cannot be found.
    /// - Parameter place: where it is named.
    package func diagnostic(at position: SourcePosition?) -> Diagnostic {
        switch self {
        case .unreadable(let path, let reason):
            let fact = reason == .missing ? "the directory does not exist" : "\(reason)"
            return Diagnostic(
                .error, .unreadableFile, at: position,
                "public directory \(quoted(path)) cannot be read: \(fact)",
                advice: reason.advice(
                    whenMissing: "create it, or set `public` to another "
                        + "directory"))
        case .unreadableEntry(let path, let reason):
            return Diagnostic(
                .error, .unreadableFile, at: position,
                "\(quoted(path)) in the public directory cannot be read: \(reason)",
                advice: reason.advice(whenMissing: nil))
        case .dangling(let path):
            return Diagnostic(
                .error, .unreadableFile, at: position,
                "\(quoted(path)) in the public directory is a symbolic link to nothing",
                advice: "create its target, or remove the link")
        case .escapes(let path, let target):
            return Diagnostic(
                .error, .linkOutOfPublic, at: position,
                "\(quoted(path)) is a symbolic link out of the public directory, to "
                    + quoted(target), advice: "copy the target")
        case .hidden(let path, let target):
            return Diagnostic(
                .error, .linkToHiddenFile, at: position,
                "\(quoted(path)) in the public directory is a symbolic link to \(quoted(target)), "
                    + "which is hidden, because a name in it begins with a full stop",
                advice: "copy the target, or rename it")
        case .notUTF8(let path):
            return Diagnostic(
                .error, .fileNameNotUTF8, at: position,
                "the name of \(quoted(path)) in the public directory is not UTF-8",
                advice: "rename it; bytes that are not UTF-8 are shown as \u{FFFD} here")
        case .tooDeep(let path, let limit):
            return Diagnostic(
                .error, .publicTooDeep, at: position,
                "\(quoted(path)) is more than \(limit) directories deep in the public directory")
        case .tooMany(let limit):
            return Diagnostic(
                .error, .publicTooDeep, at: position,
                "the public directory contains more than \(limit) files and directories",
                advice: "look for symbolic links to parent directories")
        }
    }

    /// What kind of fault it is, which an exit status is made of.
    package var kind: SnapshotError.Kind {
        switch self {
        case .unreadable(_, let reason): .init(reason)
        case .unreadableEntry(_, .noPermission): .noPermission
        default: .invalid
        }
    }
}

/// A change is taken over when files have been the same for longer; a start, and HUP, do not wait.
private let recentSeconds = 2
