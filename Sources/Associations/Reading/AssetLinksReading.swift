package import Diagnostics
package import JSONSyntax
private import URISyntax

/// Any `assetlinks.json` file as Google's verifier reads it, and what it refuses (Google, "Digital
/// Asset Links" and its compatibility suite).
package struct AssetLinksReading: Sendable {
    package let json: JSONDocument
    package let file: String
    /// Statements about Android apps in their order, including faulty ones.
    package internal(set) var statements = [StatementReading]()
    /// Faults of the text and of its shape, in the order of the text.
    package private(set) var diagnostics = [Diagnostic]()
    /// The same findings, so that others can be added to them.
    package internal(set) var found: FindingList

    /// Reads any bytes, in time linear in their number.
    /// - Parameter file: the file name of the positions.
    package init(_ bytes: [UInt8], file: String) {
        self.init(JSONDocument(associations: bytes, file: file), file: file)
    }

    /// Reads a JSON document; the faults of its syntax come first.
    package init(_ json: JSONDocument, file: String) {
        self.json = json
        self.file = file
        found = json.found
        if let root = json.root { readRoot(root) }
        diagnostics = found.findings
    }
}

/// A statement about an Android app.
package struct StatementReading: Sendable {
    package let start: TextPosition
    package let pointer: String
    package let relations: [Located<String>]
    package let package: Located<String>?
    package let fingerprints: [Located<String>]
    /// Rules for Android 15 and later; nil if the statement has none.
    package let dynamicComponents: [RuleReading]?
}

extension AssetLinksReading {
    mutating func readRoot(_ root: JSONValue) {
        guard let elements = root.elements else {
            return report(
                .error, .assetlinksRoot, root.start, "the file is \(root.kind), must be an array",
                advice: root["applinks"] != nil || root["webcredentials"] != nil
                    ? "it is an apple-app-site-association file: serve it as "
                        + "/.well-known/apple-app-site-association"
                    : root.members == nil
                        ? "write [{\"relation\": […], \"target\": {…}}]" : "write [ ] around it")
        }
        // It is not known what a file grants that is not JSON.
        if elements.isEmpty, !json.diagnostics.contains(where: { $0.severity == .error }) {
            report(
                .error, .noStatements, root.start,
                "the list has no statements, so it grants nothing",
                advice: "list the apps, or answer 404 instead of an empty list")
        }
        for (index, element) in elements.enumerated() { readStatement(element, "/\(index)") }
    }

    mutating func readStatement(_ value: JSONValue, _ pointer: String) {
        guard value.members != nil else {
            return report(
                .error, .statementShape, value.start,
                "a statement is \(value.kind), must be an object, and is skipped",
                advice: "write {\"relation\": […], \"target\": {…}}")
        }
        if let include = value.member("include") {
            if let other = value.member("target") ?? value.member("relation") {
                return report(
                    .error, .include, other.keyStart,
                    "\(quoted(other.key)) is beside include, so Google refuses the statement",
                    advice: "write two statements")
            }
            return readInclude(include)
        }
        let relations = relations(value, "\(pointer)/relation")
        guard let target = value.member("target"), target.value.members != nil else {
            return report(
                .error, .statementShape, value.start,
                "the statement has no target object, and is skipped",
                advice: "add \"target\": {\"namespace\": \"android_app\", …}")
        }
        switch target.value["namespace"]?.text {
        case "android_app":
            readApp(value, target.value, relations, pointer)
        case "web": readSite(target.value)
        case let other:
            let found = other.map { ", is \(quoted($0))" } ?? ""
            report(
                .error, .targetNamespace, target.value["namespace"]?.start ?? target.value.start,
                "the target's namespace must be \"android_app\" or \"web\"\(found)",
                advice: namespaceAdvice(other, target.value))
        }
    }

    mutating func readInclude(_ include: JSONMember) {
        let url = include.value.text.flatMap { try? WebURL($0) }
        let isSecure = url?.isSecure == true
        report(
            isSecure ? .note : .error, .include, include.value.start,
            isSecure
                ? "an include needs a fetch, and redirects are not followed"
                : "an include must be an https URL",
            advice: "write the statements into this file")
    }

    mutating func relations(_ value: JSONValue, _ pointer: String) -> [Located<String>] {
        guard let relation = value.member("relation"), let elements = relation.value.elements else {
            report(
                .error, .statementShape, value["relation"]?.start ?? value.start,
                "the statement has no array `relation`, and is skipped",
                advice: "write \"relation\": [\(quoted(AssetRelation.handleAllURLs.rawValue))]")
            return []
        }
        if elements.isEmpty {
            report(
                .error, .statementShape, relation.value.start, "relation is empty",
                advice: "add \(quoted(AssetRelation.handleAllURLs.rawValue))")
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
                    "relation \(quoted(text)) is not known to Android",
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
        let isSlash =
            site?.text.map { $0.utf8.last == UInt8(ascii: "/") && isOrigin(String($0.dropLast())) }
            ?? false
        report(
            .error, .targetSite, site?.start ?? target.start,
            isSlash
                ? "a web target's site ends with a slash, which is a path for Google"
                : "a web target's site must be an origin: only a scheme and a host",
            advice: isSlash
                ? "write it without the slash"
                : "write \"https://host\" without a path, a query or user information")
    }

    /// The namespace that was meant, according to the members next to it.
    private func namespaceAdvice(_ namespace: String?, _ target: JSONValue) -> String {
        if let namespace, let meant = nearestName(to: namespace, among: ["android_app", "web"]) {
            return didYouMean(meant)
        }
        let isSite = target["site"] != nil && target["package_name"] == nil
        return "write \"namespace\": \(isSite ? "\"web\"" : "\"android_app\"")"
    }
}

/// The relation that was meant, if the last word is similar to a known one; nil for known
/// relations, and if none is similar.
private func meantRelation(_ text: String) -> String? {
    let known = AssetRelation.allCases.map(\.rawValue)
    guard !known.contains(text) else { return nil }
    let written = lastWord(text.lowercased())
    let meant = nearestName(to: written, among: known.map(lastWord))
    guard let meant, meant.utf8.first == written.utf8.first else { return nil }
    return known.first { lastWord($0) == meant }
}

/// The text after the last full stop or slash.
private func lastWord(_ relation: String) -> String {
    relation.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }.last
        .flatMap { String($0) } ?? relation
}

/// An http or https origin, with the scheme in any letter case (RFC 3986 §3.1), and without login,
/// path, query, fragment or final slash.
private func isOrigin(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let lower = bytes.prefix(8).map(\.foldedToLowerCase)
    guard let scheme = ["https://", "http://"].first(where: { lower.starts(with: $0.utf8) }) else {
        return false
    }
    var host = bytes[scheme.utf8.count...]
    if let colon = host.lastIndex(of: UInt8(ascii: ":")) {
        let port = String(decoding: host[(colon + 1)...], as: UTF8.self)
        guard port.utf8.allSatisfy(\.isDigit), let number = UInt16(port), number > 0 else {
            return false
        }
        host = host[..<colon]
    }
    return !host.isEmpty && !host.contains { "/?#@* ".utf8.contains($0) }
}
