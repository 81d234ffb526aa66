import Files
import Foundation
import Testing

@Suite("What tells of changes")
struct FileStampTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        for path in ["live", "archive", "mount/..1", "mount/..2"] {
            try FileManager.default.createDirectory(
                at: directory.appending(path: path), withIntermediateDirectories: true)
        }
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: path(name), withDestinationPath: target)
    }

    @Test func `a stamp changes with content, owner's rights and identity, and not by reading`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = path("file")
        #expect(FileStamp(of: file) == nil)
        try Data("one".utf8).write(to: URL(filePath: file))
        let first = FileStamp(of: file)
        _ = try Data(contentsOf: URL(filePath: file))
        #expect(first != nil && FileStamp(of: file) == first)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let second = FileStamp(of: file)
        #expect(second != first)
        try Data("two".utf8).write(to: URL(filePath: file), options: .atomic)
        #expect(FileStamp(of: file) != second)
    }

    @Test func `the directories of links decide, and of what they lead to`() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        // As certbot renews certificates, and as Kubernetes mounts secrets.
        try link("live/key.pem", to: "../archive/key1.pem")
        try link("mount/..data", to: "..1")
        try link("mount/tls.key", to: "..data/tls.key")
        try link("current", to: path("mount"))
        try link("round", to: "round")
        let root = directory.path
        func decidingDirectories(of path: String) -> Set<String> {
            Set(
                Files.decidingDirectories(of: Array(path.utf8)).map {
                    String(decoding: $0, as: UTF8.self)
                })
        }
        #expect(
            decidingDirectories(of: path("live/key.pem"))
                == ["\(root)/live", "\(root)/live/../archive"])
        #expect(
            decidingDirectories(of: path("mount/tls.key")) == [
                "\(root)/mount", "\(root)/mount/..1",
            ]
        )
        #expect(
            decidingDirectories(of: path("current/tls.key"))
                == [root, "\(root)/mount", "\(root)/mount/..1"])
        #expect(decidingDirectories(of: path("live/other")) == ["\(root)/live"])
        #expect(decidingDirectories(of: path("round")) == [root])
        #expect(decidingDirectories(of: "waymark.yaml") == ["."])
        #expect(decidingDirectories(of: "/etc") == ["/"])
    }
}
