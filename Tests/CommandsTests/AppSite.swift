import Foundation
import Testing

/// A directory with a configuration of one app, whose environment is `prod`.
/// - Parameters:
///   - halves: the app's identifiers, as YAML in one line.
///   - host: of the site that publishes the app with the paths of `/item/`.
func appSite(_ app: String, _ halves: String, host: String) throws -> URL {
    let place = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID())")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(
        """
        version: 1
        apps: {\(app): {\(halves)}}
        links: {item: {match: /item/*}}
        environments:
          prod:
            hosts: [\(host)]
            tls: {certificate: c.pem, key: k.pem}
            publish: {\(app): [item]}
        """.utf8
    ).write(to: place.appending(path: "waymark.yaml"))
    return place
}

/// Runs `waymark app` in a directory.
func runApp(_ arguments: [String], in place: URL) throws -> Program.Outcome {
    try Program.run(["app"] + arguments, in: place)
}
