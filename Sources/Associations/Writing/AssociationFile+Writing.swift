internal import Diagnostics
private import URISyntax

/// The systems for which an association file is written.
public enum AssociationForm: String, Sendable, CaseIterable {
    /// `appIDs` and `components`, for iOS 13 and later.
    case modern
    /// The keys of both other forms, side by side.
    case compatible
    /// Only `apps`, `appID` and `paths`, as in files before iOS 13.
    case legacy
}

extension AssociationFile {
    /// The bytes of the file: JSON in UTF-8 that ends with a line end. Equal values give equal
    /// bytes. Whether they fit into `bytesMax` is not checked.
    ///
    /// Systems before iOS 13 compare only paths. A rule that compares more is left out of `paths`
    /// if it opens the app, and widened if it excludes. So, apart from letter case, those systems
    /// open no link that newer ones keep in the browser.
    public func serialized(as form: AssociationForm = .modern) -> [UInt8] {
        var members = [(key: String, value: JSONText)]()
        if let applinks { members.append(("applinks", applinks.json(form))) }
        for (service, apps) in [
            ("webcredentials", webCredentials), ("activitycontinuation", activityContinuation),
            ("appclips", appClips),
        ] where !apps.isEmpty {
            members.append((service, .object([("apps", .array(apps.map(\.json)))])))
        }
        return Array(JSONText.object(members).formatted.utf8)
    }

    /// The size in bytes of the largest file that Apple's systems read.
    public static let bytesMax = 131_072
}

extension AppLinks {
    fileprivate func json(_ form: AssociationForm) -> JSONText {
        var members = [(key: String, value: JSONText)]()
        if form != .modern { members.append(("apps", .array([]))) }
        if form != .legacy {
            if !defaults.isEmpty { members.append(("defaults", .object(defaults.members))) }
            if !substitutionVariables.isEmpty {
                members.append(
                    (
                        "substitutionVariables",
                        .object(
                            substitutionVariables.map {
                                ($0.name, .array($0.values.map(JSONText.string)))
                            })
                    ))
            }
        }
        members.append(("details", .array(details.flatMap { $0.entries(form) })))
        return .object(members)
    }
}

extension Detail {
    /// One entry for all apps; older systems know only entries with one.
    fileprivate func entries(_ form: AssociationForm) -> [JSONText] {
        switch form {
        case .modern: [.object([("appIDs", .array(appIDs.map(\.json)))] + modernMembers)]
        case .compatible:
            appIDs.map { id in
                .object(
                    [("appID", id.json), ("paths", paths), ("appIDs", .array([id.json]))]
                        + modernMembers)
            }
        case .legacy: appIDs.map { .object([("appID", $0.json), ("paths", paths)]) }
        }
    }

    private var modernMembers: [(key: String, value: JSONText)] {
        (defaults.isEmpty ? [] : [("defaults", .object(defaults.members))])
            + [("components", .array(components.map(\.json)))]
    }

    private var paths: JSONText { .array(components.compactMap(\.legacyPath).map(JSONText.string)) }
}

extension ComponentDefaults {
    fileprivate var members: [(key: String, value: JSONText)] {
        flag("caseSensitive", caseSensitive) + flag("percentEncoded", percentEncoded)
    }
}

extension Component {
    var json: JSONText { .object(members(comment: "comment")) }

    /// - Parameter comment: the key of the comment, which Google spells with an s.
    func members(comment key: String) -> [(key: String, value: JSONText)] {
        var members = [(key: String, value: JSONText)]()
        if let path { members.append(("/", .string(path))) }
        switch query {
        case .whole(let pattern): members.append(("?", .string(pattern)))
        case .items(let items):
            members.append(("?", .object(items.map { ($0.name, .string($0.pattern)) })))
        case nil: break
        }
        if let fragment { members.append(("#", .string(fragment))) }
        members += flag("exclude", exclude ? true : nil)
        members += flag("caseSensitive", caseSensitive) + flag("percentEncoded", percentEncoded)
        if let comment { members.append((key, .string(comment))) }
        return members
    }

    /// The rule in the form of `paths`; nil if it would open more than the rule does.
    var legacyPath: String? { legacyPattern.map { exclude ? "NOT " + $0 : $0 } }

    /// The same without `NOT `.
    package var legacyPattern: String? {
        let path = percentEncoded == false ? encoded(path ?? "*") : path ?? "*"
        return exclude ? widened(path) : unknownToPaths == nil ? path : nil
    }

    /// The first thing in the rule that `paths` cannot express. A rule that opens is then left out
    /// of them, and a rule that excludes is widened.
    package var unknownToPaths: String? {
        if query?.isUnconstrained == false { return "a query" }
        if fragment ?? "*" != "*" { return "a fragment" }
        return path?.utf8.contains(UInt8(ascii: "$")) == true ? "a variable" : nil
    }
}

extension QueryPattern {
    /// A star also matches an empty or missing part.
    fileprivate var isUnconstrained: Bool { patterns.allSatisfy { $0 == "*" } }
}

extension AppIdentifier {
    fileprivate var json: JSONText { .string(description) }
}

private func flag(_ key: String, _ value: Bool?) -> [(key: String, value: JSONText)] {
    value.map { [(key, .boolean($0))] } ?? []
}

/// A pattern for decoded paths as a pattern for written paths, because `paths` are only compared
/// with these. Characters that no path contains are escaped (WHATWG URL, “path percent-encode
/// set”).
private func encoded(_ pattern: String) -> String {
    pattern.utf8.percentEncoded { $0 > 0x20 && $0 < 0x7F && !"\"#%<>^`{}".utf8.contains($0) }
}

/// The pattern with a star in place of each variable.
private func widened(_ pattern: String) -> String {
    var result = [UInt8]()
    var rest = Substring(pattern).utf8
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "(") else {
            result.append(byte)
            continue
        }
        guard let end = rest.firstIndex(of: UInt8(ascii: ")")) else { break }
        rest = rest[rest.index(after: end)...]
        result.append(UInt8(ascii: "*"))
    }
    return String(decoding: result, as: UTF8.self)
}
