internal import Diagnostics
import JSONSyntax

// The top level: the services of the file, and the apps of services without rules.

extension AssociationReading {
    static let appServices = ["webcredentials", "activitycontinuation", "appclips"]
    /// Other keys that Apple's systems read, and that Waymark does not check.
    static let otherServices = ["messagefilter", "classificationreport", "authsrv"]

    mutating func readRoot(_ root: JSONValue) {
        guard let members = root.members else {
            report(
                .error, .rootType, root.start, "the file is \(root.kind), must be an object",
                advice: root.elements?.first?["relation"] != nil
                    ? "it is an assetlinks.json: serve it as /.well-known/assetlinks.json"
                    : root.text?.utf8.first == UInt8(ascii: "{")
                        ? "the JSON is within a string: write it without quotes and backslashes"
                        : "write {\"applinks\": {\"details\": […]}}")
            return
        }
        let known = FileObject.file.keys
        if json.isShapeCertain,
            !members.contains(where: { member in
                known.contains(member.key.lowercased())
                    || FileObject.file.home(of: member.key) != nil
            })
        {
            report(
                .warning, .noService, root.start, "the file has none of Apple's services",
                advice: "add applinks, webcredentials or appclips")
        }
        for member in members { readService(member, known) }
    }

    mutating func readService(_ member: JSONMember, _ known: [String]) {
        guard let name = known.first(where: member.key.isScalarwise) else {
            let service = member.key.lowercased()
            if reportCase(member, known) {
                if isForgiving { readService(member.value, member.keyStart, service) }
                return
            }
            if reportMisplaced(member, in: .file) { return }
            return report(
                .note, .unknownService, member.keyStart,
                "\(quoted(member.key)) is not one of Apple's services, and is ignored",
                advice: "remove it, unless your own programs read it")
        }
        readService(member.value, member.keyStart, name)
    }

    mutating func readService(_ value: JSONValue, _ keyStart: TextPosition, _ name: String) {
        guard let members = value.members else {
            return report(
                .error, .serviceType, value.start, "\(name) is \(value.kind), must be an object",
                advice: name == "applinks"
                    ? "write {\"details\": […]}" : "write {\"apps\": […]}")
        }
        if members.isEmpty {
            return report(
                .note, .emptyService, keyStart, "\(name) is empty",
                advice: "remove it, or add its content")
        }
        if name == "applinks" {
            readAppLinks(value)
        } else if Self.appServices.contains(name) {
            readApps(value, name)
        }
    }

    mutating func readApps(_ service: JSONValue, _ name: String) {
        let isReported = reportKeys(of: service, in: .service)
        guard let apps = service.member("apps") else {
            guard json.isShapeCertain, !isReported else { return }
            return report(
                .warning, .emptyService, service.start,
                "\(name) has no key \"apps\", so it lists no app",
                advice: "list identifiers: \"apps\": [\"PREFIX.bundle.identifier\"]")
        }
        guard let elements = apps.value.elements else {
            return report(
                .error, .serviceType, apps.value.start,
                "apps is \(apps.value.kind), must be an array of identifiers",
                advice: "write [ ] around the identifiers")
        }
        services[name] = identifiers(elements, "/\(name)/apps")
    }

    mutating func readAppLinks(_ applinks: JSONValue) {
        reportKeys(of: applinks, in: .applinks)
        for member in applinks.members ?? [] where isDomain(member) {
            report(
                .error, .nestedDomain, member.keyStart,
                "the content for \(quoted(member.key)) within applinks is ignored",
                advice: "a file applies to one host: move its details to applinks")
        }
        readVariables(applinks["substitutionVariables"], "/applinks/substitutionVariables")
        let domain = defaults(applinks["defaults"])
        readDetails(applinks, domain)
        readOldApps(applinks)
    }

    mutating func readOldApps(_ applinks: JSONValue) {
        guard let apps = applinks.member("apps") else {
            // Systems that follow `paths` know the app of an entry only by `appID`.
            if details.contains(where: { $0.paths != nil && $0.singular != nil }) {
                report(
                    .note, .appsMissing, applinks.start,
                    "apps is missing, which systems before iOS 13 require",
                    advice: "add \"apps\": [] to applinks")
            }
            return
        }
        guard let elements = apps.value.elements, !elements.isEmpty else { return }
        report(
            .warning, .appsNotEmpty, apps.value.start, "apps under applinks must be empty",
            advice: "write \"apps\": []; details lists the apps")
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
                "substitutionVariables is \(value.kind), must be an object of lists",
                advice: "write {\"name\": [\"value\"]}")
        }
        for member in members {
            guard let elements = member.value.elements,
                elements.allSatisfy({ $0.text != nil })
            else {
                report(
                    .error, .variableType, member.value.start,
                    "variable \(quoted(member.key)) must be a list of texts",
                    advice: "write \(quoted(member.key)): [\"value\"]")
                continue
            }
            let name = Located(
                value: member.key, start: member.keyStart,
                pointer: "\(pointer)/\(pointerToken(member.key))")
            variables.append(VariableReading(name: name, values: elements.compactMap(\.text)))
        }
    }
}
