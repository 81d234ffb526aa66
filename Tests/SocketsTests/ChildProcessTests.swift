import Testing

@testable import Sockets

/// Programs that are run to their end, with a limit of time.
@Suite("Child processes")
struct ChildProcessTests {
    private func child(_ script: String, milliseconds: Int = 600_000) -> ChildProcess {
        var child = ChildProcess(path: "/bin/sh")
        child.arguments = ["-c", script, "name", "an argument"]
        child.environment = ["PATH=/usr/bin:/bin", "ONE=1"]
        child.milliseconds = milliseconds
        return child
    }

    private func run(_ script: String, milliseconds: Int = 600_000) -> ChildProcess.End {
        child(script, milliseconds: milliseconds).run()
    }

    private func text(_ end: ChildProcess.End) -> String {
        String(decoding: end.output, as: UTF8.self)
    }

    /// Whether a process ends, or waits for its parent only.
    private func ends(_ number: String) -> Bool {
        run(
            """
            while kill -0 \(number) 2>/dev/null; do
                grep -q 'State:.Z' /proc/\(number)/status && exit 0
                sleep 0.02
            done
            """, milliseconds: 120_000
        ).reason == .status(0)
    }

    @Test func `its output and errors are kept, and its exit status`() {
        let end = run("echo out; echo err >&2; exit 3")
        #expect(end.reason == .status(3) && text(end) == "out\nerr\n")
        #expect(run("kill -9 $$").reason == .signal(9))
        #expect(run("true") == .init(reason: .status(0), output: []))
    }

    @Test func `it gets its arguments and its environment, and nothing else`() {
        let end = run(
            """
            echo "$1"; tr '\\0' '\\n' </proc/self/environ; echo /proc/self/fd/*
            cat; grep -E 'Sig(Blk|Ign)' /proc/self/status
            """)
        // Descriptors of the pattern: standard streams, and the directory that is read.
        #expect(
            text(end).hasPrefix("an argument\nPATH=/usr/bin:/bin\nONE=1\n")
                || text(end).hasPrefix("an argument\nONE=1\nPATH=/usr/bin:/bin\n"), "\(text(end))")
        #expect(!text(end).contains("fd/4"))
        #expect(text(end).contains("SigBlk:\t0000000000000000\n"))
        // The C library has 32 and 33 for itself.
        let ignored = text(end).split(separator: "SigIgn:\t").last.map { $0.dropLast(1) } ?? ""
        #expect(Int(ignored, radix: 16).map { $0 & ~(3 << 31) } == 0, "\(ignored)")
    }

    @Test func `much output is read, and its beginning kept`() {
        let end = run("head -c 10000000 /dev/zero | tr '\\0' x; echo end")
        #expect(end.reason == .status(0) && end.output.count == 4_096)
    }

    @Test func `one that does not end is killed, with its children`() {
        let end = run("sleep 600 & echo $!; sleep 600", milliseconds: 300)
        #expect(end.reason == .timeout(milliseconds: 300))
        #expect(ends(text(end).filter(\.isNumber)))
    }

    @Test func `one that writes without end is killed in time`() {
        let end = run("yes & while :; do echo; done", milliseconds: 300)
        #expect(end.reason == .timeout(milliseconds: 300) && end.output.count == 4_096)
    }

    @Test func `one is killed when its caller gives it up`() throws {
        let wakeup = try Wakeup()
        var given = child("sleep 600 & echo $!; sleep 600")
        given.cancellation = wakeup
        let running = Background(name: "test-child") { [given] in given.run() }
        wakeup.wake()
        #expect(running.value.reason == .cancelled)
        // It is not started for long afterwards either.
        #expect(given.run().reason == .cancelled)
    }

    @Test func `one that leaves children behind is not waited for`() {
        // The second has left the group, and has the output open.
        let end = run("sleep 600 & echo $!; setsid sleep 5 & exit 0")
        #expect(end.reason == .status(0))
        #expect(ends(text(end).filter(\.isNumber)))
    }

    @Test(arguments: [
        ("/nowhere/program", "No such file"), ("/etc/passwd", "Permission denied"),
        ("/tmp", "Permission denied"),
    ])
    func `what is no program is said`(path: String, words: String) {
        let end = ChildProcess(path: path).run()
        #expect("\(end.reason)".contains(words) && "\(end.reason)".hasPrefix("not started"))
    }
}
