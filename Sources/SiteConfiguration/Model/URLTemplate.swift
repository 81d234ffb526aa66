private import Diagnostics
private import URISyntax

/// A URL in which `{1}` stands for what the first `*` of a link's pattern took.
///
/// Scheme, host and port never hold a placeholder: no request chooses where a visitor is sent.
package struct URLTemplate: Hashable, Sendable {
    /// As written.
    package let text: String
    package let parts: [Part]

    /// What stands in the URL, one behind the other.
    package enum Part: Hashable, Sendable {
        case literal(String)
        /// What the star of this number took, counted from 1.
        case star(Int)
    }

    /// The greatest number of a placeholder, 0 where there is none.
    package var starsNeeded: Int {
        parts.map { if case .star(let number) = $0 { number } else { 0 } }.max() ?? 0
    }

    /// Nil where `fault(of:)` names a fault.
    package init?(_ text: String) {
        guard let parts = Self.parts(of: text), Self.fault(of: parts) == nil else { return nil }
        self.text = text
        self.parts = parts
    }

    static func fault(of text: String) -> Fault? {
        guard let parts = parts(of: text) else {
            return Fault(
                rule: .placeholder, message: "\(quoted(text)) holds braces that are no placeholder",
                advice: "write {1} to {9}, or %7B and %7D for braces")
        }
        return fault(of: parts)
    }

    private static func fault(of parts: [Part]) -> Fault? {
        // Any star is as good as this one: it may hold nothing that ends a part of a URL.
        let sample = parts.map { if case .literal(let text) = $0 { text } else { "x" } }.joined()
        if let fault = Format.urlFault(sample) { return fault }
        guard case .literal(let head) = parts.first, let url = try? WebURL(sample),
            parts.count == 1 || head.utf8.count > url.originBytes
        else {
            return Fault(
                rule: .placeholder, message: "a placeholder may not stand in the URL's host",
                advice: "write the host out, and a / behind it")
        }
        return nil
    }

    /// Nil where a brace is no end of a placeholder.
    private static func parts(of text: String) -> [Part]? {
        var parts = [Part]()
        var literal = [UInt8]()
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "{") {
                guard let digit = rest.popFirst(), (0x31...0x39).contains(digit),
                    rest.popFirst() == UInt8(ascii: "}")
                else { return nil }
                parts += Self.literal(literal)
                parts.append(.star(Int(digit - 0x30)))
                literal = []
            } else if byte == UInt8(ascii: "}") {
                return nil
            } else {
                literal.append(byte)
            }
        }
        return parts + Self.literal(literal)
    }

    private static func literal(_ bytes: [UInt8]) -> [Part] {
        bytes.isEmpty ? [] : [.literal(String(decoding: bytes, as: UTF8.self))]
    }
}
