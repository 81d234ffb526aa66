import Diagnostics
import JSONSyntax

// Keys that are ignored at their position: with a spelling mistake, in another letter case, or at
// another level.

/// The objects of an association file.
enum FileObject: CaseIterable {
    case file, applinks, service, entry, component

    /// The keys that systems read in this object.
    var keys: [String] {
        switch self {
        case .file:
            ["applinks"] + AssociationReading.appServices + AssociationReading.otherServices
        case .applinks: ["apps", "details", "defaults", "substitutionVariables"]
        case .service: ["apps"]
        case .entry: ["appID", "appIDs", "paths", "components", "defaults"]
        case .component:
            ["/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded"]
        }
    }

    /// The name of the object in messages.
    var words: String {
        switch self {
        case .file: "the file's top level"
        case .applinks: "applinks"
        case .service: "a service without rules"
        case .entry: "an entry of details"
        case .component: "a component"
        }
    }

    /// The object in which a key is read, if it is not read in this one; nil also if a key of this
    /// object was meant.
    func home(of key: String) -> FileObject? {
        switch (self, key) {
        case (.entry, "apps"), (.service, "appID"), (.service, "appIDs"), (.component, "paths"): nil
        default: Self.allCases.first { $0 != self && $0.keys.contains(where: key.isScalarwise) }
        }
    }
}

extension AssociationReading {
    /// Reports keys that are similar to a known key, and keys of another object. Others may belong
    /// to other programs.
    /// - Returns: whether a key was reported.
    @discardableResult
    mutating func reportKeys(of value: JSONValue, in object: FileObject) -> Bool {
        let before = found.count
        let known = object.keys
        for member in value.members ?? [] where !known.contains(where: member.key.isScalarwise) {
            if reportCase(member, known) || reportMisplaced(member, in: object) { continue }
            // Names are only compared until there are as many findings as are shown.
            guard found.count < FindingList.findingsMax,
                let meant = nearestName(to: member.key, among: known)
            else { continue }
            report(
                .warning, .unknownComponentKey, member.keyStart,
                "\(quoted(member.key)) is not a key of \(object.words), and is ignored",
                advice: didYouMean(meant))
        }
        return found.count > before
    }

    mutating func reportCase(_ member: JSONMember, _ known: [String]) -> Bool {
        let key = member.key.lowercased()
        guard let meant = known.first(where: { $0.lowercased() == key }) else { return false }
        report(
            .error, .keyCase, member.keyStart,
            "\(quoted(member.key)) is not supported, the key is \(quoted(meant))",
            advice: "write \(quoted(meant))")
        return true
    }

    /// A key of another object, which has no effect here. Comments are harmless anywhere.
    mutating func reportMisplaced(_ member: JSONMember, in object: FileObject) -> Bool {
        // A separate rule covers variables in an entry.
        let isOwn = object == .entry && member.key == "substitutionVariables"
        guard let home = object.home(of: member.key), !isOwn else { return false }
        guard member.key != "comment" else { return true }
        let isOfRules = home == .component
        report(
            .error, .misplacedKey, member.keyStart,
            "\(quoted(member.key)) is a key of \(home.words), and is ignored in "
                + "\(object.words)\(effect(of: member.key))",
            advice: isOfRules && object == .entry
                ? "write it in the components to which it applies" : "move it to \(home.words)")
        return true
    }

    /// The effect that a key does not have at this position.
    private func effect(of key: String) -> String {
        switch key {
        case "exclude": ": nothing is excluded"
        case "caseSensitive": ": letter case still matters"
        default: ""
        }
    }

    // MARK: Components

    /// Reports keys of a component that are ignored.
    /// - Parameter isUnlimited: whether the component compares no part of a URL, so that it matches
    ///   every link.
    mutating func reportKeys(ofComponent value: JSONValue, isUnlimited: Bool) {
        let known = FileObject.component.keys
        let strange = (value.members ?? []).filter { member in
            !known.contains(where: member.key.isScalarwise)
        }
        let unknown = strange.filter { !reportMisplaced($0, in: .component) }
        let meant = unknown.map { componentKey($0.key) }
        if isUnlimited, let first = unknown.first, meant.contains(where: { $0 != "comment" }) {
            let verb = value["exclude"]?.boolean == true ? "excludes" : "matches"
            return report(
                .error, .unknownComponentKey, first.keyStart,
                "\(quoted(first.key)) is not a key of a component; without another key, the "
                    + "component \(verb) every link",
                advice: advice(for: first, meant[0]))
        }
        for (member, meant) in zip(unknown, meant) {
            report(
                .warning, .unknownComponentKey, member.keyStart,
                "\(quoted(member.key)) is not a key of a component, and is ignored",
                advice: meant.map(didYouMean)
                    ?? "remove it, or use the key \"comment\"")
        }
    }

    /// The key of a component that was meant.
    private func componentKey(_ key: String) -> String? {
        let words = [
            "path": "/", "paths": "/", "query": "?", "fragment": "#", "comments": "comment",
        ]
        if let meant = words[key.lowercased()] { return meant }
        guard found.count < FindingList.findingsMax else { return nil }
        let named = FileObject.component.keys.filter { $0.utf8.count > 1 }
        return nearestName(to: key, among: named)
    }

    private func advice(for member: JSONMember, _ meant: String?) -> String {
        let path =
            member.value.text ?? member.value.elements?.first?.text
            ?? (member.key.utf8.first == UInt8(ascii: "/") ? member.key : nil)
        guard let path, meant == nil || meant == "/" else {
            return meant.map(didYouMean) ?? "write {\"/\": \"/path\"}"
        }
        let more = (member.value.elements?.count ?? 1) > 1 ? ", and a component for each other" : ""
        return "write {\"/\": \(quoted(path))}\(more)"
    }
}
