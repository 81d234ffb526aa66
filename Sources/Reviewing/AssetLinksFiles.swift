package import Associations
package import Diagnostics
package import Resolution

/// An assetlinks.json and the files that it includes.
package struct AssetLinksFiles {
    /// The statements as Google reads them.
    package let links: PublishedAssetLinks
    /// The file's own reading, with the statements of included files after its own.
    package let reading: AssetLinksReading
    /// The same without the statements that Google refuses.
    package let accepted: AssetLinksReading

    /// The reading of each file, the file's own first.
    package let readings: [AssetLinksReading]

    /// - Parameter includes: the files that are known, by their URLs.
    package init(
        _ bytes: [UInt8], name: String, includes: [String: PublishedAssetLinks.File] = [:]
    ) {
        links = PublishedAssetLinks(.init(bytes, name: name), includes: includes)
        readings = links.files.map { AssetLinksReading($0.json, file: $0.name) }
        reading = AssetLinksReading(joining: readings) { _, _ in true }
        let taken = Set(links.accepted.map { StatementPosition($0.file, $0.pointer) })
        accepted = AssetLinksReading(joining: readings) { file, statement in
            taken.contains(StatementPosition(file, statement.pointer))
        }
    }

    /// A file without what it includes.
    package init(_ reading: AssetLinksReading) {
        links = PublishedAssetLinks(json: reading.json)
        readings = [reading]
        self.reading = reading
        let taken = Set(links.accepted.map(\.pointer))
        accepted = AssetLinksReading(joining: readings) { _, statement in
            taken.contains(statement.pointer)
        }
    }

    /// The rules of the apps that Google allows to open links, with what else the output needs.
    /// - Parameter sources: of the rules, if the file was generated.
    package func rules(_ sources: [String: RuleSource] = [:]) -> LinkRules {
        var rules = LinkRules(
            matcher: accepted.ruleSet.placed(sources).matcher, kind: .android, hosts: nil,
            sources: sources)
        rules.matchersOfOtherKeys = accepted.ruleSets.dropFirst().map { $0.placed(sources).matcher }
        let granted = links.accepted.filter(\.opensLinks)
        let near = Set(
            granted.filter { $0.includeDepth <= 1 }.flatMap(\.targets).compactMap(\.package))
        rules.distant = Set(granted.flatMap(\.targets).compactMap(\.package)).subtracting(near)
        rules.missingIncludes = links.missingIncludes
        let open = Set(rules.matcher.apps.map { Array($0.appID.utf8) })
        let faults = Dictionary(grouping: links.faults, by: \.pointer)
        for app in reading.ruleSet.apps where !open.contains(Array(app.appID.utf8)) {
            let fault = faults[app.pointer]?.first { $0.line >= app.line }
            rules.refused.append((app.appID, fault.map { "\($0)" } ?? "lint says why"))
        }
        return rules
    }
}

/// The position of a statement: the number of its file, and its JSON pointer.
private struct StatementPosition: Hashable {
    let file: Int
    let pointer: String

    init(_ file: Int, _ pointer: String) { (self.file, self.pointer) = (file, pointer) }
}

extension PublishedAssetLinks {
    /// Google's verdict on one line.
    package var verdictLine: String {
        let name = files.first?.name ?? ""
        let words =
            switch verdict {
            case .valid:
                accepted.isEmpty ? "yes, and it has no statements" : "yes"
            case .invalid: "no: \(faults[0])" + (faults.count > 1 ? more(faults.count - 1) : "")
            case .dependsOnIncludes:
                "it depends on \(missingIncludes.joined(separator: ", ")): give it with --include "
                    + "URL=FILE"
            }
        return "\(name): valid for Google: \(words)"
    }

    private func more(_ count: Int) -> String { ", and \(count) more" }

    /// The verdict for programs; null if it depends on includes that were not given.
    package var verdictJSON: JSONText {
        switch verdict {
        case .valid: .boolean(true)
        case .invalid: .boolean(false)
        case .dependsOnIncludes: .null
        }
    }
}
