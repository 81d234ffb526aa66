import Associations
import Diagnostics
import Foundation
import Testing

@testable import SiteConfiguration

@Suite("Ready association files")
struct ReadyFileTests {
    @Test func `are served byte for byte, and in no other form`() throws {
        let keys = "aasa: ready/apple.json\n    assetlinks: ready/android.json"
        let environment = try #require(read(keys).configuration?.environments.first?.sites[0])
        #expect(environment.associations.aasa == bytes("apple.json"))
        #expect(environment.associations.assetlinks == bytes("android.json"))
        #expect(environment.associations.generated == nil)
    }

    @Test(
        "are served with warnings, unless Apple or Google would refuse them",
        arguments: [
            ("aasa", #"{"applinks": {"details": [{"appIDs": ["TEAMID.com.a"]}]}}"#, true),
            ("aasa", #"{"applinks": {"details": [{"appIDs": ["$(T).a"], "paths": [1]}]}}"#, true),
            ("aasa", #"{"applinks": {"details": []"#, false), ("aasa", "<html>", false),
            ("assetlinks", statement(Array(repeating: "00", count: 32)), true),
            ("assetlinks", statement(["YOUR_KEY"]), false), ("assetlinks", "{}", false),
        ])
    func placeholders(_ key: String, _ text: String, _ isServed: Bool) throws {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (configuration, diagnostics) = read("\(key): \(file.path)")
        #expect((configuration != nil) == isServed, "\(diagnostics)")
        #expect(diagnostics.contains { $0.position?.file == file.path })
    }

    private static func statement(_ octets: [String]) -> String {
        """
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": \
        "android_app", "package_name": "com.example.app", "sha256_cert_fingerprints": \
        ["\(octets.joined(separator: ":"))"]}}]
        """
    }

    @Test func `stand beside a generated one`() throws {
        let keys = "assetlinks: ready/android.json\n    publish: {app: home}"
        let environment = try #require(read(keys).configuration?.environments.first?.sites[0])
        #expect(environment.associations.generated != nil)
        #expect(environment.associations.assetlinks == bytes("android.json"))
    }

    @Test(
        "are refused above Apple's limit",
        arguments: [(AssociationFile.bytesMax, true), (AssociationFile.bytesMax + 1, false)])
    func size(_ length: Int, _ isAccepted: Bool) throws {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        let json = try #require(bytes("apple.json"))
        let padding = [UInt8](repeating: 0x20, count: length - json.count)
        try Data(json + padding).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (site, diagnostics) = read("aasa: \(file.path)")
        #expect((site != nil) == isAccepted)
        #expect(
            site?.environments.first?.sites[0].associations.aasa?.count
                == (isAccepted ? length : nil))
        let message = "has \(length) bytes, may have \(AssociationFile.bytesMax)"
        #expect(diagnostics.contains { $0.message.contains(message) } == !isAccepted)
    }

    @Test func `may be links that stay in their directory, as Kubernetes mounts them`() throws {
        let directory = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let json = try #require(bytes("apple.json"))
        for name in ["mount/..1", "elsewhere"] {
            let files = directory.appending(path: name)
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try Data(json).write(to: files.appending(path: "aasa"))
        }
        let links = [
            ("mount/..data", "..1"), ("mount/aasa", "..data/aasa"),
            ("mount/out", "../elsewhere/aasa"), ("current", "elsewhere"),
        ]
        for (link, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: directory.appending(path: link).path, withDestinationPath: target)
        }
        for name in ["mount/aasa", "current/aasa"] {
            let site = read("aasa: \(directory.path)/\(name)").configuration
            #expect(site?.environments.first?.sites[0].associations.aasa == json)
        }
        let (site, diagnostics) = read("aasa: \(directory.path)/mount/out")
        #expect(site == nil)
        #expect(
            diagnostics.contains {
                $0.message.contains(
                    "is a symbolic link out of its "
                        + "directory")
            })
        #expect(diagnostics.contains { $0.advice == "write the path of the link's target" })
    }

    private func read(_ keys: String) -> (configuration: Configuration?, diagnostics: [Diagnostic])
    {
        let text = """
            version: 1
            apps:
              app: {ios: {id: ABCDE12345.com.example.app}}
            links:
              home: {match: /}
            environments:
              dev:
                hosts: [localhost]
                tls: {certificate: certs/dev.pem, key: certs/dev.key}
                \(keys)
            """
        return Configuration.read(Array(text.utf8), file: "f", directory: Fixture.directory)
    }

    private func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(Fixture.directory)/ready/\(name)").map(Array.init)
    }
}
