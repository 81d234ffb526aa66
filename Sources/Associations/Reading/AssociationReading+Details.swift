import Diagnostics
import JSONSyntax

// The entries of `details`: the apps that they name, and the rules that count.

extension AssociationReading {
    mutating func readDetails(_ applinks: JSONValue, _ domain: Defaults) {
        guard let member = applinks.member("details") else {
            let apps = applinks["apps"]?.elements ?? []
            let isElsewhere = applinks.members?.contains(where: isDomain) ?? false
            if apps.isEmpty, json.isShapeCertain, !isElsewhere {
                report(
                    .warning, .noDetails, applinks.start,
                    "applinks has no details, so no link opens the app",
                    advice: "add details with the apps and their components")
            }
            return
        }
        let pointer = "/applinks/details"
        if let elements = member.value.elements {
            for (index, element) in elements.enumerated() {
                readDetail(element, "\(pointer)/\(index)", domain)
            }
            if elements.isEmpty, json.isShapeCertain {
                report(
                    .warning, .noDetails, member.value.start,
                    "details is empty, so no link opens the app",
                    advice: "add an entry with the apps and their components")
            }
            reportDuplicates()
        } else if let members = member.value.members {
            report(
                .warning, .detailsDictionary, member.value.start,
                "details is an object with apps as keys, which only the first iOS 9 had; the order "
                    + "is lost",
                advice: "write an array of objects with appIDs and components")
            for entry in members { readDictionaryEntry(entry, pointer, domain) }
        } else {
            report(
                .error, .detailsType, member.value.start,
                "details is \(member.value.kind), must be an array of objects",
                advice: "write [{\"appIDs\": […], \"components\": […]}]")
        }
    }

    private mutating func readDetail(_ value: JSONValue, _ pointer: String, _ domain: Defaults) {
        guard value.members != nil else {
            return report(
                .error, .detailsType, value.start,
                "an entry of details is \(value.kind), must be an object, and is skipped",
                advice: "write {\"appIDs\": […], \"components\": […]}")
        }
        reportKeys(of: value, in: .entry)
        if let variables = value.member("substitutionVariables") {
            report(
                .error, .variablesInDetails, variables.keyStart,
                "substitutionVariables is ignored within details (reported for current systems)",
                advice: "move it to applinks")
        }
        let singular = singularID(value, pointer)
        let plural = pluralIDs(value, pointer)
        reportNames(value, singular, plural)
        let merged = domain.merging(defaults(value["defaults"]))
        let detail = DetailReading(
            start: value.start, pointer: pointer,
            appIDs: plural ?? singular.map { [$0] } ?? [], singular: singular, plural: plural,
            components: components(value, pointer, merged), paths: paths(value, pointer, merged))
        reportRules(value, detail)
        details.append(detail)
    }

    /// `{"PREFIX.bundle": {"paths": […]}}`
    private mutating func readDictionaryEntry(
        _ entry: JSONMember, _ pointer: String, _ domain: Defaults
    ) {
        let pointer = "\(pointer)/\(pointerToken(entry.key))"
        let id = Located(value: entry.key, start: entry.keyStart, pointer: pointer)
        reportIdentifier(id)
        reportKeys(of: entry.value, in: .entry)
        let detail = DetailReading(
            start: entry.value.start, pointer: pointer, appIDs: [id], singular: id, plural: nil,
            components: components(entry.value, pointer, domain),
            paths: paths(entry.value, pointer, domain))
        reportRules(entry.value, detail)
        details.append(detail)
    }

    // MARK: Apps

    private mutating func singularID(_ value: JSONValue, _ pointer: String) -> Located<String>? {
        guard let member = value.member("appID") else { return nil }
        guard let text = member.value.text else {
            report(
                .error, .appIDsType, member.value.start,
                "appID is \(member.value.kind), must be a string",
                advice: member.value.elements == nil
                    ? "write \"PREFIX.bundle.identifier\"" : "use appIDs for a list of apps")
            return nil
        }
        let id = Located(value: text, start: member.value.start, pointer: "\(pointer)/appID")
        reportIdentifier(id)
        return id
    }

    private mutating func pluralIDs(_ value: JSONValue, _ pointer: String) -> [Located<String>]? {
        guard let member = value.member("appIDs") else { return nil }
        guard let elements = member.value.elements else {
            report(
                .error, .appIDsType, member.value.start,
                "appIDs is \(member.value.kind), must be an array",
                advice: member.value.text.map { "write [\(quoted($0))]" }
                    ?? "write [\"PREFIX.bundle.identifier\"]")
            return nil
        }
        return identifiers(elements, "\(pointer)/appIDs")
    }

    /// The texts among the elements; each text that is not an identifier is reported.
    mutating func identifiers(_ elements: [JSONValue], _ pointer: String) -> [Located<String>] {
        var ids = [Located<String>]()
        for (index, element) in elements.enumerated() {
            guard let text = element.text else {
                report(
                    .error, .appIDsType, element.start,
                    "an app identifier is \(element.kind), must be a string, and is skipped",
                    advice: "write \"PREFIX.bundle.identifier\"")
                continue
            }
            let id = Located(value: text, start: element.start, pointer: "\(pointer)/\(index)")
            reportIdentifier(id)
            ids.append(id)
        }
        return ids
    }

    private mutating func reportIdentifier(_ id: Located<String>) {
        guard let fault = IdentifierFault(id.value) else { return }
        report(fault.severity, fault.rule, id.start, fault.message, advice: fault.advice)
    }

    private mutating func reportNames(
        _ value: JSONValue, _ singular: Located<String>?, _ plural: [Located<String>]?
    ) {
        if plural?.isEmpty ?? (value["appIDs"] == nil && value["appID"] == nil) {
            guard json.isShapeCertain else { return }
            return report(
                .error, .noAppID, value.start,
                singular == nil
                    ? "the entry lists no app"
                    : "the entry lists no app: appIDs is empty, and appID beside it is ignored",
                advice: "add \"appIDs\": [\"PREFIX.bundle.identifier\"]")
        }
        if let singular, let plural, !plural.contains(where: { $0.value == singular.value }) {
            report(
                .warning, .bothAppIDs, singular.start,
                "appID is ignored beside appIDs, which does not list this app",
                advice: "also list \(quoted(singular.value)) in appIDs")
        }
        if singular == nil, plural != nil, let paths = value.member("paths") {
            let isOnly = value["components"] == nil
            report(
                isOnly ? .warning : .note, .appIDMissing, paths.keyStart,
                isOnly
                    ? "paths is for systems before iOS 13, which do not read appIDs"
                    : "no system reads paths here: systems before iOS 13 do not read appIDs, and "
                        + "later ones read components",
                advice: "add appID for them, or \(isOnly ? "write components" : "remove paths")")
        }
    }

    /// If several entries name the same app, the first one counts.
    private mutating func reportDuplicates() {
        var entries = [[UInt8]: Int]()
        for (index, detail) in details.enumerated() {
            for id in detail.appIDs {
                let key = Array(id.value.utf8)
                guard let earlier = entries[key] else {
                    entries[key] = index
                    continue
                }
                // An identifier that is twice in one list has the same rules twice.
                guard earlier != index else { continue }
                let line = details[earlier].start.line
                report(
                    .error, .duplicateAppID, id.start,
                    "\(quoted(id.value)) already has an entry in line \(line), so the rules of "
                        + "this one are ignored (reported for current systems)",
                    advice: "merge the two entries")
            }
        }
    }

    // MARK: Rules

    private static let opensAll =
        ": every link of the host opens the app (reported for current systems)"

    private mutating func reportRules(_ value: JSONValue, _ detail: DetailReading) {
        let components = value.member("components")
        let paths = value.member("paths")
        if let components, components.value.elements == nil {
            report(
                .error, .pathsType, components.value.start,
                "components is \(components.value.kind), must be an array"
                    + (detail.paths == nil ? Self.opensAll : ""),
                advice: "write [ ] around it")
        } else if let paths, paths.value.elements == nil {
            report(
                .error, .pathsType, paths.value.start,
                "paths is \(paths.value.kind), must be an array"
                    + (detail.components == nil ? Self.opensAll : ""),
                advice: "write [ ] around it")
        } else if detail.rules == nil, json.isShapeCertain {
            report(
                .error, .noRules, value.start,
                "the entry has neither components nor paths" + Self.opensAll,
                advice: "add components; if every link is meant, write [{\"/\": \"*\"}]")
        }
    }
}
