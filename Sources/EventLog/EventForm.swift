/// What an event of the log looks like. But for a person's terminal, each is one line.
package enum EventForm: Sendable {
    /// For a person who looks on: advice stands on lines of its own, indented.
    case terminal
    /// The same, advice after the fact.
    case text
    /// Text, with what journald knows priorities by in front of it (sd-daemon(3)).
    case journal
    /// A JSON object.
    case json
}
