import Certificates
import Diagnostics
import SiteConfiguration
import Sockets

/// The operator's program that sets and clears records in DNS. It is run without a shell, as
/// PROGRAM set NAME VALUE and PROGRAM clear NAME VALUE; docs/deployment.md has its environment.
struct ChallengeProgram: Sendable {
    let file: FileReference
    let host: CertificateName
    /// With the time that a record needs to be seen by everybody.
    var milliseconds = 300_000
    var cancellation: Wakeup?

    enum Action: String {
        case set, clear
    }

    enum Outcome: Sendable {
        /// With its output, in one line; nil if there is none.
        case done(String?)
        case failed(String, isStarted: Bool)
    }

    /// Runs it to its end: for a thread of its own.
    func run(_ action: Action, _ record: ChallengeRecord) -> Outcome {
        var child = ChildProcess(path: file.path)
        child.milliseconds = milliseconds
        child.cancellation = cancellation
        child.arguments = [action.rawValue, record.name, record.value]
        child.environment = [
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
            "WAYMARK_ACTION=\(action.rawValue)", "WAYMARK_RECORD=\(record.name)",
            "WAYMARK_VALUE=\(record.value)", "WAYMARK_HOST=\(host)",
        ]
        let end = child.run()
        let output = Self.line(end.output)
        if end.reason == .status(0) { return .done(output) }
        var (isStarted, cure) = (true, "")
        if case .notStarted(let error) = end.reason {
            isStarted = false
            if error.isFormat { cure = "; a script begins with a line such as #!/bin/sh" }
        }
        return .failed(
            "the program \(quoted(file.path)) could not \(action.rawValue) the record "
                + "\(record.name): \(end.reason)\(cure)"
                + (output.map { "; it has written: \($0)" } ?? ""),
            isStarted: isStarted)
    }

    private static func line(_ output: [UInt8]) -> String? {
        let lines = output.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard !lines.isEmpty else { return nil }
        return String(decoding: Array(lines.joined(separator: " / ".utf8)), as: UTF8.self)
    }
}
