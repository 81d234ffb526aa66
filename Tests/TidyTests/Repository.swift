import Foundation
import TestSupport
import Testing

/// The repository that this test stands in, and its files as git sees them.
enum Repository {
    static let root = URL(filePath: repository(""))

    /// Paths of the files that are committed or could be: git's ignored ones are not among them.
    static let files: [String] = {
        do {
            return try listFiles()
        } catch {
            preconditionFailure("git cannot list the files of \(root.path): \(error)")
        }
    }()

    /// The text of a file; nil for one that is not UTF-8, or gone since git listed it.
    static func text(of path: String) -> String? {
        guard let data = try? Data(contentsOf: root.appending(path: path)) else { return nil }
        return String(data: data, encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The Swift files under these directories, read once.
    static func sources(under directories: String...) -> [SwiftSource] {
        swiftSources.filter { source in
            directories.contains { source.path.hasPrefix($0 + "/") }
        }
    }

    private static let swiftSources: [SwiftSource] =
        files
        .filter { $0.hasSuffix(".swift") }
        .compactMap { path in text(of: path).map { SwiftSource(path: path, text: $0) } }

    private static func listFiles() throws -> [String] {
        let git = Process()
        git.executableURL = URL(filePath: "/usr/bin/env")
        // The clone of a build service may belong to another user than the one who tests.
        git.arguments = [
            "git", "-c", "safe.directory=*", "-C", root.path,
            "ls-files", "-z", "--cached", "--others", "--exclude-standard",
        ]
        let output = Pipe()
        git.standardOutput = output
        try git.run()
        let names = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        precondition(git.terminationStatus == 0, "git ls-files failed in \(root.path)")
        return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
}

/// One thing that is not tidy, and where.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    var line: Int?
    let fact: String

    var description: String { path + (line.map { ":\($0)" } ?? "") + ": " + fact }
}

/// Records an issue for each finding, so that one run shows them all.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    for finding in findings { Issue.record("\(finding)", sourceLocation: sourceLocation) }
}
