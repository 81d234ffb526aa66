/// One rule as a file states it, with its defaults applied. A part that is nil is not compared.
package struct RuleText: Hashable, Sendable {
    package var path: String?
    package var query: QueryPattern?
    package var fragment: String?
    package var exclude: Bool
    package var caseSensitive: Bool
    package var percentEncoded: Bool
    /// The JSON pointer of the rule in its file: `/applinks/details/0/components/2` (RFC 6901).
    package var pointer: String
    /// Its line in the file, counted from 1; 0 if there is no file.
    package var line: Int
    /// The place of its text, if its file was generated: `waymark.yaml:13:14`. Its line is there.
    package var source: String?
    /// Whether it is an element of `paths`, already without its `NOT `.
    package var isLegacy: Bool
    /// Whether it is an element of `paths` that excludes because its `defaults` do.
    package var inheritsExclude: Bool

    package init(
        path: String? = nil, query: QueryPattern? = nil, fragment: String? = nil,
        exclude: Bool = false, caseSensitive: Bool = true, percentEncoded: Bool = true,
        pointer: String = "", line: Int = 0, isLegacy: Bool = false,
        inheritsExclude: Bool = false
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.exclude = exclude
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        self.pointer = pointer
        self.line = line
        self.isLegacy = isLegacy
        self.inheritsExclude = inheritsExclude
    }
}

/// The rules of one app, in the order in which they are tried.
package struct AppRules: Hashable, Sendable {
    package var appID: String
    /// Nil if the entry has no pattern list: every URL opens the app.
    package var rules: [RuleText]?
    /// The JSON pointer of the `details` entry, and its line.
    package var pointer: String
    package var line: Int
    /// The number of the entry in its file. Apps with the same number have the same rules; nil if
    /// that is not known.
    package let entry: Int?

    package init(
        appID: String, rules: [RuleText]?, pointer: String = "", line: Int = 0, entry: Int? = nil
    ) {
        self.appID = appID
        self.rules = rules
        self.pointer = pointer
        self.line = line
        self.entry = entry
    }
}

extension AssociationFile {
    /// The rules of every app in file order, with pointers into the file's modern form and without
    /// lines. If several entries have the same app, the first counts, as on Apple's systems.
    package var appRules: [AppRules] {
        var seen = Set<AppIdentifier>()
        var apps = [AppRules]()
        for (number, detail) in (applinks?.details ?? []).enumerated() {
            let pointer = "/applinks/details/\(number)"
            let rules = rules(of: detail, pointer)
            for app in detail.appIDs where seen.insert(app).inserted {
                apps.append(
                    AppRules(appID: app.description, rules: rules, pointer: pointer, line: 0))
            }
        }
        return apps
    }

    private func rules(of detail: Detail, _ pointer: String) -> [RuleText] {
        let outer = applinks?.defaults ?? .init()
        return detail.components.enumerated().map { number, component in
            RuleText(
                path: component.path, query: component.query, fragment: component.fragment,
                exclude: component.exclude,
                caseSensitive: component.caseSensitive ?? detail.defaults.caseSensitive
                    ?? outer.caseSensitive ?? true,
                percentEncoded: component.percentEncoded ?? detail.defaults.percentEncoded
                    ?? outer.percentEncoded ?? true,
                pointer: "\(pointer)/components/\(number)")
        }
    }
}
