import Foundation
import Glibc
import TestSupport
import Testing

/// `waymark serve` on free ports of the loopback address, ended with its owner.
final class RunningOrigin {
    private let process = Process()
    private let logFile: URL
    private(set) var https = 0
    private(set) var http = 0
    private(set) var admin = 0

    /// Returns once it serves.
    /// - Parameters:
    ///   - configuration: `waymark.yaml` in a directory of its own.
    ///   - environment: the environment to serve.
    init(
        _ configuration: URL, _ options: [String] = [], environment: String = "test"
    ) throws {
        let directory = configuration.deletingLastPathComponent()
        logFile = directory.appending(path: "events-\(UUID().uuidString)")
        try Data().write(to: logFile)
        process.executableURL = Program.path
        process.arguments =
            [
                "serve", "--config", configuration.path, "--env", environment, "--drain-delay", "0",
                "--https", "127.0.0.1:0", "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0",
            ] + options
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: logFile)
        try process.run()
        let isServing = waits { self.log.contains("waymark: serving ") || !self.process.isRunning }
        try #require(isServing && process.isRunning, "\(log)")
        let line = try #require(log.split(separator: "\n").first { $0.contains(": serving ") })
        https = port("https", line)
        http = port("http", line)
        admin = port("admin", line)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: logFile)
    }

    /// What it has said so far.
    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

    var isRunning: Bool { process.isRunning }

    var processIdentifier: Int32 { process.processIdentifier }

    func signal(_ number: Int32) { kill(processIdentifier, number) }

    private func port(_ name: String, _ line: Substring) -> Int {
        let words = line.split(whereSeparator: { " ,".contains($0) })
        guard let position = words.firstIndex(of: Substring(name)), position + 1 < words.count
        else {
            return 0
        }
        return words[position + 1].split(separator: ":").last.flatMap { Int($0) } ?? 0
    }
}

/// Runs a command line and returns what it printed on both streams.
@discardableResult
func shellOutput(_ command: String) -> String {
    guard let pipe = popen("{ \(command) ; } 2>&1", "r") else { return "popen failed" }
    var output = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, pipe), count > 0 {
        output += piece[..<count]
    }
    pclose(pipe)
    return String(decoding: output, as: UTF8.self)
}
