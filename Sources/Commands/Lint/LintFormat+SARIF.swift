import Diagnostics
import Linting
private import URISyntax

// SARIF 2.1.0 for code scanning and editors. Only rules with findings are listed; results refer to
// them by index.

/// The log of one run.
/// - Parameter tool: the name of the command that has found them.
func sarifLog(of findings: [Diagnostic], tool: String) -> JSONText {
    var numbers = [RuleName: Int]()
    var rules = [JSONText]()
    for finding in findings where numbers[finding.rule] == nil {
        numbers[finding.rule] = rules.count
        rules.append(sarifRule(finding))
    }
    let driver = JSONText.object([
        ("name", .string(tool)), ("version", .string(programVersion)),
        ("rules", .array(rules)),
    ])
    let run = JSONText.object([
        ("tool", .object([("driver", driver)])), ("columnKind", .string("unicodeCodePoints")),
        ("results", .array(findings.map { $0.sarifResult(rule: numbers[$0.rule] ?? 0) })),
    ])
    return .object([
        ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
        ("version", .string("2.1.0")), ("runs", .array([run])),
    ])
}

private func sarifRule(_ finding: Diagnostic) -> JSONText {
    guard let rule = Catalogue.rule(finding.rule) else {
        return .object([("id", .string(finding.rule.rawValue))])
    }
    var properties: [(key: String, value: JSONText)] = [
        ("evidence", .string(rule.evidence.word)), ("source", .string(rule.source)),
    ]
    if let code = rule.code { properties.insert(("code", .string(code)), at: 0) }
    return .object([
        ("id", .string(rule.name.rawValue)),
        ("name", .string(pascalCase(rule.name.rawValue))),
        ("shortDescription", sarifText(rule.title)), ("fullDescription", sarifText(rule.wrong)),
        ("help", sarifText(rule.help)),
        ("defaultConfiguration", .object([("level", .string("\(rule.severity)"))])),
        ("properties", .object(properties)),
    ])
}

extension Diagnostic {
    fileprivate func sarifResult(rule number: Int) -> JSONText {
        let words = [message, advice].compactMap(\.self).joined(separator: "\n")
        var members: [(key: String, value: JSONText)] = [
            ("ruleId", .string(rule.rawValue)), ("ruleIndex", .number(number)),
            ("level", .string("\(severity)")), ("message", sarifText(withoutLinks(words))),
        ]
        if let position { members.append(("locations", .array([location(position)]))) }
        return .object(members)
    }

    private func location(_ position: SourcePosition) -> JSONText {
        .object([
            (
                "physicalLocation",
                .object([
                    ("artifactLocation", .object([("uri", .string(uriReference(position.file)))])),
                    (
                        "region",
                        .object([
                            ("startLine", .number(position.line)),
                            ("startColumn", .number(position.column)),
                        ])
                    ),
                ])
            )
        ])
    }
}

/// A message can contain links, `[text](address)` (SARIF 2.1.0 §3.11.6), which viewers display as
/// links. Text that a message quotes must not become one.
private func withoutLinks(_ words: String) -> String {
    var bytes = [UInt8]()
    for byte in words.utf8 {
        // Also before a mark, with which the parenthesis is another `Character`.
        if byte == UInt8(ascii: "("), bytes.last == UInt8(ascii: "]") { bytes.append(0x20) }
        bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
}

private func sarifText(_ words: String) -> JSONText { .object([("text", .string(words))]) }

/// `json-syntax` as `JsonSyntax`, the form that SARIF requires for names.
private func pascalCase(_ name: String) -> String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}

/// A path as a URI reference (RFC 3986 §4.2): relative, or `file:` for an absolute one.
private func uriReference(_ path: String) -> String {
    let path = repositoryPath(path)
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    return (isAbsolute ? "file://" : "")
        + path.utf8.percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "/") }
}
