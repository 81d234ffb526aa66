import ArgumentParser
import EventLog
import Files
import Logging
import Sockets

/// How the log of events on standard error looks, and how much it tells.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How the log on standard error is written: text or json.", valueName: "form"))
    var logFormat = LogFormat.text
    @Option(
        help: ArgumentHelp(
            "The least that is logged: debug, info, warning or error.", valueName: "level"))
    var logLevel = LogLevel.info

    enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case debug, info, warning, error
    }

    /// The log of everything that the origin tells its operator.
    var logger: Logger {
        let handler = EventHandler(
            form, from: Logger.Level(rawValue: logLevel.rawValue) ?? .info,
            now: { Clock.unixMicroseconds }, write: logToStandardError)
        return Logger(label: "waymark", factory: { _ in handler })
    }

    private var form: EventForm {
        guard logFormat == .text else { return .json }
        switch MessageReader.current {
        case .terminal: return .terminal
        case .journal: return .journal
        case .other: return .text
        }
    }
}
