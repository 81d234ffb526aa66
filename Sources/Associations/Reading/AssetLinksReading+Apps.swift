internal import Diagnostics
import JSONSyntax

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
                "the target has no package_name",
                advice: "copy the applicationId from the app's build.gradle")
            return nil
        }
        do throws(AndroidIdentifierError) {
            _ = try AndroidPackage(name)
        } catch {
            report(
                .error, .packageName, value.start, "\(error)",
                advice: "copy the applicationId from the app's build.gradle, such as "
                    + "com.example.app")
        }
        return Located(value: name, start: value.start, pointer: pointer)
    }

    mutating func fingerprints(_ target: JSONValue, _ pointer: String) -> [Located<String>] {
        let member = target.member("sha256_cert_fingerprints")
        guard let elements = member?.value.elements, !elements.isEmpty else {
            report(
                .error, .fingerprints, member?.value.start ?? target.start,
                member == nil
                    ? "the target has no sha256_cert_fingerprints"
                    : "sha256_cert_fingerprints must be an array with at least one fingerprint",
                advice: member?.value.text.map { "write [\(quoted($0))]" } ?? Self.copyAdvice)
            return []
        }
        var found = [Located<String>]()
        for (index, element) in elements.enumerated() {
            reportFingerprint(element)
            guard let text = element.text else { continue }
            found.append(Located(value: text, start: element.start, pointer: "\(pointer)/\(index)"))
        }
        return found
    }

    mutating func reportFingerprint(_ value: JSONValue) {
        guard let text = value.text else {
            return report(
                .error, .fingerprintForm, value.start,
                "a fingerprint is \(value.kind), must be a string", advice: Self.copyAdvice)
        }
        if let placeholder = FingerprintPlaceholder(text) {
            return report(
                placeholder.severity, .fingerprintPlaceholder, value.start, placeholder.message,
                advice: Self.copyAdvice)
        }
        if let known = KnownFingerprint(text.uppercased()) {
            report(.warning, known.rule, value.start, known.message, advice: known.advice)
        }
        do throws(AndroidIdentifierError) {
            _ = try CertificateFingerprint(text)
        } catch {
            if (try? CertificateFingerprint(text.uppercased())) != nil {
                return report(
                    .warning, .fingerprintCase, value.start,
                    "the fingerprint is in lower case, which Google's tests reject",
                    advice: "write it in upper case")
            }
            report(
                .error, .fingerprintForm, value.start, "\(lengthFault(text) ?? error)",
                advice: Self.copyAdvice)
        }
    }

    private static let copyAdvice =
        "copy the SHA-256 certificate fingerprint from Play Console › App integrity"

    /// A fingerprint in lower-case letters may also have the wrong length.
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

    mutating func report(
        _ severity: Severity, _ rule: RuleName, _ start: TextPosition, _ message: String,
        advice: String
    ) {
        // If the syntax is faulty, a missing member may have been lost in reading.
        guard rule != .statementShape || json.isShapeCertain else { return }
        let position = SourcePosition(file: file, line: start.line, column: start.column)
        found.add(Diagnostic(severity, rule, at: position, message, advice: advice))
    }
}
