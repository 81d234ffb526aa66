import Files
import HTTPMessages

/// The answer to a request for a public file, decided before a byte of it is written.
package struct FileAnswer: Sendable {
    let form: FileForm
    let part: Part
    let isHead: Bool
    /// Whose content is sent, and the descriptor, where it is not in memory.
    let source: PublicFile?
    let file: CountedFile?

    enum Part: Sendable {
        case whole, notModified
        /// 206 with a part of the identity form, or with several.
        case range(Range<Int>)
        case ranges([Range<Int>])
    }
}

extension FileAnswer {
    /// A part of the content; nil where the file cannot be read any more.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        switch form.content {
        case .memory(let bytes):
            let start = form.representation.body.lowerBound
            return Array(bytes[start + range.lowerBound..<start + range.upperBound])
        case .disk:
            guard let source, let file else { return nil }
            return source.bytes(range, of: file)
        }
    }
}

extension PublicFile {
    /// A part of the file on the disk; nil where it cannot be read any more.
    func bytes(_ range: Range<Int>, of file: CountedFile) -> [UInt8]? {
        var bytes = [UInt8]()
        bytes.reserveCapacity(range.count)
        return (try? read(range, of: file) { bytes += $0 }) == nil ? nil : bytes
    }
}

/// Content that is sent in pieces, as the socket takes them.
package enum Content: Sendable {
    case bytes([UInt8])
    /// Made for one answer, which alone holds it.
    case generated([UInt8])
    /// Of a public file on the disk.
    case file(PublicFile, CountedFile)
}

/// The part of a request that an answer with a file depends on.
struct FileRequest {
    let isHead: Bool
    /// Whether another visitor may get something else for the same URL.
    var isForVisitor = false
    /// Of several parts together; for more the whole file is sent.
    let partsBytesMax: Int
    /// Seconds since 1970.
    let now: Int
}

extension PublicFile {
    /// Answers a GET or HEAD, in the coding that the client prefers.
    /// - Parameter fields: those of the request, which are ranges of `bytes`.
    /// - Returns: nil if the file is not any more what was found.
    func answer(
        _ request: FileRequest, _ fields: borrowing FieldSection, in bytes: [UInt8]
    ) -> Answer? {
        do throws(FileError) {
            let available = codings
            var coding = fields.contentCoding(bytes, among: available)
            if coding == nil, !available.contains(.gzip) {
                // A client that refuses the file as it is may take the form that is not made yet.
                try compress()
                coding = fields.contentCoding(bytes, among: codings)
            }
            guard let coding else { return .status(.notAcceptable, isHead: request.isHead) }
            let form = try form(coding, isForVisitor: request.isForVisitor)
            var hasRanges = false
            if case .identity = coding { hasRanges = true }
            let source = source(of: coding)
            // Also for what is answered without content: it must agree with the file.
            let file = source.isInMemory ? nil : try source.open()
            return form.answer(
                request, fields, in: bytes, hasRanges: hasRanges, source: source, file: file)
        } catch {
            if case .changed = error { return nil }
            if case .outOfDescriptors = error { reportShortage(error, at: request.now) }
            return .status(Status(of: error), isHead: request.isHead)
        }
    }
}

extension FileForm {
    /// Answers a GET or HEAD: conditions first, then ranges (RFC 9110 §13.2.2).
    func answer(
        _ request: FileRequest, _ fields: borrowing FieldSection, in bytes: [UInt8],
        hasRanges: Bool, source: PublicFile? = nil, file: CountedFile? = nil
    ) -> Answer {
        let isHead = request.isHead
        let validators = representation.validators
        switch fields.evaluateConditions(bytes, validators, in: heads, now: request.now) {
        case .failed: return .status(.preconditionFailed, isHead: isHead)
        case .notModified:
            return .file(
                FileAnswer(form: self, part: .notModified, isHead: true, source: nil, file: nil))
        case .proceed: break
        }
        var part = FileAnswer.Part.whole
        if hasRanges, !isHead {
            switch fields.requestedRange(
                bytes, of: representation.body.count, validators, in: heads,
                now: request.now)
            {
            case .whole: break
            case .part(let range): part = .range(range)
            case .parts(let ranges):
                guard ranges.reduce(0, { $0 + $1.count }) <= request.partsBytesMax else { break }
                part = .ranges(ranges)
            case .notSatisfiable: return .noPart(of: representation.body.count)
            }
        }
        return .file(FileAnswer(form: self, part: part, isHead: isHead, source: source, file: file))
    }
}
