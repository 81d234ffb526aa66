import Associations
import Diagnostics
import Foundation
import Testing

@testable import SiteConfiguration

@Suite("Ready association files")
struct ReadyFileTests {
    @Test func `are served byte for byte, and in no other form`() throws {
        let keys = "aasa: ready/apple.json\n    assetlinks: ready/android.json"
        let environment = try #require(read(keys).site?.environments.first)
        #expect(environment.associations.aasa == bytes("apple.json"))
        #expect(environment.associations.assetlinks == bytes("android.json"))
        #expect(environment.associations.generated == nil)
    }

    @Test func `stand beside a generated one`() throws {
        let keys = "assetlinks: ready/android.json\n    publish: {app: home}"
        let environment = try #require(read(keys).site?.environments.first)
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
        #expect(site?.environments.first?.associations.aasa?.count == (isAccepted ? length : nil))
        let message = "has \(length) bytes, may have \(AssociationFile.bytesMax)"
        #expect(diagnostics.contains { $0.message.contains(message) } == !isAccepted)
    }

    private func read(_ keys: String) -> (site: Site?, diagnostics: [Diagnostic]) {
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
