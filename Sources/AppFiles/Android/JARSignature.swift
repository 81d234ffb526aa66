import Associations
private import TLS

/// The signatures of the first scheme, which are files of an archive (Java, "JAR File Specification").
/// App bundles have no others.
enum JARSignature {
    /// The certificate of each signer, each once.
    static func certificates(in archive: ZipArchive) throws(FormatFault) -> [APKCertificate] {
        let names = archive.names.filter(isSignature).sorted()
        guard names.count <= AppFileLimits.certificatesMax else {
            throw FormatFault(
                "has \(names.count) signatures, may have \(AppFileLimits.certificatesMax)")
        }
        var found = [APKCertificate]()
        for name in names {
            let bytes = try archive.member(name).readWhole(
                bytesMax: AppFileLimits.signatureFileBytesMax)
            guard let certificate = signer(of: bytes) else {
                throw FormatFault("has a damaged signature \(name)")
            }
            let next = APKCertificate(scheme: 1, certificate)
            if !found.contains(next) { found.append(next) }
        }
        return found
    }

    private static func isSignature(_ name: String) -> Bool {
        let path = name.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        let start = Array("meta-inf/".utf8)
        guard path.starts(with: start), !path[start.count...].contains(UInt8(ascii: "/")) else {
            return false
        }
        return [".rsa", ".dsa", ".ec"].contains {
            path.suffix($0.utf8.count).elementsEqual($0.utf8)
        }
    }

    /// The certificate of the first signer of a CMS message without content (RFC 5652 §5).
    private static func signer(of bytes: [UInt8]) -> [UInt8]? {
        let reader = ElementReader(bytes: bytes)
        guard let message = reader.element(at: 0, depth: 0),
            let explicit = reader.children(of: message).last, explicit.tag == 0xA0,
            let signed = reader.children(of: explicit).first
        else { return nil }
        let parts = reader.children(of: signed)
        guard let list = parts.first(where: { $0.tag == 0xA0 }),
            let signers = parts.last, signers.tag == 0x31,
            let signer = reader.children(of: signers).first
        else { return nil }
        let certificates = reader.wholes(in: list)
        let fields = reader.children(of: signer)
        guard fields.count > 1, fields[1].tag == 0x30 else {
            // Another way to name the certificate; with only one there is no question.
            return certificates.count == 1 ? certificates.first : nil
        }
        let named = reader.wholes(in: fields[1])
        return certificates.first { issuerAndSerial($0) == named }
    }

    /// The issuer and the serial number, by which a signer names a certificate (RFC 5652 §10.2.4).
    private static func issuerAndSerial(_ certificate: [UInt8]) -> [[UInt8]]? {
        let reader = ElementReader(bytes: certificate)
        guard let whole = reader.element(at: 0, depth: 0),
            let content = reader.children(of: whole).first
        else { return nil }
        var fields = reader.wholes(in: content)
        // Only the first version leaves its number out.
        if fields.first?.first == 0xA0 { fields.removeFirst() }
        return fields.count > 2 ? [fields[2], fields[0]] : nil
    }
}

extension ElementReader {
    /// The elements of which one consists, with their tags and lengths.
    func wholes(in element: Element) -> [[UInt8]] {
        var start = element.content.lowerBound
        return children(of: element).map { child in
            defer { start = child.end }
            return Array(bytes[start..<child.end])
        }
    }
}

/// The SHA-256 of a certificate, as `assetlinks.json` has it.
func certificateFingerprint(_ certificate: [UInt8]) -> String {
    sha256(certificate).map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
}
