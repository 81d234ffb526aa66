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
}

extension SnapshotBuilder {
    /// Reads the whole public directory. A request never touches the file system, so no path can
    /// lead out of it; a symbolic link that does is refused here.
    mutating func loadPublicFiles() -> [PublicFile] {
        let directory = environment.publicDirectory
        var found = [FoundFile]()
        do {
            found = try findFiles(under: directory.path)
        } catch {
            fail(error.diagnostic(at: directory.place), kind: error.kind)
            lacksPublicFiles = true
        }
        var (files, bytes) = ([PublicFile](), 0)
        for file in found {
            guard !hidesAssociation(file) else { continue }
            guard let content = read(file) else { continue }
            bytes += content.bytes.count
            guard bytes <= limits.publicBytesMax else {
                fail(
                    "public-too-large", at: directory.place,
                    "the files of \(quoted(directory.path)) have more than "
                        + "\(limits.publicBytesMax) bytes together",
                    advice: "they are kept in memory; serve large media from a host of its own")
                lacksPublicFiles = true
                return files
            }
            // Nothing may say that it was changed later than it is sent (RFC 9110 §8.8.2.1), and
            // some file systems can say years that HTTP cannot.
            files.append(
                PublicFile(
                    path: file.relativePath, bytes: content.bytes,
                    modified: max(0, min(content.modified, now))))
        }
        return files
    }

    private mutating func read(_ file: FoundFile) -> FileContent? {
        do {
            return try readFile(file.realPath, bytesMax: limits.publicFileBytesMax)
        } catch {
            fail(
                "unreadable-file", at: environment.publicDirectory.place,
                "public file \(quoted(file.relativePath)) cannot be read: \(error)",
                advice: error.advice(whenMissing: nil),
                kind: error == .noPermission ? .noPermission : .invalid)
            lacksPublicFiles = true
            return nil
        }
    }

    /// Says that a page which the configuration names is not there; not where a fault hides files,
    /// this one perhaps.
    mutating func failForMissingPage(_ page: String, at place: SourcePlace) {
        guard !lacksPublicFiles else { return }
        fail(
            "missing-page", at: place,
            "\(page) is no file of \(quoted(environment.publicDirectory.path))")
    }

    /// A generated association file would answer in the place of one that lies here unseen.
    private mutating func hidesAssociation(_ file: FoundFile) -> Bool {
        let path = "/\(file.relativePath)"
        let isAASA = Router.applePaths.contains(path)
        guard isAASA || path == Router.assetLinksPath else { return false }
        fail(
            "association-in-public", at: environment.publicDirectory.place,
            "\(quoted(file.relativePath)) lies in the public directory, where it is not checked",
            advice: "name it under \(isAASA ? "aasa" : "assetlinks"): and move it elsewhere")
        return true
    }
}

extension FileTreeError {
    /// What is said of a public directory whose files cannot be found.
    /// - Parameter place: where it is named.
    package func diagnostic(at place: SourcePlace?) -> Diagnostic {
        switch self {
        case .unreadable(let path, let reason):
            let fact = reason == .missing ? "there is no such directory" : "\(reason)"
            return Diagnostic(
                .error, "unreadable-file", at: place,
                "public directory \(quoted(path)) cannot be read: \(fact)",
                advice: reason.advice(whenMissing: "make it, or name another one as `public`"))
        case .unreadableEntry(let path, let reason):
            return Diagnostic(
                .error, "unreadable-file", at: place,
                "\(quoted(path)) in the public directory cannot be read: \(reason)",
                advice: reason.advice(whenMissing: nil))
        case .dangling(let path):
            return Diagnostic(
                .error, "unreadable-file", at: place,
                "\(quoted(path)) in the public directory is a symbolic link to nothing",
                advice: "put there what it points to, or remove it")
        case .escapes(let path, let target):
            return Diagnostic(
                .error, "link-out-of-public", at: place,
                "\(quoted(path)) is a symbolic link out of the public directory, to "
                    + quoted(target), advice: "copy what it points to")
        case .notUTF8(let directory):
            return Diagnostic(
                .error, "file-name-not-utf8", at: place,
                "a file's name in \(quoted(directory)) of the public directory is not UTF-8")
        case .tooDeep(let path, let limit):
            return Diagnostic(
                .error, "public-too-deep", at: place,
                "\(quoted(path)) lies more than \(limit) directories deep in the public directory")
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
