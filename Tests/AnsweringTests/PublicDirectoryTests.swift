import Diagnostics
import Files
import Foundation
import SiteConfiguration
import TestSupport
import Testing

@testable import Answering

@Suite("A public directory that is not there")
struct PublicDirectoryTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let pages = directory.appending(path: "Public")
        try FileManager.default.createDirectory(at: pages, withIntermediateDirectories: true)
        for name in ["a.txt", "b.txt"] {
            try Data(name.utf8).write(to: pages.appending(path: name))
        }
    }

    private func prepare(
        _ site: String = "", after previous: PreparedSite? = nil
    ) throws -> PreparedSite {
        let text = """
            version: 1
            \(site)
            apps: {app: {ios: {id: W4X7K2M9QH.com.example.app}}}
            links: {ad: {match: /ad/*, web: "https://x.example/"}}
            environments:
              dev:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                publish: {app: [ad]}
            """
        return try PreparedSite.prepare(text, in: directory, now: 1_790_812_800, after: previous)
    }

    static let kinds: [(FileError, BuildError.Kind)] = [
        (.noPermission, .noPermission), (.outOfDescriptors("none"), .shortage),
        (.failed("the disk"), .shortage), (.missing, .invalid), (.changed, .invalid),
    ]

    @Test("a directory in it that cannot be read has the kind of its reason", arguments: kinds)
    func entry(_ reason: FileError, _ kind: BuildError.Kind) {
        #expect(FileTreeError.unreadableEntry(path: "deep", reason).kind == kind)
    }

    /// Codes of links can have it in the middle.
    @Test func `has the icon of the site, which is read when it is wanted`() throws {
        let site = try prepare("site: {icon: /a.txt}")
        #expect(site.iconContent(bytesMax: 100) == Array("a.txt".utf8))
        #expect(site.iconContent(bytesMax: 5) == Array("a.txt".utf8))
        #expect(site.iconContent(bytesMax: 4) == nil)
        #expect(site.iconBytes(bytesMax: 5) == 5 && site.iconBytes(bytesMax: 4) == 0)
        let other = try prepare("site: {icon: /a.txt}")
        try FileManager.default.removeItem(at: directory.appending(path: "Public/a.txt"))
        #expect(site.iconContent(bytesMax: 100) == Array("a.txt".utf8))
        #expect(other.iconContent(bytesMax: 100) == nil)
    }

    @Test func `is allowed, and is said if its files were served before`() throws {
        let before = try prepare()
        #expect(before.warnings == [] && before.publicFiles.files.count == 2)
        try FileManager.default.removeItem(at: directory.appending(path: "Public"))
        let after = try prepare(after: before)
        #expect(after.publicFiles.files.isEmpty)
        let warning = try #require(after.warnings.first)
        #expect(warning.rule == .unreadableFile && warning.severity == .warning)
        #expect(warning.message.contains("2 public files are not served"), "\(warning.message)")
        // It is said once, and not at a start.
        #expect(try prepare(after: after).warnings == [])
        #expect(try prepare().warnings == [])
    }
}
