import Foundation
import Glibc
import TestSupport
import Testing

/// An origin with a store, and the commands that ask it.
final class StoreSite {
    let directory: URL
    let origin: RunningOrigin
    let configuration: URL
    private static let text = """
        version: 1
        apps:
          shop: {name: Shop, ios: {id: W4X7K2M9QH.com.example.shop}}
        links:
          short: {match: /s/*, stored: {destinations: www.example.com}}
          offer: {match: /o/*, stored: {destinations: "*"}}
          page: {match: /page, page: {title: Page}, web: landing}
        environments:
          test:
            hosts: [localhost]
            tls: {certificate: certs/dev.pem, key: certs/dev.key}
            publish: {shop: [short]}
            store: links.db

        """

    /// - Parameter store: a copy of a store, to be served from the start.
    init(store: URL? = nil) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        configuration = directory.appending(path: "waymark.yaml")
        try Data(Self.text.utf8).write(to: configuration)
        _ = try Program.run(["init"], in: directory)
        if let store {
            try FileManager.default.copyItem(at: store, to: directory.appending(path: "links.db"))
        }
        origin = try RunningOrigin(configuration)
        let isReady = waits { origin.adminPage("/readyz").hasSuffix("ok\n200") }
        try #require(isReady, "\(origin.log)")
    }

    deinit {
        origin.signal(SIGKILL)
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// The options with which the commands find the origin, beside its configuration.
    var admin: [String] { ["--admin", "127.0.0.1:\(origin.admin)"] }

    /// Runs a command beside the configuration.
    func run(_ arguments: String..., input: String? = nil, redirecting: String? = nil) throws
        -> Program.Outcome
    {
        try Program.run(
            arguments + admin, input: input, in: directory, redirecting: redirecting)
    }

    /// The URL of a new link.
    func create(_ arguments: String...) throws -> String {
        let outcome = try Program.run(["links", "create"] + arguments + admin, in: directory)
        try #require(outcome.status == 0, "\(outcome)")
        return String(outcome.output.dropLast())
    }

    func object(_ outcome: Program.Outcome) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(json as? [String: Any])
    }
}
