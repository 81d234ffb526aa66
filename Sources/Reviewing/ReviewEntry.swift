internal import Associations
package import Diagnostics
internal import Resolution
internal import SiteConfiguration

/// One change, for a reviewer of a pull request.
package struct ReviewEntry {
    /// The change in a few words.
    package let fact: String
    /// An example that both versions decided differently; nil for what has no URL.
    package internal(set) var url: String?
    /// The audience that gets it; empty for everyone.
    package internal(set) var audience = ""
    /// The decision of the old version.
    package internal(set) var before: String?
    /// The decision of the new version.
    package internal(set) var after: String?
    /// More about the cause.
    package internal(set) var note: String?
    /// The position of the cause in the new version, if it is a configuration.
    package internal(set) var position: SourcePosition?
    /// The reason for which a reviewer must not miss it, in two words; nil for most changes.
    package internal(set) var alarm: String?
    /// Whether a reviewer must not miss it.
    package var isAlarming: Bool { alarm != nil }
    /// The environment and the site.
    package internal(set) var scope: String?

    init(_ fact: String, url: String? = nil) { (self.fact, self.url) = (fact, url) }

    init(_ change: SiteChange) {
        self.init(change.subject, url: change.url)
        audience = Audience.words(change.audience)
        (before, after, position) = (change.before, change.after, change.position)
        alarm = change.alarm
        let others =
            change.others > 0 ? "the same for \(counted(change.others, "other rule"))" : nil
        let words = [change.cause, others].compactMap(\.self)
        note = words.isEmpty ? nil : words.joined(separator: ", and ")
    }

    /// For people, on several lines.
    var lines: [String] {
        let values = [before.map { "    before: \($0)" }, after.map { "    now: \($0)" }]
        guard before != nil, after != nil, !isAlarming else {
            let example = url.map {
                "    for example \($0)" + (audience.isEmpty ? "" : ", \(audience)")
            }
            return [(isAlarming ? "! " : "") + fact] + ([example] + values).compactMap(\.self)
        }
        let subject = fact == "response" ? nil : fact
        let head = [url, audience.isEmpty ? nil : audience, url == nil ? fact : nil]
        return [head.compactMap(\.self).joined(separator: ", ")]
            + (url == nil ? [] : subject.map { ["    \($0)"] } ?? [])
            + (values + [note.map { "    \($0)" }]).compactMap(\.self)
    }
}

extension RuleComparison {
    /// Every change by itself.
    /// - Parameter kind: what the identifier names.
    func entries(_ kind: String) -> [ReviewEntry] {
        var entries = [ReviewEntry]()
        if let formerID { entries.append(ReviewEntry("\(kind) \(formerID) is now \(appID)")) }
        if old == nil { entries.append(ReviewEntry("\(kind) \(appID) is new")) }
        if new == nil { entries.append(ReviewEntry("\(kind) \(appID) is gone")) }
        entries += changes.map { change in
            var entry = ReviewEntry(
                "\(kind) \(appID) \(change.starts ? "starts" : "stops") opening "
                    + (change.what ?? "every link"), url: change.example)
            let states = ["stays in the browser", "opens the app"]
            entry.before = states[change.starts ? 0 : 1]
            entry.after = states[change.starts ? 1 : 0]
            entry.note = change.why
            return entry
        }
        entries += unreachable.map { ReviewEntry("\(kind) \(appID): \($0.description)") }
        if !isComplete { entries.append(ReviewEntry("\(kind) \(appID): \(Self.incompleteWords)")) }
        return entries
    }
}

extension SiteComparison {
    /// Scripts rely on this shape: members can be added, but are never renamed.
    var json: JSONText {
        .object([
            (
                "destinations",
                .object([
                    ("added", .array(newHosts.map(\.json))),
                    ("removed", .array(goneHosts.map(\.json))),
                ])
            ),
            ("changes", .array(changes.map(\.json))), ("complete", .boolean(isComplete)),
        ])
    }
}

extension DestinationHost {
    fileprivate var json: JSONText {
        .object([
            ("host", .string(host)), ("url", .orNull(example)), ("audience", audience.json),
            ("line", .orNull(position?.line)),
        ])
    }
}

extension SiteChange {
    fileprivate var json: JSONText {
        .object([
            ("subject", .string(subject)), ("url", .string(url)), ("audience", audience.json),
            ("before", .string(before)), ("after", .string(after)), ("link", .orNull(link?.key)),
            ("line", .orNull(position?.line)), ("others", .number(others)),
            ("alarm", .orNull(alarm)),
        ])
    }
}

extension SettingChange {
    var json: JSONText {
        .object([
            ("setting", .string(name)), ("before", .string(before)), ("after", .string(after)),
        ])
    }
}

extension [Audience] {
    fileprivate var json: JSONText { .strings(map(\.rawValue)) }
}
