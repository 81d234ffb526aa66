package import Diagnostics
private import URISyntax

/// Anybody's `assetlinks.json` file as Google's verifier takes it, and what it refuses (Google,
/// "Digital Asset Links" and its compatibility suite).
package struct AssetLinksReading: Sendable {
    package let json: JSONDocument
    package let file: String
    /// Statements about Android apps, also such as have faults, in their order.
    package internal(set) var statements = [StatementReading]()
    /// Faults of the text and of its shape, in the order of the text.
    package internal(set) var diagnostics: [Diagnostic]
    var leftOut = 0

    /// Reads any bytes, in time linear in their number.
    /// - Parameter file: the name that places carry.
    package init(_ bytes: [UInt8], file: String) {
        self.init(JSONDocument(bytes, file: file), file: file)
    }

    /// Reads what is JSON already; its faults come first.
    package init(_ json: JSONDocument, file: String) {
        self.json = json
        self.file = file
        diagnostics = json.diagnostics
        if let root = json.root { readRoot(root) }
        diagnostics = complete(diagnostics, leftOut: leftOut, file: file)
    }
}

/// A statement about an Android app.
package struct StatementReading: Sendable {
    package let start: TextPosition
    package let pointer: String
    package let relations: [Located<String>]
    package let package: Located<String>?
    package let fingerprints: [Located<String>]
    /// Rules for Android 15 and later; nil where the statement has none.
    package let dynamicComponents: [RuleReading]?
}

extension AssetLinksReading {
    mutating func readRoot(_ root: JSONValue) {
        guard let elements = root.elements else {
            return report(
                .error, .notAList, root.start, "the file is \(root.kind), must be an array",
                advice: root["applinks"] != nil || root["webcredentials"] != nil
                    ? "this is an apple-app-site-association file: were the two swapped?"
                    : root.members == nil ? nil : "write [ ] around it")
        }
        // What a file that is no JSON would grant, nobody knows.
        if elements.isEmpty, !json.diagnostics.contains(where: { $0.severity == .error }) {
            report(
                .error, .noStatements, root.start, "the list has no statements: nothing is granted",
                advice: "list the apps, or answer 404 instead of an empty list")
        }
        for (index, element) in elements.enumerated() { readStatement(element, "/\(index)") }
    }

    mutating func readStatement(_ value: JSONValue, _ pointer: String) {
        guard value.members != nil else {
            return report(
                .error, .statementShape, value.start,
                "a statement is \(value.kind), must be an object, and is skipped")
        }
        if let include = value.member("include"), value["relation"] == nil {
            return readInclude(include)
        }
        let relations = relations(value, "\(pointer)/relation")
        guard let target = value.member("target"), target.value.members != nil else {
            return report(
                .error, .statementShape, value.start,
                "the statement has no target object, and is skipped")
        }
        switch target.value["namespace"]?.text {
        case "android_app":
            readApp(value, target.value, relations, pointer)
        case "web": readSite(target.value)
        case let other:
            let found = other.map { ", is \(quoted($0))" } ?? ""
            report(
                .error, .namespace, target.value["namespace"]?.start ?? target.value.start,
                "the target's namespace must be \"android_app\" or \"web\"\(found)")
        }
    }

    mutating func readInclude(_ include: JSONMember) {
        let url = include.value.text.flatMap { try? WebURL($0) }
        let isSecure = url?.isSecure == true
        report(
            isSecure ? .note : .error, .include, include.value.start,
            isSecure
                ? "an include costs a fetch, and is not followed through a redirect"
                : "an include must be an https URL",
            advice: "write the statements into this file")
    }

    mutating func relations(_ value: JSONValue, _ pointer: String) -> [Located<String>] {
        guard let relation = value.member("relation"), let elements = relation.value.elements else {
            report(
                .error, .statementShape, value["relation"]?.start ?? value.start,
                "the statement has no array `relation`, and is skipped")
            return []
        }
        if elements.isEmpty {
            report(.error, .statementShape, relation.value.start, "relation is empty")
        }
        var relations = [Located<String>]()
        for (index, element) in elements.enumerated() {
            guard let text = element.text, AssetRelation.isWellFormed(text) else {
                report(
                    .error, .relationForm, element.start,
                    element.text.map { "relation \(quoted($0)) is not of the form kind/detail" }
                        ?? "a relation is \(element.kind), must be a string",
                    advice: "write "
                        + quoted(
                            element.text.flatMap(meantRelation)
                                ?? AssetRelation.handleAllURLs.rawValue))
                continue
            }
            if let meant = meantRelation(text) {
                report(
                    .warning, .relationForm, element.start,
                    "relation \(quoted(text)) is none that Android knows",
                    advice: didYouMean(meant))
            }
            relations.append(
                Located(value: text, start: element.start, pointer: "\(pointer)/\(index)"))
        }
        return relations
    }

    mutating func readSite(_ target: JSONValue) {
        let site = target["site"]
        if let text = site?.text, isOrigin(text) { return }
        report(
            .error, .site, site?.start ?? target.start,
            "a web target's site must be an origin, scheme and host alone",
            advice: "write \"https://host\" without path, query or login")
    }
}

/// The relation that was meant by one whose last word is nearly a known one's; nil for those that
/// are known, and for those that resemble none.
private func meantRelation(_ text: String) -> String? {
    let known = AssetRelation.allCases.map(\.rawValue)
    guard !known.contains(text) else { return nil }
    let written = lastWord(text.lowercased())
    let meant = nearestName(to: written, among: known.map(lastWord))
    guard let meant, meant.utf8.first == written.utf8.first else { return nil }
    return known.first { lastWord($0) == meant }
}

/// What stands after the last full stop or slash.
private func lastWord(_ relation: String) -> String {
    relation.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }.last
        .flatMap { String($0) } ?? relation
}

/// An http or https origin: no login, path, query or fragment, but a last slash at most.
private func isOrigin(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) }) else {
        return false
    }
    var host = bytes[scheme.utf8.count...]
    if host.last == UInt8(ascii: "/") { host.removeLast() }
    if let colon = host.lastIndex(of: UInt8(ascii: ":")) {
        let port = String(decoding: host[(colon + 1)...], as: UTF8.self)
        guard port.utf8.allSatisfy(\.isDigit), let number = UInt16(port), number > 0 else {
            return false
        }
        host = host[..<colon]
    }
    return !host.isEmpty && !host.contains { "/?#@* ".utf8.contains($0) }
}
