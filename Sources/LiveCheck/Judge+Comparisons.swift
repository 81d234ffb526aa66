import Associations
import JSONSyntax
import URISyntax

// Words for what was found, and comparisons of files.

extension Judge {
    /// The links that open an app by one file and not by the other, as verbs of which the change of
    /// files is the subject; at most five.
    func meanings(from old: [UInt8], to new: [UInt8]) -> [String] {
        let changes = RuleComparison.all(
            old: AssociationReading(old, file: "").ruleSet,
            new: AssociationReading(new, file: "").ruleSet, host: survey.host)
        return Array(
            changes.flatMap { app in
                app.changes.map { change in
                    "\(change.starts ? "lets" : "stops") \(app.appID) "
                        + "\(change.starts ? "open" : "opening") \(change.example)"
                }
            }.prefix(5))
    }

    /// The content of a file of Apple's that is signed (RFC 5652), or the bytes of another.
    func unsigned(_ bytes: [UInt8]) -> [UInt8] {
        guard SignedPayload.isLikely(bytes) else { return bytes }
        return SignedPayload(bytes)?.content ?? bytes
    }

    /// Whether two files have the same content, signed or not.
    func equalJSON(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard let one = JSONDocument(associations: unsigned(first), file: "").root,
            let other = JSONDocument(associations: unsigned(second), file: "").root
        else { return false }
        return one.hasSameContent(as: other)
    }

    func time(_ seconds: Int?) -> String {
        seconds.map { "\(Timestamp(seconds: $0))" } ?? "an unknown date"
    }

    func duration(_ seconds: Int) -> String {
        if seconds >= 2 * 86_400 { return "\(seconds / 86_400) days" }
        if seconds >= 2 * 3_600 { return "\(seconds / 3_600) hours" }
        return seconds >= 120 ? "\(seconds / 60) minutes" : "\(seconds) s"
    }
}

extension JSONValue {
    /// Whether two values have the same content: members in any order, elements in the same order.
    fileprivate func hasSameContent(as other: JSONValue) -> Bool {
        switch (content, other.content) {
        case (.null, .null): true
        case (.boolean(let mine), .boolean(let others)): mine == others
        case (.number(let mine), .number(let others)): mine == others
        case (.string(let mine), .string(let others)):
            mine.utf8.elementsEqual(others.utf8)
        case (.array(let mine), .array(let others)):
            mine.count == others.count
                && zip(mine, others).allSatisfy { $0.hasSameContent(as: $1) }
        case (.object(let mine), .object(let others)):
            mine.count == others.count
                && mine.allSatisfy { member in
                    other[member.key].map { member.value.hasSameContent(as: $0) } == true
                }
        default: false
        }
    }
}
