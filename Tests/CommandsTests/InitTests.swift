import Foundation
import Testing

@Suite("waymark init")
struct InitTests {
    /// Hosts that YAML would take for something else, and such directories.
    static let arguments: [[String]] = [
        ["--host", "null"], ["--host", "true"], ["--host", "off", "--host", "www.example.com"],
        ["--host", "1e3.example"], ["--certificates", "a,b"], ["--certificates", "~"],
        ["--certificates", "a: b #c"], ["--certificates", "./- a\"b\\c'"],
        ["--certificates", "{a}"], ["--certificates", "ä ö"],
    ]

    @Test("whatever it is given, serve could start with what it writes", arguments: arguments)
    func starts(_ arguments: [String]) throws {
        try inScratchDirectory { directory in
            let outcome = try Program.run(["init"] + arguments, in: directory)
            #expect(outcome.status == 0, "\(outcome)")
            let found = try Program.run(["lint", "--env", "dev", "waymark.yaml"], in: directory)
            #expect(found.status == 0, "\(found)")
            // The App ID is one that must be replaced.
            #expect(found.output.contains("[app-id-placeholder]"))
            #expect(found.output.split(separator: "\n").count { !$0.hasPrefix(" ") } == 1)
            let again = try Program.run(["init"] + arguments, in: directory)
            #expect(again.messages.contains("kept") && !again.messages.contains("wrote"))
        }
    }

    @Test func `certificates are written beside the configuration whose hosts they have`() throws {
        try inScratchDirectory { directory in
            let site = directory.appending(path: "site")
            try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
            #expect(try Program.run(["init"], in: site).status == 0)
            try FileManager.default.removeItem(at: site.appending(path: "certs"))
            let arguments = [
                "init", "--certificates-only", "--config", "site/waymark.yaml", "--env", "dev",
            ]
            #expect(try Program.run(arguments, in: directory).status == 0)
            let lint = try Program.run(
                ["lint", "--env", "dev", "site/waymark.yaml"], in: directory)
            #expect(lint.status == 0, "\(lint)")
            func names() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            }
            #expect(try names() == ["site"])
            let elsewhere = try Program.run(arguments + ["--certificates", "own"], in: directory)
            #expect(elsewhere.status == 0)
            #expect(try names() == ["own", "site"])
        }
    }

    @Test func `certificates are for the hosts of one environment, also without --config`() throws {
        try inScratchDirectory { directory in
            #expect(try Program.run(["init"], in: directory).status == 0)
            let file = directory.appending(path: "waymark.yaml")
            let text = try String(contentsOf: file, encoding: .utf8).replacing(
                "  # prod:", with: "  prod: {extends: dev, hosts: [links.example.com]}\n  #")
            try text.write(to: file, atomically: true, encoding: .utf8)
            for (name, isCovered) in [("dev", false), ("prod", true)] {
                let outcome = try Program.run(
                    ["init", "--certificates-only", "--env", name], in: directory)
                #expect(outcome.status == 0, "\(outcome)")
                let lint = try Program.run(["lint", "--env", "prod"], in: directory)
                #expect((lint.status == 0) == isCovered, "\(lint)")
            }
        }
    }

    @Test("an address is no host of links", arguments: ["10.0.0.1", "127.0.0.1", "1.5", "123"])
    func addresses(_ host: String) throws {
        try inScratchDirectory { directory in
            let outcome = try Program.run(["init", "--host", host], in: directory)
            #expect(outcome.status == 64)
            #expect(outcome.messages.hasPrefix("Error: \"\(host)\" is an address; "))
            #expect(try contents(of: directory).isEmpty)
        }
    }

    /// What is written, and the size that no file may exceed.
    static let sizes: [([String], Int)] = [([], 1), (["--theme", "theme"], 1), ([], 0)]

    /// A limit of the size of files stands for a disk that is full.
    @Test("a disk that is full leaves no half file, and nothing that is kept", arguments: sizes)
    func fullDisk(_ arguments: [String], _ blocks: Int) throws {
        try inScratchDirectory { directory in
            let limit = "ulimit -f \(blocks); trap '' XFSZ; exec \"$0\" init \"$@\""
            let whole = try Program.run(["init"] + arguments, in: directory)
            #expect(whole.status == 0)
            let expected = try contents(of: directory)
            for path in expected.keys where path.contains(".") {
                try FileManager.default.removeItem(at: directory.appending(path: path))
            }
            let outcome = try shell(limit, arguments, in: directory)
            #expect(outcome.status == 74, "\(outcome)")
            #expect(outcome.messages.contains("cannot be written: File too large"), "\(outcome)")
            for (path, bytes) in try contents(of: directory) where path.contains(".") {
                // Keys and certificates differ from run to run.
                #expect(expected[path] == bytes || path.hasPrefix("certs/"))
                #expect(expected[path] != nil, "left behind: \(path)")
            }
            #expect(try Program.run(["init"] + arguments, in: directory).status == 0)
            let later = try contents(of: directory)
            #expect(Set(later.keys) == Set(expected.keys))
            for (path, bytes) in expected where !path.hasPrefix("certs/") {
                #expect(later[path] == bytes)
            }
        }
    }

    @Test func `a link in the position of a file is somebody's`() throws {
        try inScratchDirectory { directory in
            let link = directory.appending(path: "waymark.yaml").path
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: "elsewhere")
            #expect(try Program.run(["init"], in: directory).messages.contains("kept waymark.yaml"))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "elsewhere")
        }
    }

    /// Paths of files and directories, with the files' contents.
    private func contents(of directory: URL) throws -> [String: Data] {
        var found = [String: Data]()
        for path in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            let file = directory.appending(path: path)
            found[path] = (try? Data(contentsOf: file)) ?? Data()
        }
        return found
    }

    private func shell(
        _ script: String, _ arguments: [String], in directory: URL
    ) throws -> Program.Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, try #require(Program.path).path] + arguments
        process.currentDirectoryURL = directory
        let messages = Pipe()
        process.standardError = messages
        try process.run()
        let said = messages.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Program.Outcome(
            status: process.terminationStatus, output: "",
            messages: String(decoding: said, as: UTF8.self))
    }
}

/// An empty directory that exists while `body` runs.
func inScratchDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try body(directory)
}
