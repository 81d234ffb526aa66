import ArgumentParser
import EventLog
import Files
import Logging
import Sockets

/// The format and the level of the event log on standard error.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of the log on standard error: text or json.", valueName: "form"))
    var logFormat = LogFormat.text
    @Option(
        help: ArgumentHelp(
            "The lowest level that is logged: debug, info, warning or error.", valueName: "level"))
    var logLevel = LogLevel.info

    enum LogFormat: String, ExpressibleByArgument, CaseIterable { case text, json }

    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case debug, info, warning, error
    }

    /// The event log.
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
