private import URISyntax

/// The paths that the intent filters of an app take on one host: those of any pattern.
package struct ManifestPaths: Hashable, Sendable {
    /// Whether a filter takes every path, because it has none.
    package var takesAll: Bool
    /// Each once, in the order of the manifest.
    package private(set) var patterns: [AndroidPattern]

    package init(takesAll: Bool = false, _ patterns: [AndroidPattern] = []) {
        self.takesAll = takesAll
        var seen = Set<AndroidPattern>()
        self.patterns = patterns.filter { seen.insert($0).inserted }
    }
}

/// A part of a URL as Android decodes it; nil for escapes that are malformed or not UTF-8, which it
/// replaces.
func androidText(_ part: String) -> [UInt16]? {
    guard part.utf8.contains(UInt8(ascii: "%")) else { return Array(part.utf16) }
    var (bytes, written) = ([UInt8](), Array(part.utf8)[...])
    while let byte = written.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = written.popFirst()?.hexDigitValue,
            let low = written.popFirst()?.hexDigitValue
        else { return nil }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self).map { Array($0.utf16) }
}
