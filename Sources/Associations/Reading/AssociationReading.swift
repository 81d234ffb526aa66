package import Diagnostics

/// Anybody's `apple-app-site-association` file as Apple's systems take it, and what they take for
/// something else than it looks like ("Supporting associated domains"; swcd's behaviour where
/// Apple says nothing).
package struct AssociationReading: Sendable {
    package let json: JSONDocument
    package let file: String
    /// Entries of `details` in their order; empty when the file is not an association file.
    package internal(set) var details = [DetailReading]()
    /// `substitutionVariables`, those that are lists of texts.
    package internal(set) var variables = [VariableReading]()
    /// Apps under `applinks.apps` where there are no `details`: they open every link.
    package internal(set) var unconstrainedApps = [Located<String>]()
    /// Apps that services without rules name, by the service's key.
    package internal(set) var services = [String: [Located<String>]]()
    /// Faults of the text and of its shape, in the order of the text.
    package internal(set) var diagnostics: [Diagnostic]
    let isForgiving: Bool
    var leftOut = 0
    var rulesLeft = rulesMax
    static let rulesMax = 50_000

    /// Reads any bytes, in time linear in their number.
    /// - Parameter file: the name that places carry.
    package init(_ bytes: [UInt8], file: String) {
        guard SignedPayload.isLikely(bytes), let payload = SignedPayload(bytes) else {
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
        if json.byteCount > AssociationFile.bytesMax, json.byteCount <= JSONDocument.bytesMax {
            diagnostics.insert(sizeFault, at: 0)
        }
        diagnostics = complete(diagnostics, leftOut: leftOut, file: file)
    }
}

extension AssociationReading {
    /// Whether any system takes the rules that were read: it is JSON, and not too large for them.
    package var isRead: Bool { json.isValid && json.byteCount <= AssociationFile.bytesMax }

    private var sizeFault: Diagnostic {
        Diagnostic(
            .error, JSONRule.fileSize.rawValue,
            at: SourcePlace(file: file, line: 1, column: 1),
            "file has \(json.byteCount) bytes, may have \(AssociationFile.bytesMax)",
            advice: "merge rules, use appIDs and variables")
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
    /// Whether a legacy path excludes because its `defaults` do.
    package var inheritsExclude = false
    package let caseSensitive: Bool
    package let percentEncoded: Bool
    package let comment: String?
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

    /// Keys that are nearly one that is read: another case of it, or misspelt. Others may be
    /// somebody's own.
    mutating func reportKeys(of object: JSONValue, _ known: [String]) {
        for member in object.members ?? [] where !known.contains(where: member.key.isScalarwise) {
            guard diagnostics.count < findingsMax else { return }
            let key = member.key.lowercased()
            if let meant = known.first(where: { $0.lowercased() == key }) {
                report(
                    .error, .keyCase, member.keyStart,
                    "\(quoted(member.key)) is not read, the key is \(quoted(meant))")
            } else if let meant = nearestName(to: key, among: known) {
                report(
                    .warning, .unknownKey, member.keyStart,
                    "\(quoted(member.key)) is no key of this object, and is not read",
                    advice: didYouMean(meant))
            }
        }
    }
}

/// Findings of one file; a file of 8 MiB has room for a million.
package let findingsMax = 1_000

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

/// Findings in the order of the text, and a last one for those that were too many.
func complete(_ findings: [Diagnostic], leftOut: Int, file: String) -> [Diagnostic] {
    var findings = findings
    if leftOut > 0 {
        findings.append(
            Diagnostic(
                .error, "too-many-findings", at: SourcePlace(file: file, line: 1, column: 1),
                "\(leftOut) more findings are left out"))
    }
    return findings.inOrder
}
