import Associations

/// Reads the certificates of a PKCS #12 file (RFC 7292) that are not encrypted. keytool encrypts them.
enum PersonalExchange {
    /// Nil for another file. A key without a fingerprint stands for what is encrypted.
    static func keys(in bytes: [UInt8]) throws(FormatFault) -> [AppSigningKey]? {
        let reader = ElementReader(bytes: bytes)
        guard bytes.first == 0x30, let whole = reader.element(at: 0, depth: 0),
            case let parts = reader.children(of: whole), (2...3).contains(parts.count),
            parts[0].tag == 0x02, bytes[parts[0].content].elementsEqual([3]),
            case let safe = reader.children(of: parts[1]), safe.count == 2,
            reader.isIdentifier(safe[0], dataArcs)
        else { return nil }
        guard bytes.count <= AppFileLimits.keyStoreBytesMax else {
            throw FormatFault(
                "is a key store of \(bytes.count) bytes, may have \(AppFileLimits.keyStoreBytesMax)"
            )
        }
        guard let content = inner(safe[1], of: reader) else { throw damaged }
        let contents = ElementReader(bytes: content)
        guard let list = contents.element(at: 0, depth: 0) else { throw damaged }
        var (keys, isEncrypted) = ([AppSigningKey](), false)
        for part in contents.children(of: list) {
            let fields = contents.children(of: part)
            guard fields.count == 2 else { throw damaged }
            guard contents.isIdentifier(fields[0], dataArcs) else {
                isEncrypted = true
                continue
            }
            guard let bags = inner(fields[1], of: contents) else { throw damaged }
            let found = try certificates(bags)
            try KeyStore.check(keys.count + found.count, "certificates")
            keys += found.map {
                AppSigningKey(alias: nil, fingerprint: certificateFingerprint($0))
            }
        }
        if keys.isEmpty, isEncrypted { return [AppSigningKey(alias: nil, fingerprint: nil)] }
        guard !keys.isEmpty else {
            throw FormatFault(
                "is a key store without a certificate",
                advice: "give the one that signs the release")
        }
        return keys
    }

    private static let damaged = FormatFault(
        "is a damaged key store", advice: "copy it again; openssl pkcs12 -info must read it")

    /// The string in an element with an explicit tag.
    private static func inner(
        _ element: ElementReader.Element, of reader: ElementReader
    ) -> [UInt8]? {
        guard element.tag == 0xA0, let string = reader.children(of: element).first else {
            return nil
        }
        return reader.octets(of: string)
    }

    /// The certificates among the bags of a content; keys and others are left out.
    private static func certificates(_ bytes: [UInt8]) throws(FormatFault) -> [[UInt8]] {
        let reader = ElementReader(bytes: bytes)
        guard let list = reader.element(at: 0, depth: 0) else { throw damaged }
        var found = [[UInt8]]()
        for bag in reader.children(of: list) {
            let fields = reader.children(of: bag)
            guard fields.count >= 2 else { throw damaged }
            guard reader.isIdentifier(fields[0], certificateArcs) else { continue }
            guard let value = reader.children(of: fields[1]).first,
                case let parts = reader.children(of: value), parts.count == 2,
                let certificate = inner(parts[1], of: reader)
            else { throw damaged }
            found.append(certificate)
        }
        return found
    }

    /// 1.2.840.113549.1.7.1, and 1.2.840.113549.1.12.10.1.3 for a bag with a certificate.
    private static let dataArcs: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01,
    ]
    private static let certificateArcs: [UInt8] = [
        0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01, 0x03,
    ]
}
