import Foundation
import TestSupport
import Testing

/// The built program, run as a person runs it.
struct Program {
    /// What a run left behind.
    struct Outcome {
        let status: Int32
        let output: String
        let messages: String
    }

    /// Runs `waymark` in the repository's top directory.
    static func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    /// - Parameters:
    ///   - stream: standard output or standard error, which goes to `file` and is left there.
    static func run(
        _ arguments: [String], in directory: URL, writing stream: String, to file: URL
    ) throws -> Outcome {
        let process = Process()
        let program = try #require(path)
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = directory
        let other = try scratchFile()
        try Data().write(to: file)
        let isOutput = stream == "standardOutput"
        process.standardOutput = try FileHandle(forWritingTo: isOutput ? file : other)
        process.standardError = try FileHandle(forWritingTo: isOutput ? other : file)
        try process.run()
        waitUntilExit(process)
        return Outcome(
            status: process.terminationStatus, output: try take(isOutput ? file : other),
            messages: try take(isOutput ? other : file))
    }

    /// - Parameters:
    ///   - input: what it reads from standard input; nil lets it read nothing.
    ///   - redirection: what a shell does with its streams, such as `>/dev/full`.
    ///   - isJournal: whether it finds journald behind standard error.
    ///   - variables: of its environment, besides those of the tests.
    static func run(
        _ arguments: [String], input: String? = nil, in directory: URL = repository,
        redirecting redirection: String? = nil, isJournal: Bool = false,
        variables: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        let typed = try scratchFile()
        defer { try? FileManager.default.removeItem(at: typed) }
        try Data((input ?? "").utf8).write(to: typed)
        process.standardInput = try FileHandle(forReadingFrom: typed)
        let program = try #require(path)
        process.executableURL = program
        process.arguments = arguments
        if let redirection {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments =
                ["-c", "exec \"$0\" \"$@\" \(redirection)", program.path] + arguments
        }
        process.currentDirectoryURL = directory
        let (output, messages) = (try scratchFile(), try scratchFile())
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: messages)
        var variables = variables
        if isJournal {
            var status = stat()
            stat(messages.path, &status)
            variables["JOURNAL_STREAM"] = "\(status.st_dev):\(status.st_ino)"
        }
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        try process.run()
        waitUntilExit(process)
        return Outcome(
            status: process.terminationStatus, output: try take(output),
            messages: try take(messages))
    }

    /// Waits for the end, and ends what goes on: a server that should have been refused.
    private static func waitUntilExit(_ process: Process) {
        let identifier = process.processIdentifier
        let end = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(secondsMax), execute: end)
        process.waitUntilExit()
        end.cancel()
    }

    private static let secondsMax = 300

    /// The top directory of the repository.
    static let repository = URL(filePath: TestSupport.repository(""))

    /// Built beside the tests.
    static let path = Bundle.main.executableURL?.deletingLastPathComponent()
        .appending(path: "waymark")

    // Files, because a pipe that nobody empties would stop the program.
    private static func scratchFile() throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: file)
        return file
    }

    private static func take(_ file: URL) throws -> String {
        defer { try? FileManager.default.removeItem(at: file) }
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}

/// A file of this content that exists while `body` runs.
func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
}

/// A configuration that exists while `body` runs.
func withConfiguration<Result>(
    _ text: String, named name: String = "waymark.yaml", _ body: (String) throws -> Result
) throws -> Result {
    try inScratchDirectory { directory in
        let file = directory.appending(path: name)
        try Data(text.utf8).write(to: file)
        return try body(file.path)
    }
}

/// The smallest configuration with certificates and a page, while `body` runs.
func withServableSite<Result>(_ body: (String) throws -> Result) throws -> Result {
    try withConfiguration(smallestConfiguration) { path in
        let directory = URL(filePath: path).deletingLastPathComponent()
        _ = try Program.run(["init"], in: directory)
        return try body(path)
    }
}

/// A configuration with one environment, `dev`.
let smallestConfiguration = """
    version: 1
    apps:
      app: {ios: {id: W4X7K2M9QH.com.example.app}}
    links:
      home: {match: /}
    environments:
      dev:
        hosts: [localhost]
        tls: {certificate: certs/dev.pem, key: certs/dev.key}
        publish: {app: [home]}

    """
