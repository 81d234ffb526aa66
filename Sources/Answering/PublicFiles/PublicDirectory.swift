import Diagnostics
import Files
import SiteConfiguration
import Synchronization
private import URISyntax

/// The parts that the files of a public directory have in common.
final class PublicDirectory: Sendable {
    /// As the configuration names it.
    let path: String
    let position: SourcePosition
    let root: SharedRoot
    let openFiles: OpenFiles
    /// Field lines that every file has.
    let indexFields: [String]
    /// Receives what is found in files after the start.
    let report: @Sendable (Diagnostic) -> Void
    private let digest: @Sendable ([UInt8]) -> [UInt8]

    init(
        _ reference: FileReference, _ root: SharedRoot, _ openFiles: OpenFiles,
        indexFields: [String], digest: @escaping @Sendable ([UInt8]) -> [UInt8],
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        (path, position) = (reference.path, reference.position)
        (self.root, self.openFiles, self.indexFields) = (root, openFiles, indexFields)
        (self.digest, self.report) = (digest, report)
    }

    /// Whether files of it are answered for in the same way.
    func isSame(as other: PublicDirectory) -> Bool {
        root.identity == other.root.identity && path == other.path && position == other.position
            && indexFields == other.indexFields
    }

    /// The entity tag of content.
    func tag(of bytes: [UInt8]) -> String { digest(bytes).prefix(16).hexadecimal }

    /// The entity tag of a file that is not read. A changed file has another tag, and so has a
    /// copy.
    func tag(of stamp: FileStamp) -> String { tag(of: Array(stamp.description.utf8)) }
}

/// An open file that counts as one as long as it is.
package final class CountedFile: Sendable {
    let file: OpenFile
    private let openFiles: OpenFiles

    init(_ file: OpenFile, _ openFiles: OpenFiles) {
        (self.file, self.openFiles) = (file, openFiles)
    }

    deinit { openFiles.release() }
}
