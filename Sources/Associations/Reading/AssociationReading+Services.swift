internal import Diagnostics

// The top level: which services the file has, and the apps of those without rules.

extension AssociationReading {
    static let appServices = ["webcredentials", "activitycontinuation", "appclips"]
    /// Others that Apple's systems know, and Waymark has nothing to say of.
    static let otherServices = ["messagefilter", "classificationreport", "authsrv"]

    mutating func readRoot(_ root: JSONValue) {
        guard let members = root.members else {
            report(
                .error, .rootType, root.start, "the file is \(root.kind), must be an object",
                advice: root.elements?.first?["relation"] == nil
                    ? nil : "this is an assetlinks.json: were the two swapped?")
            return
        }
        let known = ["applinks"] + Self.appServices + Self.otherServices
        if json.isShapeCertain,
            !members.contains(where: { known.contains($0.key.lowercased()) })
        {
            report(
                .warning, .noService, root.start, "the file names no service of Apple's",
                advice: "add applinks, webcredentials or appclips")
        }
        for member in members { readService(member, known) }
    }

    mutating func readService(_ member: JSONMember, _ known: [String]) {
        guard let name = known.first(where: member.key.isScalarwise) else {
            let service = member.key.lowercased()
            if known.contains(service) {
                report(
                    .error, .keyCase, member.keyStart,
                    "\(quoted(member.key)) is not read, the key is \(quoted(service))")
                if isForgiving { readService(member.value, member.keyStart, service) }
                return
            }
            return report(
                .note, .unknownService, member.keyStart,
                "\(quoted(member.key)) is no service of Apple's, and is not read")
        }
        readService(member.value, member.keyStart, name)
    }

    mutating func readService(
        _ value: JSONValue, _ keyStart: TextPosition, _ name: String
    ) {
        guard let members = value.members else {
            return report(
                .error, .serviceType, value.start, "\(name) is \(value.kind), must be an object")
        }
        if members.isEmpty {
            return report(
                .note, .emptyService, keyStart, "\(name) is empty",
                advice: "remove it, or fill it")
        }
        if name == "applinks" {
            readAppLinks(value)
        } else if Self.appServices.contains(name) {
            readApps(value, name)
        }
    }

    mutating func readApps(_ service: JSONValue, _ name: String) {
        reportKeys(of: service, ["apps"])
        guard let apps = service.member("apps") else {
            guard json.isShapeCertain else { return }
            return report(
                .warning, .emptyService, service.start,
                "\(name) has no key \"apps\", and names no app",
                advice: "list identifiers: \"apps\": [\"PREFIX.bundle.identifier\"]")
        }
        guard let elements = apps.value.elements else {
            return report(
                .error, .serviceType, apps.value.start,
                "apps is \(apps.value.kind), must be an array of identifiers")
        }
        services[name] = identifiers(elements, "/\(name)/apps")
    }

    mutating func readAppLinks(_ applinks: JSONValue) {
        let keys = ["apps", "details", "defaults", "substitutionVariables"]
        reportKeys(of: applinks, keys)
        for member in applinks.members ?? [] where isDomain(member) {
            report(
                .error, .nestedDomain, member.keyStart,
                "a file of \(quoted(member.key)) stands inside of applinks, and is not read",
                advice: "one file serves one host: lift its details into applinks")
        }
        readVariables(applinks["substitutionVariables"], "/applinks/substitutionVariables")
        let domain = defaults(applinks["defaults"])
        readDetails(applinks, domain)
        readOldApps(applinks)
    }

    mutating func readOldApps(_ applinks: JSONValue) {
        guard let apps = applinks.member("apps") else {
            let hasOnlyPaths = details.contains { $0.paths != nil && $0.components == nil }
            if hasOnlyPaths {
                report(
                    .note, .appsMissing, applinks.start,
                    "apps is missing, which systems before iOS 13 ask for",
                    advice: "add \"apps\": [] to applinks")
            }
            return
        }
        guard let elements = apps.value.elements, !elements.isEmpty else { return }
        report(
            .warning, .appsNotEmpty, apps.value.start, "apps under applinks must be empty",
            advice: "write \"apps\": []; apps stand in details")
        if applinks["details"] == nil {
            unconstrainedApps = identifiers(elements, "/applinks/apps")
        }
    }

    /// A key with a full stop whose value could be the content of applinks.
    func isDomain(_ member: JSONMember) -> Bool {
        member.key.utf8.contains(UInt8(ascii: ".")) && member.value.members != nil
    }

    mutating func readVariables(_ value: JSONValue?, _ pointer: String) {
        guard let value else { return }
        guard let members = value.members else {
            return report(
                .error, .variableType, value.start,
                "substitutionVariables is \(value.kind), must be an object of lists")
        }
        for member in members {
            guard let elements = member.value.elements,
                elements.allSatisfy({ $0.text != nil })
            else {
                report(
                    .error, .variableType, member.value.start,
                    "variable \(quoted(member.key)) must be a list of texts")
                continue
            }
            let name = Located(
                value: member.key, start: member.keyStart,
                pointer: "\(pointer)/\(pointerToken(member.key))")
            variables.append(
                VariableReading(name: name, values: elements.compactMap(\.text)))
        }
    }
}
