import Associations
import JSONSyntax
import URISyntax

// Words for what was found, and comparisons of files.

extension Judge {
    /// The links that open an app by one file and not by the other, as verbs of which the change of
    /// files is the subject; at most five.
    func meanings(from old: [UInt8], to new: [UInt8], _ hop: Hop) -> [String] {
        let words =
            hop == .apple
            ? appleMeanings(AssociationReading(old, file: ""), AssociationReading(new, file: ""))
            : androidMeanings(AssetLinksReading(old, file: ""), AssetLinksReading(new, file: ""))
        return Array(words.prefix(5))
    }

    private func appleMeanings(_ old: AssociationReading, _ new: AssociationReading) -> [String] {
        let rules = RuleComparison.all(old: old.ruleSet, new: new.ruleSet, host: survey.host)
        let services = Set(old.services.keys).union(new.services.keys).sorted().flatMap { service in
            func apps(_ file: AssociationReading) -> Set<String> {
                Set((file.services[service] ?? []).map(\.value))
            }
            let (before, after) = (apps(old), apps(new))
            return after.subtracting(before).sorted().map { "adds \($0) to \(service)" }
                + before.subtracting(after).sorted().map { "removes \($0) from \(service)" }
        }
        return words(rules) + services
    }

    private func androidMeanings(_ old: AssetLinksReading, _ new: AssetLinksReading) -> [String] {
        let (before, after) = (old.keysForLinks.byPackage, new.keysForLinks.byPackage)
        let packages = Set(before.keys).union(after.keys).sorted()
        func more(
            _ these: [String: Set<String>], _ those: [String: Set<String>],
            _ words: (String, String)
        ) -> [String] {
            packages.flatMap { package in
                (these[package] ?? []).subtracting(those[package] ?? []).sorted().map {
                    "\(words.0) \(package) with the key \($0) \(words.1) links"
                }
            }
        }
        // Builds that are signed with another key can have other rules.
        let pairs = RulesByKey.pairs(old, new)
        let rules = RuleComparison.all(old: pairs.old, new: pairs.new, host: survey.host)
        return more(after, before, ("lets", "open")) + more(before, after, ("stops", "opening"))
            + words(rules.filter { $0.old != nil && $0.new != nil })
    }

    private func words(_ apps: [RuleComparison]) -> [String] {
        apps.flatMap { app in
            var words = [String]()
            if let former = app.formerID {
                words.append("stops \(former) opening links in favor of \(app.appID)")
            }
            words += app.changes.map { change in
                change.starts
                    ? "lets \(app.appID) open \(change.example)"
                    : "stops \(app.appID) opening \(change.example)"
            }
            if !app.isComplete { words.append("may change other links of \(app.appID)") }
            return words
        }
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
