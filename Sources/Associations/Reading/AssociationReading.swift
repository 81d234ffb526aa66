package import Diagnostics
package import JSONSyntax

/// Any `apple-app-site-association` file as Apple's systems read it, with reports of everything
/// that they read differently than it looks ("Supporting associated domains"; where Apple says
/// nothing, the behaviour of swcd).
package struct AssociationReading: Sendable {
    package let json: JSONDocument
    package let file: String
    /// Entries of `details` in their order; empty if the file is not an association file.
    package internal(set) var details = [DetailReading]()
    /// The `substitutionVariables` that are lists of texts.
    package internal(set) var variables = [VariableReading]()
    /// Apps under `applinks.apps` if there are no `details`: they open every link.
    package internal(set) var unconstrainedApps = [Located<String>]()
    /// The apps of services without rules, by the key of the service.
    package internal(set) var services = [String: [Located<String>]]()
    /// Faults of the text and of its shape, in the order of the text.
    package private(set) var diagnostics = [Diagnostic]()
    /// The same findings, so that others can be added to them.
    package internal(set) var found: FindingList
    let isForgiving: Bool
    var rulesLeft = rulesMax
    static let rulesMax = 50_000

    /// Reads any bytes, in time linear in their number.
    /// - Parameter file: the file name of the positions.
    package init(_ bytes: [UInt8], file: String) {
        guard SignedPayload.isLikely(bytes), let payload = SignedPayload(bytes) else {
            self.init(JSONDocument(associations: bytes, file: file), file: file)
            return
        }
        self.init(JSONDocument(payload.content, file: file), file: file)
        let start = SourcePosition(file: file, line: 1, column: 1)
        found.add(
            Diagnostic(
                .note, .signedFile, at: start,
                "the file is signed; lines are lines of its content",
                advice: "serve plain JSON: no system since iOS 9 needs the signature"))
        diagnostics = found.findings
    }

    /// Reads a JSON document; the faults of its syntax come first.
    /// - Parameter isForgiving: also reads services whose key has the wrong letter case. Systems do
    ///   not, but the content should be valid when the key is corrected.
    package init(_ json: JSONDocument, file: String, isForgiving: Bool = false) {
        self.json = json
        self.file = file
        self.isForgiving = isForgiving
        found = json.found
        if json.byteCount > AssociationFile.bytesMax, json.byteCount <= JSONDocument.bytesMax {
            found.add(sizeFault)
        }
        if let root = json.root { readRoot(root) }
        diagnostics = found.findings
    }
}

extension AssociationReading {
    /// Whether any system uses the rules: the file is JSON, and not too large.
    package var isRead: Bool { json.isValid && json.byteCount <= AssociationFile.bytesMax }

    private var sizeFault: Diagnostic {
        Diagnostic(
            .error, .fileSize,
            at: SourcePosition(file: file, line: 1, column: 1),
            "file has \(json.byteCount) bytes, may have \(AssociationFile.bytesMax)",
            advice: "merge rules, and use appIDs and variables")
    }
}

/// A value with its position and its JSON pointer (RFC 6901).
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

/// One entry of `details`, with its defaults applied.
package struct DetailReading: Sendable {
    package let start: TextPosition
    package let pointer: String
    /// The apps that current systems read from it.
    package let appIDs: [Located<String>]
    /// `appID` and `appIDs` as written.
    package let singular: Located<String>?
    package let plural: [Located<String>]?
    /// Nil if the key is missing or not an array.
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
    /// As written, but without the `NOT ` of a legacy path. A part that is nil is not compared.
    package let path: Located<String>?
    package let query: QueryPattern?
    /// The positions of the patterns of the query's items, in their order; empty for inherited
    /// ones.
    package var queryPositions = [Located<String>]()
    package let fragment: Located<String>?
    package let exclude: Bool
    /// Whether a legacy path excludes because its `defaults` do.
    package var inheritsExclude = false
    package let caseSensitive: Bool
    package let percentEncoded: Bool
    package let comment: String?
    /// Whether it matches every URL only because of a fault that was reported.
    package var isUnintended = false
}

// MARK: - Diagnostics

extension AssociationReading {
    mutating func report(
        _ severity: Severity, _ rule: RuleName, _ start: TextPosition, _ message: String,
        advice: String
    ) {
        let position = SourcePosition(file: file, line: start.line, column: start.column)
        found.add(Diagnostic(severity, rule, at: position, message, advice: advice))
    }
}

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
