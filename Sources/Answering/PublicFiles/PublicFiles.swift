import Diagnostics
import Files
import HTTPMessages

/// The public files of a snapshot.
final class PublicFiles: Sendable {
    /// The directory as it was found.
    let tree: FileTree
    /// In the order of the router's numbers.
    let files: [PublicFile]
    let directory: PublicDirectory
    let sitemap: DeferredSitemap
    /// Those that no snapshot before has prepared.
    private let unprepared: [PublicFile]

    init(
        tree: FileTree, files: [PublicFile], unprepared: [PublicFile], directory: PublicDirectory,
        sitemap: DeferredSitemap
    ) {
        (self.tree, self.files, self.unprepared) = (tree, files, unprepared)
        (self.directory, self.sitemap) = (directory, sitemap)
    }

    /// A copy in which the changed files are replaced. They are read and searched now. Nil if other
    /// files depend on them, so that all have to be found again.
    func replacing(_ changed: [FoundFile], limits: AnsweringLimits, now: Int) -> PublicFiles? {
        var (files, isListedAsBefore) = (files, true)
        var made = [PublicFile]()
        for found in changed {
            guard let index = tree.index(of: Array(found.relativePath.utf8)) else { return nil }
            let before = files[index]
            // What siblings say depends on the other file's age.
            guard !before.isInserted, !before.isSibling, before.siblings.isEmpty,
                before.isInMemory == (found.stamp.bytes <= limits.memoryFileBytesMax)
            else { return nil }
            let file = PublicFile(
                found, in: directory, isInMemory: before.isInMemory, headers: before.headers,
                isComplete: true, now: now)
            if file.isInMemory {
                do throws(FileError) {
                    _ = try file.form(.identity, isForVisitor: false)
                    if found.stamp.bytes <= compressedAtOnceBytes { try file.compress() }
                } catch {
                    // A file with a secret is replaced, too: then it is not sent.
                    guard file.secret != nil else { return nil }
                }
            }
            if file.isHTML, (try? before.isNotIndexed()) != (try? file.isNotIndexed()) {
                isListedAsBefore = false
            }
            files[index] = file
            made.append(file)
        }
        return PublicFiles(
            tree: tree.replacing(changed), files: files, unprepared: made, directory: directory,
            sitemap: isListedAsBefore ? sitemap : sitemap.renewed())
    }

    /// Reads what is kept in memory, then makes what depends on content. A file that cannot be read
    /// is answered for when it is asked for.
    func prepare() {
        for file in unprepared where file.isInMemory {
            _ = try? file.form(.identity, isForVisitor: false)
        }
        sitemap.make(files)
    }

    /// Makes gzip forms, which takes much longer. A file for which there is no room then is sent as it is.
    func compress(where hasRoom: (Int) -> Bool) {
        for file in unprepared where file.isCompressed && hasRoom(2 * file.stamp.bytes) {
            try? file.compress()
        }
    }

    /// Reads all of them, and says which of them cannot be served.
    func check() -> [Diagnostic] {
        files.compactMap { file in
            do throws(FileError) {
                try file.check()
                return nil
            } catch {
                if let secret = file.secret { return secret.fault(file.path, directory) }
                return Diagnostic(
                    .error, .unreadableFile, at: directory.position,
                    "public file \(quotedPath(file.path)) cannot be read: \(error)",
                    advice: error.advice(whenMissing: nil))
            }
        }
    }
}

/// The most bytes of a file that are compressed at once; more would take a moment.
private let compressedAtOnceBytes = 131_072
