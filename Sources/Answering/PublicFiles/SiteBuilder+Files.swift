package import Diagnostics
package import Files
import HTTPMessages
import Resolution
import SiteConfiguration

extension SiteBuilder {
    /// Finds the public files and reads none of them. There need not be a public directory if the
    /// configuration names neither it nor a file in it.
    /// - Parameters:
    ///   - report: receives what is found later, when they are read.
    mutating func findPublicFiles(
        _ report: @escaping @Sendable (Diagnostic) -> Void
    ) -> FoundFiles {
        let reference = site.publicDirectory
        do throws(FileError) {
            let isMissing =
                site.mayLackPublicDirectory && isMissing(reference.path)
                && !isSymbolicLink(reference.path)
            if isMissing, let count = before?.publicFiles.files.count, count > 0 {
                // That there is none is allowed, but not that a disk is gone without a word.
                warn(
                    .unreadableFile, at: reference.position,
                    "the public directory \(quoted(reference.path)) does not exist any more, so "
                        + "\(count) public file\(count == 1 ? " is" : "s are") not served",
                    advice: "mount or create it again if you did not remove it")
            }
            // Without files, nothing is read beneath the root.
            let root = try RootDirectory(isMissing ? "." : reference.path)
            let tree =
                isMissing
                ? FileTree()
                : root.walk(reference.path, within: room.files) { file in
                    let path = file.found.relativePath
                    let mayRead: Void? = take("public file", path, at: reference.position) {
                        () throws(FileError) in try file.checkPermission()
                    }
                    lacksPublicFiles = lacksPublicFiles || mayRead == nil
                }
            if tree.lacksRoom {
                fail(
                    .outOfMemory, at: reference.position, "there is no memory for the public files",
                    kind: .shortage)
            }
            let isHidden = tree.files.filter { hidesAssociation($0) }
            warnAboutNames(in: tree)
            lacksPublicFiles = lacksPublicFiles || !tree.faults.isEmpty
            for fault in tree.faults {
                fail(site.diagnostic(of: fault), kind: fault.kind)
            }
            for fault in confidential.exposures(in: tree, of: site) {
                fail(fault, kind: .invalid)
            }
            var directory = PublicDirectory(
                reference, root.shared(),
                shared.openFiles,
                indexFields: indexFields, digest: digest, report: report)
            if let before = before?.publicFiles.directory, before.isSame(as: directory) {
                directory = before
            }
            return FoundFiles(
                tree: tree, files: tree.files.filter { !isHidden.contains($0) },
                directory: directory)
        } catch {
            let error = FileTreeError.unreadable(path: reference.path, error)
            fail(site.diagnostic(of: error), kind: error.kind)
            lacksPublicFiles = true
            return FoundFiles(tree: FileTree(), files: [], directory: nil)
        }
    }

    /// The files to serve: those of a snapshot before that are the same still, and others anew. The
    /// first ones are kept in memory, as many as there is room for.
    /// - Parameter insertions: what is served in place of some, by their paths.
    func makePublicFiles(
        _ found: FoundFiles, _ insertions: [[UInt8]: [UInt8]], _ directory: PublicDirectory,
        _ sitemap: DeferredSitemap
    ) -> PublicFiles {
        let before = Dictionary(
            (self.before?.publicFiles.files ?? []).lazy.filter { $0.directory === directory }.map {
                (Array($0.path.utf8), $0)
            }, uniquingKeysWith: { $1 })
        let areInMemory = fitInMemory(found.files)
        let headers = ConfiguredHeaders(site)
        var (made, unprepared) = ([[UInt8]: PublicFile](), [PublicFile]())
        // Siblings come after the file that they are siblings of, in order of their paths.
        let files = zip(found.files, areInMemory).reversed().map { file, isInMemory in
            let path = Array(file.relativePath.utf8)
            var siblings = [PublicFile.Sibling]()
            if insertions[path] == nil {
                for (coding, suffix) in siblingSuffixes {
                    guard let sibling = made[path + suffix],
                        sibling.stamp.isNoOlder(than: file.stamp)
                    else { continue }
                    siblings.append(.init(coding, sibling))
                }
            }
            let fields = headers.fields(for: URLPath.of(file: file.relativePath))
            if insertions[path] == nil, let old = before[path],
                old.isSame(as: file, isInMemory: isInMemory, headers: fields, siblings: siblings)
            {
                made[path] = old
                return old
            }
            let new = PublicFile(
                file, in: directory, isInMemory: isInMemory, headers: fields, siblings: siblings,
                insertion: insertions[path], now: now)
            made[path] = new
            unprepared.append(new)
            return new
        }
        return PublicFiles(
            tree: found.tree, files: files.reversed(), unprepared: unprepared.reversed(),
            directory: directory, sitemap: sitemap)
    }

    private func fitInMemory(_ files: [FoundFile]) -> [Bool] {
        var left = limits.memoryFilesBytesMax
        return files.map { file in
            let bytes = file.stamp.bytes
            guard bytes <= limits.memoryFileBytesMax, bytes <= left else { return false }
            left -= bytes
            return true
        }
    }

    /// Warns about what no request can reach, and why.
    private mutating func warnAboutNames(in tree: FileTree) {
        for file in tree.files {
            let path = file.relativePath
            guard let obstacle = limits.obstacle(to: URLPath.of(file: path)) else { continue }
            warn(
                .unreachableName, at: site.publicDirectory.position,
                "no request can reach the public file \(quoted(path)): \(obstacle)",
                advice: "rename it")
        }
        for path in tree.others.sorted() {
            warn(
                .unreachableName, at: site.publicDirectory.position,
                "\(quoted(path)) in the public directory is not served, because it is neither a "
                    + "file nor a directory", advice: "remove it")
        }
        let root = Array(site.publicDirectory.path.utf8) + [UInt8(ascii: "/")]
        for directory in tree.directories where directory.path.starts(with: root) {
            let name = String(decoding: directory.path.dropFirst(root.count), as: UTF8.self)
            guard usualFiles.contains(name) else { continue }
            warn(
                .unreachableName, at: site.publicDirectory.position,
                "\(quoted(name)) in the public directory is a directory, so it does not answer "
                    + "requests for /\(name)", advice: "replace it with a file, or rename it")
        }
    }

    /// Reads the file of a page whose content other parts of a snapshot are made of.
    mutating func readPage(_ file: FoundFile, _ directory: PublicDirectory) -> [UInt8]? {
        let bytesMax = limits.pageBytesMax
        guard file.stamp.bytes > bytesMax || room.page(file.stamp.bytes) else {
            fail(
                .outOfMemory, at: directory.position,
                "there is no memory for the page \(quoted(file.relativePath))", kind: .shortage)
            return nil
        }
        let bytes = take("public file", file.relativePath, at: directory.position) {
            () throws(FileError) in
            let open = try directory.root.open(file.relativePath)
            guard open.stamp.bytes <= bytesMax else {
                throw .tooLarge(bytes: open.stamp.bytes, limit: bytesMax)
            }
            guard open.stamp.hasContent(of: file.stamp) else { throw .changed }
            return try open.readWhole()
        }
        if let bytes, let secret = FileSecret(in: bytes.span, at: 0) {
            fail(secret.fault(file.relativePath, directory), kind: .invalid)
        }
        return bytes
    }

    /// Says that a page which the configuration names is not there; not where a fault hides files,
    /// this one perhaps.
    mutating func failForMissingPage(_ path: String, at position: SourcePosition) {
        guard !lacksPublicFiles else { return }
        fail(site.missingPage(path, at: position), kind: .invalid)
    }

    /// A generated association file would answer in the place of one that lies here unseen.
    private mutating func hidesAssociation(_ file: FoundFile) -> Bool {
        let path = "/\(file.relativePath)"
        let isAASA = Router.applePaths.contains(path)
        guard isAASA || path == Router.assetLinksPath else { return false }
        fail(
            .associationInPublic, at: site.publicDirectory.position,
            "\(quoted(file.relativePath)) is in the public directory, from which association files are not served",
            advice: "name it under \(isAASA ? "aasa" : "assetlinks"): and move it elsewhere")
        return true
    }
}

extension Site {
    /// The message about a page that is no public file.
    package func missingPage(_ path: String, at position: SourcePosition) -> Diagnostic {
        Diagnostic(
            .error, .missingPage, at: position,
            "page \(quoted(path)) is not a file in \(quoted(publicDirectory.path))",
            advice: adviceOnStatus(behind: path)
                ?? "create \(quoted(publicDirectory.path + path)), or name another page")
    }

    /// `/index.html 200`, as Netlify has it.
    private func adviceOnStatus(behind path: String) -> String? {
        let words = path.utf8.split(separator: 0x20).compactMap { String($0) }
        guard words.count == 2, let page = words.first, let status = words.last,
            (100...599).contains(Int(status) ?? 0)
        else { return nil }
        return "write \(page); only `unmatched` can have a status, as "
            + "{page: \(page), status: \(status)}"
    }

    /// The message about public files that cannot be found. Where the configuration does not name a
    /// directory that does not exist, it is at the first page or file that needs it.
    fileprivate func diagnostic(of fault: FileTreeError) -> Diagnostic {
        let found = fault.diagnostic(at: publicDirectory.position)
        guard fault == .unreadable(path: publicDirectory.path, .missing),
            publicDirectory.position == position, let needed = (namedPages + namedFiles).first
        else { return found }
        return Diagnostic(
            found.severity, found.rule, at: needed.position,
            "\(quoted(needed.path)) is a public file, but the public directory "
                + "\(quoted(publicDirectory.path)) does not exist", advice: found.advice)
    }

    /// Whether the configuration names neither the public directory nor a file in it.
    package var mayLackPublicDirectory: Bool {
        publicDirectory.position == position && namedPages.isEmpty && namedFiles.isEmpty
    }
}

/// Whether nothing has this path.
private func isMissing(_ path: String) -> Bool {
    do throws(FileError) {
        _ = try RootDirectory(path)
        return false
    } catch {
        return error == .missing && FileStamp(of: path) == nil
    }
}

/// Files that programs request in the root, and of which a directory is no substitute.
private let usualFiles: Set = ["robots.txt", "sitemap.xml", "site.webmanifest", "favicon.ico"]

/// The public files of an environment as they were found.
struct FoundFiles {
    let tree: FileTree
    /// Those that are served, in order of their paths.
    let files: [FoundFile]
    /// Nil where there is none.
    let directory: PublicDirectory?
}

extension FileStamp {
    /// Whether its content was changed at the same time as another's, or later.
    fileprivate func isNoOlder(than other: FileStamp) -> Bool {
        (modified, modifiedNanoseconds) >= (other.modified, other.modifiedNanoseconds)
    }
}

/// The names of files with the same content in another coding, by what they end in.
let siblingSuffixes: [(coding: ContentCoding, suffix: [UInt8])] = [
    (.brotli, Array(".br".utf8)), (.zstd, Array(".zst".utf8)), (.gzip, Array(".gz".utf8)),
]

extension FileTreeError {
    /// The message about a public directory whose files cannot be found.
    /// - Parameter position: where it is named.
    package func diagnostic(at position: SourcePosition?) -> Diagnostic {
        switch self {
        case .unreadable(let path, let reason):
            let isFile = reason == .missing && FileStamp(of: path) != nil
            let isLink = reason.linkCure(at: path) != nil
            let fact =
                reason == .missing && !isLink
                ? "the directory does not exist" : reason.words(at: path)
            return Diagnostic(
                .error, .unreadableFile, at: position,
                "public directory \(quotedPath(path)) cannot be read: "
                    + (isFile ? "it is not a directory" : fact),
                advice: isFile
                    ? "set `public` to a directory"
                    : reason.advice(
                        whenMissing: (isLink ? "create its target" : "create it")
                            + ", or set `public` to another directory"))
        case .unreadableEntry(let path, let reason):
            return Diagnostic(
                .error, .unreadableFile, at: position,
                "\(quoted(path)) in the public directory cannot be read: \(reason)",
                advice: advice)
        case .dangling(let path):
            return Diagnostic(
                .error, .unreadableFile, at: position,
                "\(quoted(path)) in the public directory is a symbolic link to nothing",
                advice: advice)
        case .cycle(let path, let target):
            return Diagnostic(
                .error, .publicTooDeep, at: position,
                "\(quoted(path)) in the public directory is a symbolic link to \(quoted(target)), "
                    + "which contains it, so it has no end",
                advice: advice)
        case .escapes(let path, let target):
            return Diagnostic(
                .error, .linkOutOfPublic, at: position,
                "\(quoted(path)) is a symbolic link out of the public directory, to "
                    + quoted(target), advice: advice)
        case .hidden(let path, let target):
            return Diagnostic(
                .error, .linkToHiddenFile, at: position,
                "\(quoted(path)) in the public directory is a symbolic link to \(quoted(target)), "
                    + "which is hidden, because a name in it begins with a full stop",
                advice: advice)
        case .notUTF8(let path):
            return Diagnostic(
                .error, .fileNameNotUTF8, at: position,
                "the name of \(quoted(path)) in the public directory is not UTF-8",
                advice: advice)
        case .tooDeep(let path, let limit):
            return Diagnostic(
                .error, .publicTooDeep, at: position,
                "\(quoted(path)) is more than \(limit) directories deep in the public directory",
                advice: advice)
        case .tooMany(let limit):
            return Diagnostic(
                .error, .publicTooDeep, at: position,
                "the public directory contains more than \(limit) files and directories",
                advice: advice)
        }
    }

    /// The kind of the fault, which an exit status is made of.
    package var kind: BuildError.Kind {
        switch self {
        case .unreadable(_, let reason): .init(reason)
        case .unreadableEntry(_, let reason) where reason != .missing: .init(reason)
        default: .invalid
        }
    }
}
