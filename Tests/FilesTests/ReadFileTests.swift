import Files
import Foundation
import Testing

@Suite("A file that is read in pieces")
struct ReadFileTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    func `the pieces are what it holds`(bytes: Int) throws {
        let content = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try write(content)
        defer { removeFile(path) }
        var pieces = [[UInt8]]()
        try readFile(path, bytesMax: bytes) { pieces.append($0) }
        #expect(pieces.flatMap(\.self) == content)
        #expect(pieces.dropLast().allSatisfy { $0.count == 65_536 })
        #expect(try readFile(path, bytesMax: bytes).bytes == content)
    }

    @Test func `one that is too large is refused before a piece is read`() throws {
        let path = try write([1, 2, 3])
        defer { removeFile(path) }
        #expect(throws: FileError.tooLarge(bytes: 3, limit: 2)) {
            try readFile(path, bytesMax: 2) { _ in Issue.record("a piece was read") }
        }
    }

    @Test func `one that grows while it is read is read as far as the limit`() throws {
        let path = try write(Array(repeating: 0, count: 65_536))
        defer { removeFile(path) }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        var taken = 0
        #expect(throws: FileError.tooLarge(bytes: 5 * 65_536, limit: 4 * 65_536)) {
            try readFile(path, bytesMax: 4 * 65_536) { piece in
                taken += 1
                // Without a limit it would go on for ever.
                if taken < 100 { file.write(Data(piece)) }
            }
        }
        #expect(taken == 4)
    }

    private func write(_ content: [UInt8]) throws -> String {
        let path = NSTemporaryDirectory() + "waymark-\(UUID().uuidString)"
        try Data(content).write(to: URL(fileURLWithPath: path))
        return path
    }
}
