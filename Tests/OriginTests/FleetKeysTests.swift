import Diagnostics
import Files
import SiteConfiguration
import TestSupport
import Testing

@testable import Services

/// The keys with which nodes encrypt what they have together.
@Suite("Secrets of a fleet") struct FleetKeysTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ name: String, _ text: String?) throws -> FileReference {
        let path = "\(directory.path)/\(name)"
        if let text { try replaceFile(path, Array(text.utf8), mode: 0o600) }
        return FileReference(
            path: path, position: SourcePosition(file: "w.yaml", line: 1, column: 1))
    }

    @Test func `a secret has 32 bytes at least, in one line`() throws {
        let long = String(repeating: "s", count: 32)
        for (text, reason) in [
            (long, nil), ("\(long)\n", nil),
            (String(long.dropLast()), "has 31 bytes, must have at least 32"),
            ("\(String(long.dropLast()))\n", "has 31 bytes, must have at least 32"),
            ("", "is empty"), ("\(long)\n\(long)\n", "has several lines"),
            (nil, "cannot be read"),
        ] as [(String?, String?)] {
            let reference = try file(text == nil ? "none" : "secret", text)
            do throws(Unusable) {
                _ = try FleetKeys([reference])
                #expect(reason == nil, "\(text ?? "no file")")
            } catch {
                let message = error.diagnostic.message
                #expect(reason.map { message.contains($0) } == true, "\(message)")
                #expect(!message.contains(long))
            }
        }
    }

    @Test func `the first key encrypts, and all decrypt, what is of this name`() throws {
        let (one, two) = (
            try file("one", String(repeating: "1", count: 32)),
            try file("two", String(repeating: "2", count: 32))
        )
        let (old, both, new) = (
            try FleetKeys([one]), try FleetKeys([two, one]), try FleetKeys([two])
        )
        #expect(both.id == new.id && both.id != old.id && both.has(old.id) && !new.has(old.id))
        let content = Array("content".utf8)
        let sealed = try #require(old.seal(content, as: "a"))
        #expect(both.open(sealed, by: old.id, as: "a") == content)
        #expect(both.open(sealed, by: old.id, as: "b") == nil)
        #expect(new.open(sealed, by: old.id, as: "a") == nil)
        let next = try #require(both.seal(content, as: "a"))
        #expect(new.open(next, by: both.id, as: "a") == content)
        #expect(try FleetKeys([]).seal(content, as: "a") == nil)
    }
}
