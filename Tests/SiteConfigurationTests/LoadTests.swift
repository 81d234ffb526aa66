import Diagnostics
import Foundation
import Testing

@testable import SiteConfiguration
import TestSupport

@Suite("Files")
struct LoadTests {
    @Test func `a missing file is told from one that is invalid`() {
        let (site, missing) = Configuration.load(path: fixtures("nowhere/waymark.yaml"))
        #expect(site == nil)
        #expect(missing.map(\.rule) == [.fileMissing])
        #expect(Configuration.fault(in: missing) == .missing)
        let (_, invalid) = Configuration.read([], file: "f", directory: ".")
        #expect(Configuration.fault(in: invalid) == .invalid)
        let (_, valid) = Configuration.load(path: repository("waymark.yaml"))
        #expect(Configuration.fault(in: valid) == nil)
    }

    @Test func `a directory is no configuration`() {
        let (site, diagnostics) = Configuration.load(path: fixtures("sites"))
        #expect(site == nil)
        #expect(diagnostics.map(\.rule) == [.fileUnreadable])
        #expect(Configuration.fault(in: diagnostics) == .unreadable)
    }

    @Test(.enabled("to the superuser no file is closed") { geteuid() != 0 })
    func `a file without permission is told from a missing one`() throws {
        let path = NSTemporaryDirectory() + "waymark-\(UUID().uuidString).yaml"
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(), attributes: [.posixPermissions: 0]))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let diagnostics = Configuration.load(path: path).diagnostics
        #expect(Configuration.fault(in: diagnostics) == .noPermission)
    }

    @Test(
        "relative paths begin at the configuration's directory",
        arguments: [("/etc/waymark", "/etc/waymark/Public"), (".", "Public"), ("a", "a/Public")])
    func resolves(_ directory: String, _ expected: String) throws {
        let fixture = try #require(Fixture.all.first { $0.name == "smallest.txt" })
        let (site, _) = Configuration.read(
            Array(fixture.input.utf8), file: "f", directory: directory)
        #expect(site?.environments.first?.sites[0].publicDirectory.path == expected)
    }

    @Test func `a loaded file's directory is the one it is named in`() {
        let (site, _) = Configuration.load(path: fixtures("sites/rwdevcon/waymark.yaml"))
        #expect(
            site?.environments.first?.sites[0].publicDirectory.path
                == fixtures("sites/rwdevcon/Public"))
    }
}
