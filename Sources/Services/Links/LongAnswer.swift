import Answering
import Files
import HTTPMessages
import Synchronization

/// An answer that is given when all of the content has come: most clients read nothing before they
/// have sent everything. What memory should not hold is in a file without a name.
final class LongAnswer {
    private let directory: String
    private var bytes = [UInt8]()
    private var file: ScratchFile?
    private var fileBytes = 0

    /// - Parameter directory: whose file system has room.
    init(in directory: String) { self.directory = directory }

    /// - Returns: false if the file system has no room.
    func append(_ more: [UInt8]) -> Bool {
        bytes += more
        guard bytes.count > Self.memoryBytesMax else { return true }
        do throws(FileError) {
            if file == nil { file = try ScratchFile(in: directory) }
            try file?.append(bytes)
            fileBytes += bytes.count
            bytes = []
            return true
        } catch {
            return false
        }
    }

    /// - Parameters:
    ///   - retry: the seconds after which the request may be sent again; nil if the answer does not say so.
    ///   - place: given back before the end is.
    func send(
        over stream: BlockingStream, _ status: Status, retryAfter retry: String? = nil,
        _ place: TokenPlaces.Place
    ) {
        let fields = [
            "Content-Type: application/x-ndjson", "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff", retry.map { "Retry-After: \($0)" },
        ]
        stream.request.begin(
            status, fields.compactMap(\.self), length: fileBytes + bytes.count)
        var position = 0
        while let file, position < fileBytes {
            guard let piece = try? file.read(at: position, bytesMax: Self.pieceBytes),
                !piece.isEmpty
            else { return stream.request.abort() }
            guard stream.write(piece) else { return }
            position += piece.count
        }
        // Whoever has the end of the answer finds the place free. Nothing waits for the end to be
        // taken, so that no thread is left without a place.
        let end = bytes.suffix(Self.endBytesMax)
        guard stream.write(Array(bytes.dropLast(end.count))) else { return }
        place.giveBack()
        _ = stream.request.write(Array(end))
        stream.request.finish()
    }

    private static let memoryBytesMax = 1 << 18
    private static let pieceBytes = 1 << 16
    private static let endBytesMax = 4_096
}
