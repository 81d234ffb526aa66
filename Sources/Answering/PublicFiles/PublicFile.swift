import Compression
import Diagnostics
package import Files
import HTTPMessages
import SiteConfiguration
import Synchronization
import URISyntax

// A start finds public files and reads none of them: routing needs only their names, sizes and
// times. The content of a file is read by a thread beside the origin or by the first request,
// whichever comes first:
//
//     found ──► content in memory ──► identity form ──► gzip form      up to `memoryFileBytesMax`
//     found ──► open descriptor  ──► identity form, content in pieces  larger, or no room in memory
//
// The result of each step is stored once, and then read without a lock. Nothing is sent before it
// was searched for secrets, and nothing of a file that has changed since the snapshot has
// found it.

/// A file of the public directory as a snapshot has found it. Snapshots share it until it changes.
package final class PublicFile: Sendable {
    /// Under the directory, without a leading slash.
    let path: String
    let stamp: FileStamp
    /// Whether its content is kept in memory.
    let isInMemory: Bool
    /// Files beside it that hold the same content in another coding, the preferred ones first.
    let siblings: [Sibling]
    /// The content that is served instead: the page with the markup of a link.
    private let insertion: [UInt8]?
    let directory: PublicDirectory
    /// Those that the configuration sets for its path.
    let headers: [ConfiguredField]
    /// Seconds since 1970; nil if other content is served instead.
    private let modified: Int?
    /// Whether it changed just before it was found, and may be an unfinished upload.
    let isRecent: Bool
    /// Whether a gzip form is made of it, if that is smaller.
    let isCompressed: Bool

    private let content = AtomicLazyReference<FileBytes>()
    private let identity = FormPair()
    private let zipped = FormPair()
    private let found = Mutex<FileSecret?>(nil)
    /// The pieces of a file on the disk that were searched for secrets, a bit for each.
    private let searched = Mutex([UInt64]())
    private let opened = Mutex<CountedFile?>(nil)
    private let replacement = Mutex<PublicFile?>(nil)
    /// The file in its place that may not be public. It is compared with the confidential files
    /// once, because that looks all of them up, and not again before another snapshot.
    private let refused = Mutex<FileIdentity?>(nil)

    /// A file of the public directory with the same content in another coding.
    struct Sibling: Sendable {
        let coding: ContentCoding
        let file: PublicFile
        fileprivate let forms = FormPair()

        init(_ coding: ContentCoding, _ file: PublicFile) {
            (self.coding, self.file) = (coding, file)
        }
    }

    /// The two forms of a coding, once they were made: for requests that name the file, and for
    /// links that show it to some visitors only.
    fileprivate final class FormPair: Sendable {
        private let usual = AtomicLazyReference<FileForm>()
        private let visitor = AtomicLazyReference<FileForm>()

        func load(_ isForVisitor: Bool) -> FileForm? {
            isForVisitor ? visitor.load() : usual.load()
        }

        /// Stores a form, and returns the one that was stored first.
        func store(_ form: FileForm, _ isForVisitor: Bool) -> FileForm {
            isForVisitor ? visitor.storeIfNil(form) : usual.storeIfNil(form)
        }
    }

    /// - Parameters:
    ///   - insertion: the content that is served instead.
    ///   - isComplete: whether it is known that nothing is missing in it.
    ///   - now: seconds since 1970.
    init(
        _ found: FoundFile, in directory: PublicDirectory, isInMemory: Bool,
        headers: [ConfiguredField], siblings: [Sibling] = [], insertion: [UInt8]? = nil,
        isComplete: Bool = false, now: Int
    ) {
        (path, stamp) = (found.relativePath, found.stamp)
        (self.directory, self.headers, self.siblings) = (directory, headers, siblings)
        (self.insertion, self.isInMemory) = (insertion, isInMemory || insertion != nil)
        // Nothing may say that it was changed later than it is sent (RFC 9110 §8.8.2.1), and some
        // file systems can say years that HTTP cannot.
        modified = insertion == nil ? max(0, min(stamp.modified, now)) : nil
        let bytes = insertion?.count ?? stamp.bytes
        isCompressed =
            self.isInMemory && MediaTypes.type(of: path).isCompressible && bytes >= gzipBytesMin
            && !siblings.contains { $0.coding == .gzip }
        isRecent =
            !isComplete
            && (now - recentSeconds + 1..<now + recentSeconds).contains(stamp.modified)
    }

    var isHTML: Bool { MediaTypes.isHTML(path) }

    /// The secret for which it is refused, as far as it was read.
    var secret: FileSecret? { found.withLock { $0 } }

    var isInserted: Bool { insertion != nil }

    /// Whether it may hold the content of another file in a coding.
    var isSibling: Bool {
        siblingSuffixes.contains { path.utf8.reversed().starts(with: $0.suffix.reversed()) }
    }

    /// Whether another snapshot may go on with it.
    func isSame(
        as found: FoundFile, isInMemory: Bool, headers: [ConfiguredField], siblings: [Sibling]
    ) -> Bool {
        insertion == nil && !isRecent && stamp == found.stamp && self.isInMemory == isInMemory
            && self.headers == headers
            && self.siblings.map { ObjectIdentifier($0.file) }
                == siblings.map { ObjectIdentifier($0.file) }
    }

    // MARK: Content

    /// The content of a file in memory, read now unless it was before.
    /// - Throws: `changed` where it is not the file that was found; `noPermission` where it holds a
    ///   secret.
    func loaded() throws(FileError) -> FileBytes {
        if let content = content.load() { return content }
        if let insertion { return content.storeIfNil(FileBytes(insertion, directory, isHTML)) }
        let file = try openBeneathRoot()
        let bytes = try file.readWhole()
        if let secret = FileSecret(in: bytes.span, at: 0) { throw refuse(secret) }
        return content.storeIfNil(FileBytes(bytes, directory, isHTML))
    }

    /// The file on the disk, open; it stays so for other requests as long as there is room.
    /// - Throws: as `loaded()`, and `outOfDescriptors` where as many are open as may be.
    func open() throws(FileError) -> CountedFile {
        guard secret == nil else { throw .noPermission }
        if let file = opened.withLock({ $0 }) {
            if file.file.isUnchanged { return file }
            // Connections in the middle of this file see the change at their next read.
            _ = opened.withLock { $0.take() }
            throw .changed
        }
        try directory.openFiles.reserve()
        let file: CountedFile
        do throws(FileError) {
            file = CountedFile(try openOnDisk(), directory.openFiles)
        } catch {
            directory.openFiles.release()
            throw error
        }
        directory.openFiles.add(self)
        return opened.withLock { opened in
            opened = opened ?? file
            return opened ?? file
        }
    }

    /// Closes the descriptor unless an answer is made of it, and returns whether it did; nil where
    /// it is not open.
    func closeIfIdle() -> Bool? {
        // Counting takes a lock of its own, so that the file is freed outside of this one.
        var idle: CountedFile?
        return opened.withLock { file in
            guard file != nil else { return nil }
            guard isKnownUniquelyReferenced(&file) else { return false }
            swap(&idle, &file)
            return true
        }
    }

    private func openBeneathRoot() throws(FileError) -> OpenFile {
        let file = try directory.root.open(path)
        guard file.stamp.hasContent(of: stamp) else { throw .changed }
        return file
    }

    /// Opens a file on the disk, whose parts are searched when they are read. A database is
    /// recognized by its beginning, which may be no part of what is asked for.
    private func openOnDisk() throws(FileError) -> OpenFile {
        let file = try openBeneathRoot()
        var header = [UInt8](repeating: 0, count: min(stamp.bytes, FileSecret.headerBytes))
        try file.read(into: &header, 0..<header.count, from: 0)
        if let secret = FileSecret(in: header.span, at: 0) { throw refuse(secret) }
        return file
    }

    /// The beginning of a range of the file on the disk, as far as one call of `read` goes.
    package static func piece(_ range: Range<Int>) -> Range<Int> {
        range.prefix(pieceBytes - range.lowerBound % pieceBytes)
    }

    /// The size of the buffer for `read`.
    package static let pieceBufferBytes = keyBytesMax + pieceBytes

    /// Reads a part of the file on the disk that `piece` returns. A piece that was never searched
    /// for private keys is read whole, with the bytes before it, because a key may begin there.
    /// - Parameter buffer: has `pieceBufferBytes`.
    /// - Returns: where in `buffer` the part is.
    package func read(
        _ range: Range<Int>, of file: CountedFile, into buffer: inout [UInt8]
    ) throws(FileError) -> Range<Int> {
        let number = range.lowerBound / pieceBytes
        let (word, bit) = (number / 64, UInt64(1) << UInt64(number % 64))
        if searched.withLock({ word < $0.count && $0[word] & bit != 0 }) {
            try file.file.read(into: &buffer, 0..<range.count, from: range.lowerBound)
            return 0..<range.count
        }
        let start = max(0, number * pieceBytes - keyBytesMax)
        let count = min(stamp.bytes, (number + 1) * pieceBytes) - start
        try file.file.read(into: &buffer, 0..<count, from: start)
        if let secret = FileSecret(in: buffer.span.extracting(0..<count), at: start) {
            throw refuse(secret)
        }
        searched.withLock { words in
            let missing = word + 1 - words.count
            if missing > 0 { words += [UInt64](repeating: 0, count: missing) }
            words[word] |= bit
        }
        return range.lowerBound - start..<range.upperBound - start
    }

    /// Reads a part of the file on the disk, piece by piece.
    func read(
        _ range: Range<Int>, of file: CountedFile, each take: (ArraySlice<UInt8>) -> Void
    ) throws(FileError) {
        var buffer = [UInt8](repeating: 0, count: Self.pieceBufferBytes)
        var rest = range
        while !rest.isEmpty {
            let piece = Self.piece(rest)
            take(buffer[try read(piece, of: file, into: &buffer)])
            rest = piece.upperBound..<rest.upperBound
        }
    }

    /// Whether it asks search engines not to list it.
    func isNotIndexed() throws(FileError) -> Bool {
        guard !isInMemory else { return try loaded().isNotIndexed }
        var head = [UInt8]()
        try read(0..<min(stamp.bytes, htmlHeadBytes), of: open()) { head += $0 }
        return saysNoIndex(head)
    }

    /// Reads all of it, to see whether it can be served.
    func check() throws(FileError) {
        guard !isInMemory else { return _ = try loaded() }
        try read(0..<stamp.bytes, of: open()) { _ in }
    }

    func reportShortage(_ error: FileError, at now: Int) {
        guard directory.openFiles.isReportDue(at: now) else { return }
        directory.report(
            Diagnostic(
                .warning, .openFiles, at: directory.position, "\(error); others get 503",
                advice: "raise limits.memory-file-bytes, so that fewer files are sent from the disk"
            ))
    }

    /// It holds a secret, which is reported once.
    private func refuse(_ secret: FileSecret) -> FileError {
        let isNew = found.withLock { found in
            defer { found = found ?? secret }
            return found == nil
        }
        if isNew { directory.report(secret.fault(path, directory)) }
        return .noPermission
    }

    // MARK: Another file in its place

    /// The file that lies at its path now, if that is not this one any more. It is sent from the
    /// disk until a snapshot has found it. Nil if nothing lies there that can be served.
    /// - Parameters:
    ///   - mayServe: whether a file may be public.
    ///   - now: seconds since 1970.
    func successor(at now: Int, mayServe: (FoundFile) -> Bool) -> PublicFile? {
        guard let stamp = try? directory.root.open(path).stamp else { return nil }
        if let known = replacement.withLock({ $0 }), known.stamp.hasContent(of: stamp) {
            return known
        }
        let found = FoundFile(relativePath: path, stamp: stamp)
        guard refused.withLock({ $0 }) != stamp.identity else { return nil }
        guard mayServe(found) else {
            refused.withLock { $0 = stamp.identity }
            return nil
        }
        let file = PublicFile(found, in: directory, isInMemory: false, headers: headers, now: now)
        replacement.withLock { $0 = file }
        return file
    }

    // MARK: Forms

    /// The codings that it is available in now.
    var codings: ContentCodings {
        var codings = ContentCodings()
        for sibling in siblings { codings.insert(sibling.coding) }
        if zipped.load(false) != nil { codings.insert(.gzip) }
        return codings
    }

    /// Its heads and content in a coding that there is.
    /// - Parameter isForVisitor: whether another visitor may get something else.
    func form(_ coding: ContentCoding, isForVisitor: Bool) throws(FileError) -> FileForm {
        switch coding {
        case .identity: return try form(identity, coding, isForVisitor)
        case .gzip where isCompressed: return try form(zipped, coding, isForVisitor)
        default:
            guard let sibling = siblings.first(where: { $0.coding == coding }) else {
                return try form(identity, .identity, isForVisitor)
            }
            return try form(sibling.forms, coding, isForVisitor)
        }
    }

    private func form(
        _ pair: FormPair, _ coding: ContentCoding, _ isForVisitor: Bool
    ) throws(FileError) -> FileForm {
        if let form = pair.load(isForVisitor) { return form }
        return pair.store(try makeForm(coding, isForVisitor), isForVisitor)
    }

    private func makeForm(
        _ coding: ContentCoding, _ isForVisitor: Bool
    ) throws(FileError) -> FileForm {
        let source = source(of: coding)
        let content: FileForm.Source
        var tag: String
        if coding == .gzip, source === self {
            // Another visitor's form has the same content.
            let other = zipped.load(!isForVisitor)
            let loaded = try loaded()
            // Without memory for it, the file is sent as it is.
            guard let zipped = other?.content ?? gzip(loaded.bytes).map(FileForm.Source.memory)
            else { return try makeForm(.identity, isForVisitor) }
            content = zipped
            tag = loaded.tag + "-gzip"
        } else if source.isInMemory {
            let loaded = try source.loaded()
            (content, tag) = (.memory(loaded.bytes), loaded.tag)
        } else {
            guard source.secret == nil else { throw .noPermission }
            (content, tag) = (.disk(bytes: source.stamp.bytes), directory.tag(of: source.stamp))
        }
        // Two codings of one resource never share a tag, whatever they hold (RFC 9110 §8.8.3).
        if source !== self { tag += "-\(coding.name)" }
        return FileForm(content, fields: fields(coding, isForVisitor), tag: tag, modified: modified)
    }

    /// The file that has the content in this coding: a sibling, or itself.
    func source(of coding: ContentCoding) -> PublicFile {
        siblings.first { $0.coding == coding }?.file ?? self
    }

    private func fields(_ coding: ContentCoding, _ isForVisitor: Bool) -> [String] {
        let type = MediaTypes.type(of: path).text
        let lifetime = type.hasPrefix("text/html") || isRecent ? "no-cache" : "max-age=3600"
        let varies =
            (isCompressed || !siblings.isEmpty ? ["Accept-Encoding"] : [])
            + (isForVisitor ? ["User-Agent"] : [])
        let lines =
            [
                "Content-Type: \(type)",
                "Cache-Control: \(isForVisitor ? "private, no-cache" : lifetime)",
                "X-Content-Type-Options: nosniff",
            ] + directory.indexFields
            + (varies.isEmpty ? [] : ["Vary: \(varies.joined(separator: ", "))"])
            + (coding == .identity
                ? ["Accept-Ranges: bytes"] : ["Content-Encoding: \(coding.name)"])
        // A file that may be unfinished is not kept longer than that is known.
        return headers.replacing(lines, isShared: !isForVisitor && !isRecent)
    }

    /// Makes the gzip form, unless it is no smaller.
    func compress() throws(FileError) {
        guard isCompressed, zipped.load(false) == nil else { return }
        let form = try makeForm(.gzip, false)
        guard form.representation.body.count < (try loaded()).bytes.count else { return }
        _ = zipped.store(form, false)
    }
}

/// A change is taken over when files have been the same for longer; a start, and HUP, do not wait.
private let recentSeconds = 2
/// Smaller bodies do not become smaller on the wire.
private let gzipBytesMin = 256
/// No private key in PEM is longer.
private let keyBytesMax = 16384
/// The head of a large page is expected in its first bytes.
private let htmlHeadBytes = 65536
/// The bytes of a file on the disk that are read at once, and searched once for private keys.
private let pieceBytes = 65536
