internal import Diagnostics
private import URISyntax

// Statements about Android apps: their package and their keys.

extension AssetLinksReading {
    mutating func readApp(
        _ statement: JSONValue, _ target: JSONValue, _ relations: [Located<String>],
        _ pointer: String
    ) {
        let dynamic = dynamicComponents(statement, relations, pointer)
        statements.append(
            StatementReading(
                start: statement.start, pointer: pointer, relations: relations,
                package: packageName(target, "\(pointer)/target/package_name"),
                fingerprints: fingerprints(target, "\(pointer)/target/sha256_cert_fingerprints"),
                dynamicComponents: dynamic))
    }

    mutating func packageName(_ target: JSONValue, _ pointer: String) -> Located<String>? {
        guard let value = target["package_name"], let name = value.text else {
            report(
                .error, .packageName, target["package_name"]?.start ?? target.start,
                "the target has no package_name")
            return nil
        }
        do throws(AndroidIdentifierError) {
            _ = try AndroidPackage(name)
        } catch {
            report(.error, .packageName, value.start, "\(error)")
        }
        return Located(value: name, start: value.start, pointer: pointer)
    }

    mutating func fingerprints(
        _ target: JSONValue, _ pointer: String
    ) -> [Located<String>] {
        let member = target.member("sha256_cert_fingerprints")
        guard let elements = member?.value.elements, !elements.isEmpty else {
            report(
                .error, .fingerprints, member?.value.start ?? target.start,
                member == nil
                    ? "the target has no sha256_cert_fingerprints"
                    : "sha256_cert_fingerprints must be an array with at least one fingerprint")
            return []
        }
        var found = [Located<String>]()
        for (index, element) in elements.enumerated() {
            reportFingerprint(element)
            guard let text = element.text else { continue }
            found.append(
                Located(value: text, start: element.start, pointer: "\(pointer)/\(index)"))
        }
        return found
    }

    mutating func reportFingerprint(_ value: JSONValue) {
        guard let text = value.text else {
            return report(
                .error, .fingerprintForm, value.start,
                "a fingerprint is \(value.kind), must be a string")
        }
        if let placeholder = placeholder(text) {
            // Test suites sign with keys whose fingerprints are 11:11:… and 22:22:…
            let isTest = text.utf8.allSatisfy { (0x31...0x39).contains($0) || $0 == 0x3A }
            return report(
                isTest ? .warning : .error, .fingerprintPlaceholder, value.start, placeholder)
        }
        do throws(AndroidIdentifierError) {
            _ = try CertificateFingerprint(text)
        } catch {
            if (try? CertificateFingerprint(text.uppercased())) != nil {
                return report(
                    .warning, .fingerprintCase, value.start,
                    "the fingerprint has small letters, which Google's tests call malformed",
                    advice: "write it in capital letters")
            }
            report(
                .error, .fingerprintForm, value.start, "\(lengthFault(text) ?? error)",
                advice: "copy the SHA-256 certificate fingerprint from Play Console › App integrity"
            )
        }
    }

    /// Of a fingerprint in small letters, that its length is wrong besides.
    func lengthFault(_ text: String) -> AndroidIdentifierError? {
        do throws(AndroidIdentifierError) {
            _ = try CertificateFingerprint(text.uppercased())
        } catch {
            if case .fingerprintLength(_, let octets) = error {
                return .fingerprintLength(text, octets: octets)
            }
        }
        return nil
    }

    func placeholder(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let digits = bytes.filter { $0 != UInt8(ascii: ":") }
        if isPattern(digits) {
            return "fingerprint \(quoted(text)) is a placeholder: digits in a pattern"
        }
        guard CertificateFingerprint.mended(text) == nil else { return nil }
        let letters = digits.filter(\.isLetter)
        let isWord = letters.contains { $0 & 0xDF > UInt8(ascii: "F") }
        guard isWord || bytes.contains(where: { "<>{}$".utf8.contains($0) }) else { return nil }
        return "fingerprint \(quoted(text)) is a placeholder, no hexadecimal digits"
    }

    mutating func report(
        _ severity: Severity, _ rule: FileRule, _ start: TextPosition, _ message: String,
        advice: String? = nil
    ) {
        guard diagnostics.count < findingsMax else {
            leftOut += 1
            return
        }
        // What is missing may be lost with the syntax.
        guard rule != .statementShape || json.isShapeCertain else { return }
        let place = SourcePlace(file: file, line: start.line, column: start.column)
        diagnostics.append(
            Diagnostic(severity, rule.rawValue, at: place, message, advice: advice))
    }
}

/// One digit all through, or each twice: `AA:AA:AA`, `AA:BB:CC`.
private func isPattern(_ digits: [UInt8]) -> Bool {
    guard digits.count >= 16, digits.count % 2 == 0 else { return false }
    return stride(from: 0, to: digits.count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
}
