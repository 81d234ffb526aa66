import ArgumentParser
import Diagnostics
import Files
import Origin
import SiteConfiguration

extension AccessLogOutput {
    /// Begins the access log that a configuration describes, and says what becomes of it.
    /// - Throws: an exit status, after the reason has been said.
    static func begin(
        _ settings: AccessLogSettings, loops: Int, _ limits: OriginLimits
    ) throws -> AccessLogOutput {
        if let fault = settings.findFault() {
            printMessage(fault.diagnostic)
            throw fault.status
        }
        return try AccessLogOutput(
            to: settings.destination,
            defaultForm: isStandardOutputTerminal ? .combined : .json, loops: loops,
            limits: limits, report: { printMessage($0.description) })
    }
}

extension AccessLogSettings {
    var destination: AccessLogOutput.Destination {
        guard form != .off, let file else { return .standardOutput }
        return .file(file.path)
    }

    /// Why the file cannot be opened, which is tried before anything depends on it.
    func findFault() -> (diagnostic: Diagnostic, status: ExitCode)? {
        guard form != .off, let file else { return nil }
        do {
            try destination.check()
            return nil
        } catch {
            let diagnostic = Diagnostic(
                .error, "access-log", at: file.place,
                "the access log \(quoted(file.path)) cannot be opened: \(error)",
                advice: "its directory must be there, and writable by the user that runs waymark")
            return (diagnostic, error == .noPermission ? .noPermission : .configurationInvalid)
        }
    }
}

extension AccessLogOutput.Event {
    fileprivate var description: String {
        switch self {
        case .cannotOpen(let log, let error):
            "waymark: error: \(log.name) cannot be opened anew: \(error); lines go where they went"
        case .cannotWrite(let log, let error):
            "waymark: error: \(log.name) takes nothing more: \(error)\n"
                + "    requests are answered as before; lines that find no room are dropped"
        case .falling(let log):
            "waymark: warning: \(log.name) does not keep up; lines are dropped"
        case .caughtUp(let log, let dropped):
            "waymark: \(log.name) takes lines again; \(dropped) were dropped"
        case .abandoned(let log, let dropped):
            "waymark: warning: \(dropped) lines did not go to \(log.name) any more"
        }
    }
}

extension AccessLogOutput.Destination {
    fileprivate var name: String {
        switch self {
        case .standardOutput: "the access log on standard output"
        case .file(let path): "the access log \(quoted(path))"
        }
    }
}
