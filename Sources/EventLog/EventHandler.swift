package import Logging

/// The backend of this program's `Logger`: it calls `write` once for each event.
package struct EventHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let form: EventForm
    private let now: @Sendable () -> Int
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - level: events below it are dropped.
    ///   - now: microseconds since 1970.
    ///   - write: called by the thread that logs.
    package init(
        _ form: EventForm, from level: Logger.Level, now: @escaping @Sendable () -> Int,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.form = form
        self.now = now
        self.write = write
        logLevel = level
    }

    /// A member that every event of this logger has.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes the event with its own members and the logger's; its own take precedence.
    package func log(event: LogEvent) {
        var all = metadataProvider?.get() ?? [:]
        for more in [metadata, event.metadata ?? [:]] { all.merge(more) { $1 } }
        let line = EventLine(level: event.level, message: "\(event.message)", metadata: all)
        write(line.text(form, at: now()))
    }
}
