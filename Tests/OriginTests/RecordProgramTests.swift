import Diagnostics
import Foundation
import SiteConfiguration
import Sockets
import TestSupport
import Testing

@testable import Certificates
@testable import Services

/// The operator's programs that set and clear records in DNS.
@Suite("Programs for records in DNS")
struct RecordProgramTests {
    private let directory: TemporaryDirectory
    private let host: AutomaticHost
    private let record = ChallengeRecord(name: "_acme-challenge.a.example", value: "v")

    init() throws {
        directory = try TemporaryDirectory()
        let text = """
            version: 1
            apps: {app: {name: app, ios: {id: ABCDE12345.com.example.app}}}
            links: {all: {match: /p/*, web: landing}}
            environments:
              prod:
                hosts: a.example
                tls: {automatic: {terms: agreed, dns: {program: program}}}
                publish: {app: [all]}
            """
        let (configuration, _) = Configuration.read(
            Array(text.utf8), file: "waymark.yaml", directory: directory.path)
        host = try #require(configuration?.environment(named: "prod")?.automaticHosts.first)
    }

    private func write(_ program: String) throws {
        let path = "\(directory.path)/program"
        try Data(program.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// Sets the record with a program, and clears it.
    private func ends(of program: String) throws -> [RecordPrograms.Ended] {
        try write(program)
        let wakeup = try Wakeup()
        var programs = try RecordPrograms(waking: wakeup)
        programs.set(record, for: host)
        var ended = [RecordPrograms.Ended]()
        func finish() {
            while !programs.isIdle {
                ended += programs.advance()
                if !programs.isIdle { wakeup.wait(atMost: 60_000) }
            }
        }
        finish()
        programs.clear(record, for: host)
        finish()
        return ended
    }

    private func words(_ ended: RecordPrograms.Ended?) throws -> String {
        guard let ended, case .failed(let reason, _) = ended.outcome else { return "" }
        return CertificateFindings.leftRecord(reason, of: ended.host, wasSet: ended.wasSet).message
    }

    @Test func `a record that was never set is not said to be left`() throws {
        let ended = try ends(of: "#!/bin/sh\nexit 3\n")
        #expect(ended.map(\.action) == [.set, .clear] && ended.allSatisfy(\.isOpen))
        #expect(
            try words(ended.last)
                == "a record for a.example may be left in DNS: the program \"\(directory.path)/program\" "
                + "could not clear the record _acme-challenge.a.example: exit status 3")
    }

    @Test func `a record that was set and not cleared is left`() throws {
        let ended = try ends(of: "#!/bin/sh\n[ $1 = set ]\n")
        #expect(ended.map(\.isOpen) == [true, true])
        #expect(try words(ended.last).hasPrefix("a record for a.example was left in DNS: "))
        let cleared = try ends(of: "#!/bin/sh\n")
        #expect(cleared.map(\.isOpen) == [true, false] && cleared.last?.wasSet == false)
    }

    @Test(
        "a program that clears a record and does not end is ended with its children",
        arguments: [true, false])
    func hangs(_ isOrdered: Bool) throws {
        try write("#!/bin/sh\nsleep 600 & echo $! > \(directory.path)/child\nwait\n")
        var programs = try RecordPrograms(waking: Wakeup())
        programs.clear(record, for: host, isLeft: true)
        #expect(programs.advance().isEmpty)
        let path = "\(directory.path)/child"
        try wait { (try? String(contentsOfFile: path, encoding: .utf8))?.hasSuffix("\n") == true }
        let child = try String(contentsOfFile: path, encoding: .utf8).dropLast()
        if isOrdered { programs.killing.wake() }
        var ended = [RecordPrograms.Ended]()
        programs.stop(atMost: isOrdered ? 60_000 : 100) { ended.append($0) }
        #expect(programs.isIdle && ended.map(\.isOpen) == [true])
        #expect(try words(ended.last).hasSuffix("killed, because this process stops"))
        try wait { isGone(String(child)) }
    }

    /// Whether a process has ended, also where nobody has taken its end yet.
    private func isGone(_ process: String) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.contains(") Z ") ?? true
    }

    @Test func `a script without its first line is told what it lacks`() throws {
        let ended = try ends(of: "exit 0\n")
        // There is nothing to clear.
        #expect(ended.map(\.action) == [.set] && ended.last?.isOpen == false)
        #expect(
            try words(ended.last).hasSuffix(
                "Exec format error (error 8); a script begins with a line such as #!/bin/sh"))
        let other = try ends(of: "#!/none/sh\n")
        #expect(try words(other.last).hasSuffix("No such file or directory (error 2)"))
    }
}
