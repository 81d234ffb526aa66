import ArgumentParser
import Diagnostics
import EventLog
import Files
import Logging
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets

extension MainThread {
    /// Opens the access log once, to say before anything depends on it that it cannot be written.
    /// Another thread does so, because the log's disk may not answer.
    /// - Returns: false if a signal has ended the start.
    /// - Throws: an exit status, after the reason has been said.
    mutating func checkLog(of environment: Environment) throws -> Bool {
        let check = Background(name: "waymark-start", waking: workDone) {
            environment.findLogFault()
        }
        guard let found = wait(for: check) else { return false }
        guard let fault = found else { return true }
        events.report(fault.diagnostic)
        throw fault.status
    }
}

extension AccessLogOutput {
    /// Begins the access log that a configuration describes, and says what becomes of it.
    /// - Parameter room: what the limit of a container or a unit leaves; nil without one. The queues take their memory of it now,
    ///   unless they are more than an eighth: later, connections may have it.
    /// - Throws: an exit status, after the reason has been said.
    static func begin(
        _ environment: Environment, loops: Int, _ limits: OriginLimits, _ events: Logger,
        within room: MemoryRoom? = nil
    ) throws -> AccessLogOutput {
        let isTouched = room.map { $0.takeableBytes / 8 >= loops * limits.logQueueBytesMax }
        do throws(SystemError) {
            return try AccessLogOutput(
                to: environment.accessLog.destination,
                defaultForm: isStandardOutputTerminal ? .combined : .json, loops: loops,
                limits: limits, isTouched: isTouched ?? false,
                report: { $0.report(to: events) })
        } catch {
            events.report(.cannotStart(because: error))
            throw ExitCode.ourFault
        }
    }
}

extension AccessLogSettings {
    var destination: AccessLogOutput.Destination {
        guard form != .off, let file else { return .standardOutput }
        return .file(file.path)
    }

    /// The fault for which the file cannot be opened, found before anything depends on it.
    /// - Parameter opens: false asks for the permissions only, and makes no file.
    func findFault(opens: Bool = true) -> (diagnostic: Diagnostic, status: ExitCode)? {
        guard form != .off, let file else { return nil }
        do throws(FileError) {
            if opens { try destination.check() } else { try destination.checkPermission() }
            return nil
        } catch {
            let diagnostic = Diagnostic(
                .error, .accessLog, at: file.position,
                "the access log \(quotedPath(file.path)) cannot be opened: \(error.ofWriting)",
                advice: error.adviceOnWriting)
            switch error {
            case .noPermission: return (diagnostic, .noPermission)
            case .outOfDescriptors, .failed: return (diagnostic, .ourFault)
            default: return (diagnostic, .configurationInvalid)
            }
        }
    }
}

extension FileError {
    /// The reason why a file cannot be written or made; the error's own words are about reading.
    fileprivate var ofWriting: String {
        switch self {
        case .missing: "the directory does not exist"
        case .noPermission: "no permission to write to it"
        default: "\(self)"
        }
    }

    /// The first part of an advice: the measure after which the open file can be written again.
    fileprivate var cureOfWriting: String {
        switch self {
        case _ where isLackOfRoom: "make room on its disk, or raise the quota of it; "
        case .readOnlyFileSystem: "mount its file system for writing; "
        case .noPermission: "\(adviceOnWriting); "
        case .readerGone: "start its reader again, and then waymark; "
        default: ""
        }
    }

    fileprivate var adviceOnWriting: String {
        switch self {
        case .missing, .noPermission:
            "its directory must exist, and the user that runs waymark must have permission to "
                + "write to it"
        case .readOnlyFileSystem:
            "use a file where waymark can write (a unit's LogsDirectory=, a container's volume), "
                + "or stdout"
        case .outOfDescriptors: "raise LimitNOFILE= or fs.file-max"
        default: "it must be a file, or a pipe that already has a reader"
        }
    }
}

extension AccessLogOutput.Event {
    fileprivate func report(to events: Logger) {
        switch self {
        case .cannotOpen(let log, let error):
            events.report(
                Diagnostic(
                    .error, .logFile, at: nil,
                    "\(log.name) cannot be reopened: \(error.ofWriting); lines are written to the "
                        + "old file",
                    advice: error.adviceOnWriting + "; then send USR1"), log.members)
        case .cannotWrite(let log, let error):
            events.report(
                Diagnostic(
                    .error, .logFile, at: nil,
                    "\(log.name) cannot be written: \(error.ofWriting)",
                    advice: "\(error.cureOfWriting)requests are answered; lines beyond the queue's "
                        + "size are dropped"),
                log.members)
        case .falling(let log, let dropped, let queueBytes):
            events.report(
                Diagnostic(
                    .warning, .logQueue, at: nil,
                    "\(log.name) is too slow: \(queueBytes) bytes of lines wait, the limit for one "
                        + "thread (limits.log-queue-bytes), and "
                        + counted(dropped, "line", was: "dropped"),
                    advice: "check the disk, or the program that reads the lines"),
                log.members(dropped).merging(["limit": .stringConvertible(queueBytes)]) { $1 })
        case .caughtUp(let log, let dropped):
            events.info(
                "\(log.name) can be written again; \(counted(dropped, "line", was: "dropped"))",
                metadata: log.members(dropped))
        case .abandoned(let log, let dropped):
            events.report(
                Diagnostic(
                    .warning, .logQueue, at: nil,
                    "\(counted(dropped, "line")) could not be written to \(log.name)"),
                log.members(dropped))
        }
    }
}

extension AccessLogOutput.Destination {
    fileprivate var name: String {
        switch self {
        case .standardOutput: "the access log on standard output"
        case .file(let path): "the access log \(quotedPath(path))"
        }
    }

    fileprivate var members: Logger.Metadata {
        switch self {
        case .standardOutput: ["access_log": "stdout"]
        case .file(let path): ["access_log": .string(path)]
        }
    }

    fileprivate func members(_ dropped: Int) -> Logger.Metadata {
        members.merging(["dropped": .stringConvertible(dropped)]) { $1 }
    }
}
