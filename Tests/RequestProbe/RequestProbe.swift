import Foundation
import FuzzTargets

/// Reads streams of requests from standard input, each behind its length in four bytes, most
/// significant first, and prints for each a line of JSON: what it was read as.
///
/// Each is read in one piece, byte by byte, and in pieces of seven: when these differ, that is
/// what the line says, and `Tests/Tools/check-parser` takes it for a fault.
@main
struct RequestProbe {
    static func main() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        while let head = try FileHandle.standardInput.read(upToCount: 4), head.count == 4 {
            let length = head.reduce(0) { $0 << 8 | Int($1) }
            var bytes: [UInt8] = []
            while bytes.count < length,
                let more = try FileHandle.standardInput.read(upToCount: length - bytes.count),
                !more.isEmpty
            {
                bytes += more
            }
            let whole = RequestStream(bytes, pieceBytes: .max)
            let isSteady = [1, 7].allSatisfy { RequestStream(bytes, pieceBytes: $0) == whole }
            let line = isSteady ? try encoder.encode(whole) : Data(#""differs by pieces""#.utf8)
            FileHandle.standardOutput.write(line + Data("\n".utf8))
        }
    }
}
