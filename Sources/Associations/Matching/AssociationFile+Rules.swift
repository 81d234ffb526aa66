extension AssociationFile {
    /// The rules of every app in file order, with pointers into the file's modern form and no
    /// lines. Of entries with the same app the first counts, as on Apple's systems.
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
