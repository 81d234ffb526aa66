internal import Diagnostics
internal import JSONSyntax

/// A member of a link for which its form has no field, with what a change has made of it.
struct OtherMember {
    /// One name, or two for a member of an object.
    let path: [String]
    private let before, after: JSONValue?

    /// Members whose own members are compared one by one.
    private static let objects = ["page", "web", "campaign", "app", "after"]

    /// The members that an entry of the audit has changed.
    /// - Parameter fields: those of the form that it has changed, which say so themselves.
    static func changed(by entry: JSONValue, besides fields: [LinkField]) -> [OtherMember] {
        guard let before = entry["before"], let after = entry["after"], before.members != nil,
            after.members != nil
        else { return [] }
        var found = [OtherMember]()
        func compare(_ path: [String], _ before: JSONValue?, _ after: JSONValue?) {
            let pointer = "/" + path.joined(separator: "/")
            let isField = fields.contains { field in
                [field.pointer, "\(field.pointer)/default"].contains { $0.isScalarwise(pointer) }
                    || field.pointer.utf8.starts(with: "\(pointer)/".utf8)
            }
            if !isField, !isSame(before, after) {
                found.append(OtherMember(path: path, before: before, after: after))
            }
        }
        for name in objects {
            let both = [before[name], after[name]]
            guard both.allSatisfy({ $0 == nil || $0?.members != nil }) else {
                compare([name], both[0], both[1])
                continue
            }
            var names = [String]()
            for member in both.flatMap({ $0?.members ?? [] })
            where !names.contains(where: { $0.isScalarwise(member.key) }) {
                names.append(member.key)
            }
            for member in names { compare([name, member], both[0]?[member], both[1]?[member]) }
        }
        compare(["externalId"], before["externalId"], after["externalId"])
        return found
    }

    private static func isSame(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return first.written.compact.isScalarwise(second.written.compact)
    }

    // MARK: Words

    /// Its name; nil for one that only the API has a name for.
    var label: ConsoleText? {
        switch path {
        case ["externalId"]: .externalID
        case ["page", "translations"]: .otherLanguages
        case ["page", "schema"]: .structuredData
        case ["page", "index"]: .inSearchEngines
        case ["page", "type"]: .kindOfPage
        case ["page", "video"]: .video
        case ["page", "breadcrumbs"]: .breadcrumbs
        case ["page", "clip"]: .appClip
        case ["page", "argument"]: .bannerArgument
        case ["page", "twitter-card"]: .twitterCard
        case ["page", "insert"]: .inPublicFiles
        case ["app", "minVersion"]: .oldestVersion
        case ["campaign", "utm"]: .passesCampaignOn
        case ["campaign", "apple"]: .campaignInAppStore
        case ["campaign", "google"]: .campaignInGooglePlay
        default: nil
        }
    }

    /// Whether its values are yes and no.
    var isFlag: Bool {
        [["page", "index"], ["page", "insert"], ["campaign", "utm"]].contains(path)
    }

    /// Its name as the API writes it.
    var name: String { path.joined(separator: ".") }

    /// Its texts before and after the change.
    var shown: (before: String, after: String) {
        LinkHistory.shown(Self.text(before), Self.text(after))
    }

    private static func text(_ value: JSONValue?) -> String {
        value.map { $0.text ?? $0.written.compact } ?? ""
    }

    // MARK: Taking back

    /// Whether a link still has what the change has made of it.
    func isCurrent(in link: JSONValue) -> Bool { Self.isSame(value(in: link), after) }

    /// Whether a link has again what it had before the change.
    func isTakenBack(in link: JSONValue) -> Bool { Self.isSame(value(in: link), before) }

    private func value(in link: JSONValue) -> JSONValue? {
        path.dropFirst().reduce(link[path[0]]) { $0?[$1] }
    }

    /// The patch of a link that takes changes back.
    static func patch(_ members: [OtherMember]) -> JSONText {
        var result = [(key: String, value: JSONText)]()
        for member in members {
            let value =
                member.before.map { LinkPatch.replacing(member.after, with: $0.written) } ?? .null
            guard member.path.count > 1 else {
                result.append((member.path[0], value))
                continue
            }
            let own = (key: member.path[1], value: value)
            // Members of one object follow one another.
            if case .object(let others)? = result.last?.value, result.last?.key == member.path[0] {
                result[result.count - 1].value = .object(others + [own])
            } else {
                result.append((member.path[0], .object([own])))
            }
        }
        return .object(result)
    }
}
