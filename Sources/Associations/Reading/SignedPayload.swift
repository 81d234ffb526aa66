import Diagnostics
package import JSONSyntax

/// The content of a CMS SignedData message (RFC 5652 §5.1), in which systems of the iOS 8 era
/// received association files. Its signature is not verified.
package struct SignedPayload: Sendable {
    package let content: [UInt8]

    /// Whether the bytes begin like DER or BER, and therefore cannot be JSON.
    package static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes[0] == Tag.sequence && bytes[1] >= 0x80 && bytes[1] <= 0x84
    }

    /// Whether the bytes begin like a text that holds such a message: in PEM form (RFC 7468), or as
    /// mail (RFC 8551), which is what `openssl smime -sign` writes by default. No system reads it.
    package static func isText(_ bytes: [UInt8]) -> Bool {
        ["-----BEGIN ", "MIME-Version:"].contains { bytes.starts(with: $0.utf8) }
    }

    /// Nil for data that is not SignedData with its content. Lengths may be indefinite and strings
    /// divided, as streaming signers write them.
    package init?(_ bytes: [UInt8]) {
        let reader = ElementReader(bytes: bytes)
        guard let message = reader.element(at: 0, depth: 0), message.tag == Tag.sequence else {
            return nil
        }
        let outer = reader.children(of: message)
        guard outer.count == 2, reader.isIdentifier(outer[0], signedDataArcs),
            outer[1].tag == Tag.explicit, let signed = reader.children(of: outer[1]).first,
            signed.tag == Tag.sequence
        else { return nil }
        // Version, digest algorithms, and the signed content.
        let parts = reader.children(of: signed)
        guard parts.count >= 3, parts[2].tag == Tag.sequence else { return nil }
        let inner = reader.children(of: parts[2])
        guard inner.count == 2, reader.isIdentifier(inner[0], dataArcs),
            inner[1].tag == Tag.explicit, let string = reader.children(of: inner[1]).first
        else { return nil }
        guard let content = reader.octets(of: string) else { return nil }
        self.content = content
    }
}

extension SignedPayload {
    /// The finding about bytes that are signed, or look like it; nil for others.
    fileprivate static func refusal(of bytes: [UInt8], at start: SourcePosition) -> Diagnostic? {
        if isLikely(bytes) {
            return Diagnostic(
                .error, .jsonSyntax, at: start,
                "file is binary (DER) like a signed file, but has no readable content",
                advice: "it is incomplete, or signs no content: sign it again, or serve plain JSON")
        }
        if isText(bytes) {
            return Diagnostic(
                .error, .jsonSyntax, at: start,
                "file is \(bytes.first == UInt8(ascii: "-") ? "PEM" : "S/MIME") text, in which "
                    + "systems read neither JSON nor a signed file",
                advice: "serve plain JSON, which needs no signature; a signed file is in DER form: "
                    + "sign it with openssl smime -sign -nodetach -outform DER")
        }
        return nil
    }
}

extension JSONDocument {
    /// Reads the text of an association file. A signed file whose content cannot be read gets a finding of its own
    /// instead of those of faulty JSON.
    /// - Parameter file: the file name of the positions.
    package init(associations bytes: [UInt8], file: String) {
        self.init(bytes, file: file, refuse: SignedPayload.refusal)
    }
}

/// Tags of ASN.1 (X.690 §8.1).
enum Tag {
    static let octets: UInt8 = 0x04
    static let identifier: UInt8 = 0x06
    static let octetsInPieces: UInt8 = 0x24
    static let sequence: UInt8 = 0x30
    static let explicit: UInt8 = 0xA0
    static let isConstructed: UInt8 = 0x20
}

/// 1.2.840.113549.1.7.2, and after it 1.2.840.113549.1.7.1.
private let signedDataArcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

private let dataArcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
