package import Diagnostics
private import URISyntax

/// A text that stands where a fingerprint belongs, and is that of no key.
package struct FingerprintPlaceholder {
    package let severity: Severity
    package let message: String

    /// Nil for what may be a fingerprint, or somebody's attempt to write one.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = bytes.filter { $0 != UInt8(ascii: ":") }
        // Test suites sign with keys whose fingerprints are 11:11:… and 22:22:…
        let isTest = digits.allSatisfy { (0x31...0x39).contains($0) }
        severity = isTest ? .warning : .error
        if isPattern(digits) {
            message = "fingerprint \(quoted(text)) is a placeholder: digits in a pattern"
            return
        }
        guard CertificateFingerprint.mended(text) == nil else { return nil }
        let letters = digits.filter(\.isLetter)
        let isWord = letters.contains { $0 & 0xDF > UInt8(ascii: "F") }
        guard isWord || bytes.contains(where: { "<>{}$".utf8.contains($0) }) else { return nil }
        message = "fingerprint \(quoted(text)) is a placeholder, no hexadecimal digits"
    }
}

/// One digit all through, or each twice: `AA:AA:AA`, `AA:BB:CC`.
private func isPattern(_ digits: [UInt8]) -> Bool {
    guard digits.count >= 16, digits.count % 2 == 0 else { return false }
    return stride(from: 0, to: digits.count, by: 2).allSatisfy { digits[$0] == digits[$0 + 1] }
}
