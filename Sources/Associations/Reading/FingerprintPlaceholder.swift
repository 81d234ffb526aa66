package import Diagnostics
private import URISyntax

/// A text in place of a fingerprint that no key has.
package struct FingerprintPlaceholder {
    package let severity: Severity
    package let message: String

    /// Nil for a text that may be a fingerprint, or an attempt to write one.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let digits = bytes.filter { $0 != UInt8(ascii: ":") }
        // Test suites sign with keys whose fingerprints are 11:11:… and 22:22:…
        let isTest = digits.allSatisfy { (0x31...0x39).contains($0) }
        severity = isTest ? .warning : .error
        if isPattern(digits) {
            message =
                "fingerprint \(quoted(text)) is a placeholder: its digits are in a regular order"
            return
        }
        guard CertificateFingerprint.mended(text) == nil else { return nil }
        let letters = digits.filter(\.isLetter)
        let isWord = letters.contains { $0 & 0xDF > UInt8(ascii: "F") }
        guard isWord || bytes.contains(where: { "<>{}$".utf8.contains($0) }) else { return nil }
        message = "fingerprint \(quoted(text)) is a placeholder without hexadecimal digits"
    }
}

/// Longer texts are no attempt at a fingerprint of 64 digits, and each period of them would take its
/// time.
private let patternDigitsMax = 512

/// Each digit twice (`AA:BB:CC`), a few octets that repeat (`AB:CD:AB:CD`), or octets that count
/// (`00:01:02`). A hash has no such pattern by chance.
private func isPattern(_ digits: [UInt8]) -> Bool {
    guard (16...patternDigitsMax).contains(digits.count), digits.count % 2 == 0 else {
        return false
    }
    let pairs = stride(from: 0, to: digits.count, by: 2)
    if pairs.allSatisfy({ digits[$0] == digits[$0 + 1] }) { return true }
    let comesAgain = (1...digits.count / 2).contains { period in
        digits.dropFirst(period).elementsEqual(digits.dropLast(period))
    }
    if comesAgain { return true }
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.count else { return false }
    let octets = pairs.map { values[$0] << 4 | values[$0 + 1] }
    return [1, 0xFF].contains { step in
        zip(octets, octets.dropFirst()).allSatisfy { $1 == $0 &+ step }
    }
}
