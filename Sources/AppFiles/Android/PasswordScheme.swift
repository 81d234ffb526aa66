import Associations
private import TLS

/// A way to encrypt with a password (RFC 8018 §6, RFC 7292 Appendix C).
enum PasswordScheme {
    /// With the number of iterations that make a key of the password.
    case known(iterations: Int)
    /// The name of another one, for people.
    case other(String)

    /// - Parameter algorithm: an `AlgorithmIdentifier` in DER.
    init(_ algorithm: [UInt8]) {
        let reader = ElementReader(bytes: algorithm)
        guard let whole = reader.element(at: 0, depth: 0),
            case let parts = reader.children(of: whole), parts.count == 2, parts[0].tag == 0x06
        else {
            self = .other("an algorithm of an unknown form")
            return
        }
        let name = Array(algorithm[parts[0].content])
        let parameters = reader.children(of: parts[1])
        if name == Self.standards + [0x05, 0x0D] {
            self = Self.second(parameters, reader)
        } else if name.starts(with: Self.standards + [0x0C, 0x01]), name.count == 10,
            let number = name.last
        {
            guard number == 3 || number == 4, parameters.count == 2,
                let count = Self.number(parameters[1], reader)
            else {
                self = .other(Self.oldNames[number] ?? "an unknown algorithm")
                return
            }
            self = .known(iterations: count)
        } else {
            self = .other("an unknown algorithm")
        }
    }

    /// PBES2: a function that makes a key, and a cipher.
    private static func second(
        _ parameters: [ElementReader.Element], _ reader: ElementReader
    ) -> PasswordScheme {
        let parts = parameters.map(reader.children)
        guard parts.count == 2, parts[0].count == 2, let cipher = parts[1].first else {
            return .other("an algorithm of an unknown form")
        }
        guard reader.isIdentifier(parts[0][0], standards + [0x05, 0x0C]) else {
            return .other("a key by another function than PBKDF2")
        }
        // With keys of 128, 192 and 256 bits.
        let sizes: [UInt8] = [0x02, 0x16, 0x2A]
        let isAES = sizes.contains { reader.isIdentifier(cipher, ciphers + [$0]) }
        guard isAES || reader.isIdentifier(cipher, tripleDES) else {
            return .other("a cipher other than AES-CBC and Triple DES")
        }
        let function = reader.children(of: parts[0][1])
        guard function.count >= 2, let count = number(function[1], reader) else {
            return .other("an algorithm of an unknown form")
        }
        return .known(iterations: count)
    }

    /// A positive number of at most four bytes.
    private static func number(
        _ element: ElementReader.Element, _ reader: ElementReader
    ) -> Int? {
        guard element.tag == 0x02, (1...4).contains(element.content.count) else { return nil }
        let value = reader.bytes[element.content].reduce(0) { $0 << 8 | Int($1) }
        return (1...Int(Int32.max)).contains(value) ? value : nil
    }

    /// The content; nil if the password is another one.
    func decrypted(_ content: [UInt8], _ algorithm: [UInt8], _ password: [UInt8]) -> [UInt8]? {
        TLS.decrypted(content, algorithm: algorithm, password: password)
    }

    /// 1.2.840.113549.1
    private static let standards: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
    /// 2.16.840.1.101.3.4.1
    private static let ciphers: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01]
    /// 1.2.840.113549.3.7
    private static let tripleDES: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x03, 0x07]
    private static let oldNames: [UInt8: String] = [
        1: "RC4 with 128 bits", 2: "RC4 with 40 bits", 5: "RC2 with 128 bits",
        6: "RC2 with 40 bits",
    ]
}
