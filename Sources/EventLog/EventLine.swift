import Diagnostics
import HTTPMessages
import Logging

/// An event, ready to be written.
struct EventLine {
    let level: Logger.Level
    let message: String
    /// The members. Text shows only position, rule and advice, which no message repeats.
    let metadata: Logger.Metadata

    /// The event's line or lines, with the line end.
    /// - Parameter microseconds: since 1970. Only JSON has the time, because the reader of text
    ///   adds its own.
    func text(_ form: EventForm, at microseconds: Int) -> String {
        switch form {
        case .terminal: sentence + advice.map { "\n    \($0)" }.joined() + "\n"
        case .text: line
        case .journal: "<\(level.priority)>" + line
        case .json: json(at: microseconds) + "\n"
        }
    }

    private var line: String { ([sentence] + advice).joined(separator: "; ") + "\n" }

    /// `position: severity: fact [rule]`; an event without a position has the program's name.
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
        // Without spaces, like the lines of the access log, with which it may share a stream.
        let members = (first + more).map { key, value in
            JSONText.string(key).compact + ":" + value.compact
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// `2026-11-21T12:32:00.123Z`, as in the access log.
    private func timestamp(_ microseconds: Int) -> String {
        let seconds = HTTPDate.formatTimestamp(microseconds / 1_000_000)
        let fraction = "\(1000 + microseconds / 1000 % 1000)".utf8.dropFirst()
        return String(decoding: seconds + [UInt8(ascii: ".")] + fraction, as: UTF8.self) + "Z"
    }
}

/// Members that are also part of the sentence.
enum EventKey: String {
    case file, line, column, rule, advice
}

extension Logger.Level {
    /// The word before the fact. Events below a warning have none.
    fileprivate var label: String {
        switch self {
        case .trace, .debug: "debug: "
        case .info, .notice: ""
        case .warning: "warning: "
        case .error, .critical: "error: "
        }
    }

    /// The number in syslog (RFC 5424 §6.2.1).
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
            self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, JSONText($0.value)) })
        }
    }
}
