import Diagnostics
import HTTPMessages
import Logging

/// An event of the log, ready to be written.
struct EventLine {
    let level: Logger.Level
    let message: String
    /// What the message says, in members for machines; of them people are shown place, rule and
    /// advice, which no message repeats.
    let metadata: Logger.Metadata

    /// The event's line, or lines, with the line end.
    /// - Parameter microseconds: since 1970. Only JSON tells the time: who keeps text has a clock.
    func text(_ form: EventForm, at microseconds: Int) -> String {
        switch form {
        case .terminal: sentence + advice.map { "\n    \($0)" }.joined() + "\n"
        case .text: line
        case .journal: "<\(level.priority)>" + line
        case .json: json(at: microseconds) + "\n"
        }
    }

    private var line: String { ([sentence] + advice).joined(separator: "; ") + "\n" }

    /// `place: severity: fact [rule]`; the program stands for an event that has no place.
    private var sentence: String {
        let rule = text(of: .rule).map { " [\($0)]" } ?? ""
        return onOneLine("\(position): \(level.label)\(message)\(rule)")
    }

    private var position: String {
        guard let file = text(of: .file) else { return "waymark" }
        return ([file] + [text(of: .line), text(of: .column)].compactMap(\.self))
            .joined(separator: ":")
    }

    private var advice: [String] {
        let lines = text(of: .advice)?.utf8.split(separator: UInt8(ascii: "\n")) ?? []
        return lines.map { onOneLine(String(decoding: $0, as: UTF8.self)) }
    }

    private func text(of key: EventKey) -> String? { metadata[key.rawValue]?.description }

    private func json(at microseconds: Int) -> String {
        let first: [(key: String, value: JSONText)] = [
            ("ts", .string(timestamp(microseconds))), ("level", .string(level.rawValue)),
            ("msg", .string(message)),
        ]
        let more = metadata.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) }
        // Without blanks, as the lines of the access log are, which it may share a stream with.
        let members = (first + more).map { key, value in
            JSONText.string(key).compact + ":" + value.compact
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// `2026-11-21T12:32:00.123Z`, as the access log writes it.
    private func timestamp(_ microseconds: Int) -> String {
        let seconds = HTTPDate.formatTimestamp(microseconds / 1_000_000)
        let fraction = "\(1000 + microseconds / 1000 % 1000)".utf8.dropFirst()
        return String(decoding: seconds + [UInt8(ascii: ".")] + fraction, as: UTF8.self) + "Z"
    }
}

/// Members that people see too, each in its place of the sentence.
enum EventKey: String {
    case file, line, column, rule, advice
}

extension Logger.Level {
    /// What stands before the fact. An event that is not trouble has no word.
    fileprivate var label: String {
        switch self {
        case .trace, .debug: "debug: "
        case .info, .notice: ""
        case .warning: "warning: "
        case .error, .critical: "error: "
        }
    }

    /// Syslog's number (RFC 5424 §6.2.1).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

extension JSONText {
    /// Numbers stay numbers.
    fileprivate init(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .stringConvertible(let value as Int): self = .number(value)
        case .stringConvertible(let value as Bool): self = .boolean(value)
        case .stringConvertible(let value): self = .string(value.description)
        case .array(let elements): self = .array(elements.map(JSONText.init))
        case .dictionary(let members):
            self = .object(
                members.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) })
        }
    }
}
