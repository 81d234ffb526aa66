package import Diagnostics

/// Anybody's `apple-app-site-association` file as Apple's systems take it, and what they take for
/// something else than it looks like ("Supporting associated domains"; swcd's behaviour where
/// Apple says nothing).
package struct AssociationReading: Sendable {
    package let json: JSONDocument
    package let file: String
    /// Entries of `details` in their order; empty when the file is no association file.
    package internal(set) var details = [DetailReading]()
    /// `substitutionVariables`, those that are lists of texts.
    package internal(set) var variables = [VariableReading]()
    /// Apps under `applinks.apps` where there are no `details`: they open every link.
    package internal(set) var unconstrainedApps = [Located<String>]()
    /// Apps that services without rules name, by the service's key.
    package internal(set) var services = [String: [Located<String>]]()
    /// Faults of the text and of its shape, in the order of the text.
    package internal(set) var diagnostics: [Diagnostic]
    private let isForgiving: Bool
    private var leftOut = 0
    var rulesLeft = rulesMax
    static let rulesMax = 50_000

    /// Reads any bytes, in time linear in their number.
    /// - Parameter file: the name that places carry.
    package init(_ bytes: [UInt8], file: String) {
        guard SignedPayload.isLikely(bytes) else {
            self.init(JSONDocument(bytes, file: file), file: file)
            return
        }
        guard let payload = SignedPayload(bytes) else {
            self.init(JSONDocument(bytes, file: file), file: file)
            return
        }
        self.init(JSONDocument(payload.content, file: file), file: file)
        let start = SourcePlace(file: file, line: 1, column: 1)
        diagnostics.insert(
            Diagnostic(
                .note, FileRule.signed.rawValue, at: start,
                "the file is signed; lines are those of its content",
                advice: "serve plain JSON: no system since iOS 9 needs the signature"), at: 0)
    }

    /// Reads what is JSON already; its faults come first.
    /// - Parameter isForgiving: reads services in the wrong letter case too, which systems do not:
    ///   their content is worth a look when somebody mends the key.
    package init(_ json: JSONDocument, file: String, isForgiving: Bool = false) {
        self.json = json
        self.file = file
        self.isForgiving = isForgiving
        diagnostics = json.diagnostics
        if let root = json.root { readRoot(root) }
        if leftOut > 0 {
            diagnostics.append(
                Diagnostic(
                    .error, "too-many-findings", at: SourcePlace(file: file, line: 1, column: 1),
                    "\(leftOut) more findings are left out"))
        }
        diagnostics.sort { left, right in
            guard let left = left.place, let right = right.place else { return false }
            return left < right
        }
    }
}

/// A value, where its text stands, and its JSON pointer (RFC 6901).
package struct Located<Value: Sendable>: Sendable {
    package let value: Value
    package let start: TextPosition
    package let pointer: String
}

/// A substitution variable as a file states it.
package struct VariableReading: Sendable {
    package let name: Located<String>
    package let values: [String]
}

/// One entry of `details`, with defaults merged in.
package struct DetailReading: Sendable {
    package let start: TextPosition
    package let pointer: String
    /// The apps that current systems read from it.
    package let appIDs: [Located<String>]
    /// `appID` and `appIDs` as written.
    package let singular: Located<String>?
    package let plural: [Located<String>]?
    /// Nil where the key is missing or no array.
    package let components: [RuleReading]?
    package let paths: [RuleReading]?

    /// The rules that current systems follow; nil means that every link opens the apps.
    package var rules: [RuleReading]? { components ?? paths }
}

/// One rule: an element of `components` or of `paths`.
package struct RuleReading: Sendable {
    package let start: TextPosition
    package let pointer: String
    package let isLegacy: Bool
    /// As written, but for the `NOT ` before a legacy path; nil is not looked at.
    package let path: Located<String>?
    package let query: QueryPattern?
    /// Where the patterns of the query's items stand, in their order; empty for inherited ones.
    package var queryPlaces = [Located<String>]()
    package let fragment: Located<String>?
    package let exclude: Bool
    package let caseSensitive: Bool
    package let percentEncoded: Bool
    package let comment: String?
}

// MARK: - The top level

extension AssociationReading {
    private static let appServices = ["webcredentials", "activitycontinuation", "appclips"]
    /// Others that Apple's systems know, and Waymark has nothing to say of.
    private static let otherServices = ["messagefilter", "classificationreport", "authsrv"]

    private mutating func readRoot(_ root: JSONValue) {
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

    private mutating func readService(_ member: JSONMember, _ known: [String]) {
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

    private mutating func readService(
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

    private mutating func readApps(_ service: JSONValue, _ name: String) {
        reportCase(service, ["apps"])
        guard let apps = service.member("apps") else { return }
        guard let elements = apps.value.elements else {
            return report(
                .error, .serviceType, apps.value.start,
                "apps is \(apps.value.kind), must be an array of identifiers")
        }
        services[name] = identifiers(elements, "/\(name)/apps")
    }

    private mutating func readAppLinks(_ applinks: JSONValue) {
        let keys = ["apps", "details", "defaults", "substitutionVariables"]
        reportCase(applinks, keys)
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

    private mutating func readOldApps(_ applinks: JSONValue) {
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

    private mutating func readVariables(_ value: JSONValue?, _ pointer: String) {
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

// MARK: - Diagnostics

extension AssociationReading {
    mutating func report(
        _ severity: Severity, _ rule: FileRule, _ start: TextPosition, _ message: String,
        advice: String? = nil
    ) {
        guard diagnostics.count < findingsMax else {
            leftOut += 1
            return
        }
        let place = SourcePlace(file: file, line: start.line, column: start.column)
        diagnostics.append(
            Diagnostic(severity, rule.rawValue, at: place, message, advice: advice))
    }

    /// Keys that are only written in another case than the one that is read.
    mutating func reportCase(_ object: JSONValue, _ known: [String]) {
        for member in object.members ?? [] where !known.contains(where: member.key.isScalarwise) {
            let key = member.key.lowercased()
            guard let meant = known.first(where: { $0.lowercased() == key }) else { continue }
            report(
                .error, .keyCase, member.keyStart,
                "\(quoted(member.key)) is not read, the key is \(quoted(meant))")
        }
    }
}

/// Findings of one file; a file of 8 MiB has room for a million.
let findingsMax = 1_000

/// A key as a token of a JSON pointer (RFC 6901 §3).
func pointerToken(_ key: String) -> String {
    var token = ""
    for scalar in key.unicodeScalars {
        switch scalar {
        case "~": token += "~0"
        case "/": token += "~1"
        default: token.unicodeScalars.append(scalar)
        }
    }
    return token
}
