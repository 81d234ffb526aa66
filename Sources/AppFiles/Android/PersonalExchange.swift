import Associations

/// Reads the certificates of a PKCS #12 file (RFC 7292), with its password where they are encrypted, as keytool
/// does.
struct PersonalExchange {
    private let passwords: [[UInt8]]
    /// The certificates, those of keys apart.
    private var ofKeys = [AppSigningKey]()
    private var others = [AppSigningKey]()
    /// The reason why a part is not read; nil if all are.
    private var unread: AppSigningKey.Unread?
    private var iterationsLeft = AppFileLimits.keyIterationsMax

    /// Nil for another file. A key without a fingerprint stands for what is not read.
    static func keys(
        in bytes: [UInt8], _ passwords: [[UInt8]]
    ) throws(FormatFault) -> [AppSigningKey]? {
        let reader = ElementReader(bytes: bytes)
        guard bytes.first == 0x30, let whole = reader.element(at: 0, depth: 0),
            case let parts = reader.children(of: whole), (2...3).contains(parts.count),
            parts[0].tag == 0x02, bytes[parts[0].content].elementsEqual([3]),
            case let safe = reader.children(of: parts[1]), safe.count == 2,
            reader.isIdentifier(safe[0], Arcs.data)
        else { return nil }
        guard bytes.count <= AppFileLimits.keyStoreBytesMax else {
            throw FormatFault(
                "is a key store of \(bytes.count) bytes, may have \(AppFileLimits.keyStoreBytesMax)"
            )
        }
        guard let content = inner(safe[1], of: reader) else { throw damaged }
        var exchange = PersonalExchange(passwords: passwords)
        try exchange.read(content)
        return try exchange.keys()
    }

    private init(passwords: [[UInt8]]) { self.passwords = passwords }

    private func keys() throws(FormatFault) -> [AppSigningKey] {
        let keys = ofKeys.isEmpty ? others : ofKeys
        if keys.isEmpty, let unread {
            return [AppSigningKey(alias: nil, fingerprint: nil, unread: unread)]
        }
        guard !keys.isEmpty else {
            throw FormatFault(
                "is a key store without a certificate",
                advice: "give the one that signs the release")
        }
        return keys
    }

    private static let damaged = FormatFault(
        "is a damaged key store", advice: "copy it again; openssl pkcs12 -info must read it")

    private mutating func read(_ content: [UInt8]) throws(FormatFault) {
        let contents = ElementReader(bytes: content)
        guard let list = contents.element(at: 0, depth: 0) else { throw Self.damaged }
        for part in contents.children(of: list) {
            let fields = contents.children(of: part)
            guard fields.count == 2 else { throw Self.damaged }
            if contents.isIdentifier(fields[0], Arcs.encryptedData) {
                try readEncrypted(fields[1], of: contents)
            } else if contents.isIdentifier(fields[0], Arcs.data) {
                guard let bags = Self.inner(fields[1], of: contents) else { throw Self.damaged }
                try add(Self.certificates(bags))
            } else {
                unread = .algorithm("a public key")
            }
        }
    }

    // MARK: What is encrypted

    /// Reads encrypted content (RFC 5652 §8).
    private mutating func readEncrypted(
        _ element: ElementReader.Element, of reader: ElementReader
    ) throws(FormatFault) {
        guard let data = reader.children(of: element).first,
            let info = reader.children(of: data).last,
            case let parts = reader.children(of: info), parts.count == 3,
            let content = reader.implicitOctets(of: parts[2])
        else { throw Self.damaged }
        let algorithm = reader.wholes(in: info)[1]
        let scheme = PasswordScheme(algorithm)
        guard case .known(let iterations) = scheme else {
            if case .other(let name) = scheme { unread = .algorithm(name) }
            return
        }
        guard !passwords.isEmpty else { return unread = .needsPassword }
        iterationsLeft -= iterations * passwords.count
        guard iterationsLeft >= 0 else {
            throw FormatFault(
                "has an encryption of \(iterations) iterations"
                    + (passwords.count > 1 ? " for each of \(passwords.count) passwords" : "")
                    + ", may have \(AppFileLimits.keyIterationsMax) in all",
                advice: "give the certificate: keytool -exportcert -rfc writes it")
        }
        for password in passwords {
            if let bags = scheme.decrypted(content, algorithm, password),
                let found = try? Self.certificates(bags)
            {
                return try add(found)
            }
        }
        throw FormatFault(
            "is a key store with another password, or is damaged",
            advice: "write its password into the file that --password-file names")
    }

    // MARK: Bags

    private mutating func add(_ bags: [Bag]) throws(FormatFault) {
        for bag in bags {
            let key = AppSigningKey(alias: bag.alias, bag.certificate)
            if bag.isOfKey { ofKeys.append(key) } else { others.append(key) }
        }
        try KeyStore.check(ofKeys.count + others.count, "certificates")
    }

    /// A certificate, with the name that people gave it.
    private struct Bag {
        let certificate: [UInt8]
        let alias: String?
        /// Whether a key of the file has the same number.
        let isOfKey: Bool
    }

    /// The certificates among the bags of a content; keys and others are left out.
    private static func certificates(_ bytes: [UInt8]) throws(FormatFault) -> [Bag] {
        let reader = ElementReader(bytes: bytes)
        guard bytes.first == 0x30, let list = reader.element(at: 0, depth: 0),
            list.end == bytes.count
        else { throw damaged }
        var found = [Bag]()
        for bag in reader.children(of: list) {
            let fields = reader.children(of: bag)
            guard fields.count >= 2 else { throw damaged }
            guard reader.isIdentifier(fields[0], Arcs.certificate) else { continue }
            guard let value = reader.children(of: fields[1]).first,
                case let parts = reader.children(of: value), parts.count == 2,
                let certificate = inner(parts[1], of: reader)
            else { throw damaged }
            let attributes = fields.count > 2 ? reader.children(of: fields[2]) : []
            let named = { (arcs: [UInt8]) -> ElementReader.Element? in
                attributes.lazy.map(reader.children).first {
                    $0.count == 2 && reader.isIdentifier($0[0], arcs)
                }.flatMap { reader.children(of: $0[1]).first }
            }
            found.append(
                Bag(
                    certificate: certificate,
                    alias: named(Arcs.friendlyName).map { reader.wideText(of: $0) },
                    isOfKey: named(Arcs.localKey) != nil))
        }
        return found
    }

    /// The string in an element with an explicit tag.
    private static func inner(
        _ element: ElementReader.Element, of reader: ElementReader
    ) -> [UInt8]? {
        guard element.tag == 0xA0, let string = reader.children(of: element).first else {
            return nil
        }
        return reader.octets(of: string)
    }

    /// Object identifiers (RFC 2985, RFC 7292).
    private enum Arcs {
        private static let standards: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
        /// 1.2.840.113549.1.7.1
        static let data = standards + [0x07, 0x01]
        /// 1.2.840.113549.1.7.6
        static let encryptedData = standards + [0x07, 0x06]
        /// 1.2.840.113549.1.12.10.1.3
        static let certificate = standards + [0x0C, 0x0A, 0x01, 0x03]
        /// 1.2.840.113549.1.9.20
        static let friendlyName = standards + [0x09, 0x14]
        /// 1.2.840.113549.1.9.21
        static let localKey = standards + [0x09, 0x15]
    }
}

extension ElementReader {
    /// The octets of an element with an implicit tag, also in pieces.
    fileprivate func implicitOctets(of element: Element) -> [UInt8]? {
        switch element.tag {
        case 0x80: Array(bytes[element.content])
        case 0xA0: children(of: element).reduce(into: [UInt8]()) { $0 += bytes[$1.content] }
        default: nil
        }
    }

    /// A text of UTF-16 units, the most significant byte first.
    fileprivate func wideText(of element: Element) -> String {
        let content = Array(bytes[element.content])
        let units = stride(from: 0, to: content.count - 1, by: 2).map {
            UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
