import Markup

/// The bytes of a file in memory, and what had to be found out from them.
final class FileBytes: Sendable {
    let bytes: [UInt8]
    /// The content's hash, of which 128 bits are enough.
    let tag: String
    let isNotIndexed: Bool

    init(_ bytes: [UInt8], _ directory: PublicDirectory, _ isHTML: Bool) {
        self.bytes = bytes
        tag = directory.tag(of: bytes)
        isNotIndexed = isHTML && saysNoIndex(bytes)
    }
}

/// Whether a page asks search engines not to list it.
func saysNoIndex(_ html: [UInt8]) -> Bool {
    for token in HTMLTokenizer(html) {
        guard case .startTag(let tag) = token.kind else { continue }
        if tag.name == "body" { return false }
        guard tag.name == "meta", tag["name"]?.lowercased() == "robots" else { continue }
        return tag["content"]?.lowercased().utf8.contains("noindex".utf8) ?? false
    }
    return false
}
