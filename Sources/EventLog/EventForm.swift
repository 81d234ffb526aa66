/// The format of an event. Except on a terminal, each event is one line.
package enum EventForm: Sendable {
    /// For a person at a terminal: advice is on separate, indented lines.
    case terminal
    /// The same on one line, with the advice after the fact.
    case text
    /// Text with a priority for journald in front (sd-daemon(3)).
    case journal
    /// A JSON object.
    case json
}
