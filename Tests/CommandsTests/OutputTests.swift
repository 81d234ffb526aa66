import Foundation
import Testing

@Suite("Standard output")
struct OutputTests {
    /// A redirection, the status that a command ends with, and what is said of it.
    static let faults: [(redirection: String, status: Int32, message: String)] = [
        (">/dev/full", 74, "No space left on device"),
        (">&-", 74, "it is not open"),
    ]

    @Test(
        "a command that cannot write it fails, whatever it found",
        arguments: PrintingCommand.all, faults)
    func unwritable(
        _ command: PrintingCommand, _ fault: (redirection: String, status: Int32, message: String)
    ) throws {
        let outcome = try Program.run(
            command.arguments, input: command.input, redirecting: fault.redirection)
        #expect(outcome.status == fault.status, "\(outcome)")
        let message = "waymark: error: standard output cannot be written: \(fault.message)\n"
        #expect(outcome.messages.hasSuffix(message), "\(outcome)")
    }

    @Test("the same command with a stream that takes it prints it", arguments: PrintingCommand.all)
    func writable(_ command: PrintingCommand) throws {
        let outcome = try Program.run(command.arguments, input: command.input)
        #expect([0, 1].contains(outcome.status) && !outcome.output.isEmpty, "\(outcome)")
        #expect(!outcome.messages.contains("standard output"), "\(outcome)")
    }

    /// `trap '' PIPE` has the write fail; without, the signal ends the process.
    @Test("whoever stops reading is told nothing", arguments: ["", "trap '' PIPE; "])
    func readerGone(_ trap: String) throws {
        let program = try #require(Program.path).path
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        // The reader is gone before the help, which is longer than a pipe's room, has come.
        process.arguments = [
            "-c",
            """
            \(trap)(sleep 0.2; "$0" --help 2>&1 >&3; echo "status $?") 3> >(exec true) 2>&1
            """, program,
        ]
        let said = Pipe()
        process.standardOutput = said
        process.standardError = said
        try process.run()
        let text = String(
            decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "status 141\n")
    }

    /// Some other process may have made a stream that it shares non-blocking.
    @Test func `a pipe that does not wait is waited for`() throws {
        let program = try #require(Program.path).path
        let script = """
            import fcntl, os, subprocess, sys, time
            reader, writer = os.pipe()
            fcntl.fcntl(writer, fcntl.F_SETFL, os.O_NONBLOCK)
            fcntl.fcntl(writer, 1031, 4096)
            child = subprocess.Popen([sys.argv[1], "lint", "--help"], stdout=writer)
            os.close(writer)
            time.sleep(0.2)
            with open(reader, "rb") as stream:
                read = len(stream.read())
            print(child.wait(), read)
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, program]
        let said = Pipe()
        process.standardOutput = said
        try process.run()
        let text = String(
            decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let whole = try Program.run("lint", "--help").output.utf8.count
        #expect(text == "0 \(whole)\n")
    }

    @Test func `every command and format that the program knows is tried here`() throws {
        let help = try Program.run("--experimental-dump-help").output
        let decoded = try JSONDecoder().decode(Help.self, from: Data(help.utf8))
        let tried = Set(
            PrintingCommand.all.map { command in
                let format = command.arguments.firstIndex(of: "--format").map {
                    command.arguments[$0 + 1]
                }
                return [command.arguments[0], format].compactMap(\.self)
            })
        for command in decoded.command.subcommands ?? [] {
            // The first two print messages; what the others print is tried with what they ask.
            let others = [
                "serve", "init", "healthcheck", "links", "tokens", "nodes", "console",
                "certificates",
            ]
            guard !others.contains(command.commandName) else { continue }
            let option = command.arguments?.first { argument in
                argument.names?.contains { $0.name == "format" } == true
            }
            for format in option?.allValues ?? [] {
                #expect(tried.contains([command.commandName, format]))
            }
            #expect(tried.contains { $0[0] == command.commandName })
        }
    }

    /// As much of ArgumentParser's description of a program as is looked at.
    private struct Help: Decodable {
        let command: Command

        struct Command: Decodable {
            let commandName: String
            let subcommands: [Command]?
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            let names: [Name]?
            let allValues: [String]?
        }

        struct Name: Decodable {
            let name: String
        }
    }
}

@Suite("Standard input")
struct StandardInputTests {
    private static let aasa = "Tests/Fixtures/report/apple-app-site-association"

    /// Every command that reads it.
    static let readers: [[String]] = [
        ["match", "--aasa", aasa], ["match", "--aasa", "-", "https://a.example/"],
        ["match", "--assetlinks", "-", "https://a.example/"], ["lint", "-"],
        ["lint", "--check-signature", "--cacert", "-", "-"],
        ["explain", "-", "--format", "json", "--env", "dev"], ["report", "-"],
        ["report", "--aasa", "-", "Tests/Fixtures/report/page.html"],
        ["diff", "-", "waymark.yaml"],
    ]

    static let faults: [(redirection: String, message: String)] = [
        ("</", "it is a directory"), ("<&-", "it is not open"), ("0>/dev/null", "it is not open"),
    ]

    @Test(
        "a directory, or nothing, is no empty input", arguments: readers, faults)
    func unreadable(
        _ arguments: [String], _ fault: (redirection: String, message: String)
    ) throws {
        let outcome = try Program.run(arguments, redirecting: fault.redirection)
        #expect(outcome.status == 66, "\(outcome)")
        #expect(outcome.messages.contains("<stdin>:"), "\(outcome)")
        #expect(outcome.messages.contains(fault.message), "\(outcome)")
    }

    @Test("an empty one is one", arguments: readers)
    func empty(_ arguments: [String]) throws {
        let outcome = try Program.run(arguments, redirecting: "</dev/null")
        #expect(outcome.status != 66 && !outcome.messages.contains("cannot be read"), "\(outcome)")
    }

    /// The longest line that is a link, one byte more, and one that is many times as long.
    @Test(
        "a line is one link, however long it is", arguments: [0, 1, 3 << 20], ["\n", "\r\n", ""])
    func longLines(_ more: Int, _ end: String) throws {
        let start = "https://www.example.com/"
        let line = start + String(repeating: "a", count: (1 << 20) - start.utf8.count + more)
        let input = "\(start)\n\(line)\(end)" + (end.isEmpty ? "" : "\(start)\n")
        let shown = more == 0 ? line : String(line.prefix(80)) + "…"
        let lines = ["match", "--aasa", Self.aasa]
        let records = try Program.run(lines, input: input).output.split(separator: "\n")
        #expect(records.count == (end.isEmpty ? 2 : 3))
        #expect(records[1].split(separator: "\t")[1] == shown)
        let json = try Program.run(lines + ["--format", "json"], input: input).output
        let answers = try JSONDecoder().decode([Answer].self, from: Data(json.utf8))
        #expect(answers.count == records.count && answers[1].url == shown)
        #expect(
            answers[1].error == (more == 0 ? nil : "the line is longer than 1048576 bytes"))
    }

    private struct Answer: Decodable {
        let url: String
        let error: String?
    }
}
