// Version 2: a signature of twelve bytes, version and command, family and transport, the length of
// the rest, and then addresses, ports, and attributes with type, length and value.

extension ProxyHeader {
    static func readBinary(
        _ bytes: Span<UInt8>, bytesMax: Int
    ) throws(ProxyHeaderError) -> ProxyHeader? {
        for index in 0..<min(bytes.count, 12) where bytes[index] != binarySignature[index] {
            throw .noSignature
        }
        guard bytes.count > 12 else { return nil }
        guard bytes[12] >> 4 == 2 else { throw .unknownVersion }
        let command = bytes[12] & 0xF
        guard command <= 1 else { throw .unknownCommand }
        let isLocal = command == 0
        guard bytes.count > 13 else { return nil }
        let family = try isLocal ? .unspecified : Family(bytes[13])
        guard bytes.count >= 16 else { return nil }
        let length = 16 + Int(bytes[14]) << 8 + Int(bytes[15])
        guard length <= bytesMax else { throw .tooLong }
        guard length >= 16 + family.addressBytes else { throw .wrongLength }
        guard bytes.count >= length else { return nil }
        let header = bytes.extracting(0..<length)
        if family != .unspecified { try checkAttributes(header, from: 16 + family.addressBytes) }
        return ProxyHeader(source: source(header, family), length: length)
    }

    private static func source(_ header: Span<UInt8>, _ family: Family) -> Endpoint? {
        switch family {
        case .v4:
            Endpoint(
                address: IPAddress(v4: UInt32(header.number(at: 16, bytes: 4))),
                port: UInt16(header.number(at: 24, bytes: 2)))
        case .v6:
            Endpoint(
                address: IPAddress(
                    high: header.number(at: 16, bytes: 8), low: header.number(at: 24, bytes: 8)),
                port: UInt16(header.number(at: 48, bytes: 2)))
        case .local, .unspecified: nil
        }
    }

    /// Checks that the attributes end where the header ends, and that a checksum among them is
    /// correct.
    private static func checkAttributes(
        _ header: Span<UInt8>, from start: Int
    ) throws(ProxyHeaderError) {
        var index = start
        while index < header.count {
            guard index + 3 <= header.count else { throw .wrongLength }
            let value = index + 3
            let end = value + Int(header.number(at: index + 1, bytes: 2))
            guard end <= header.count else { throw .wrongLength }
            if header[index] == checksumType {
                guard end - value == 4 else { throw .wrongLength }
                let checksum = UInt32(header.number(at: value, bytes: 4))
                guard checksum == castagnoli(header, zeroing: value..<end) else {
                    throw .wrongChecksum
                }
            }
            index = end
        }
    }

    /// The kind of the addresses that follow.
    private enum Family {
        case unspecified, v4, v6
        /// A Unix socket, whose names are not addresses of clients.
        case local

        init(_ byte: UInt8) throws(ProxyHeaderError) {
            switch byte {
            case 0x00: self = .unspecified
            case 0x11: self = .v4
            case 0x21: self = .v6
            case 0x31: self = .local
            default: throw .unknownFamily
            }
        }

        var addressBytes: Int {
            switch self {
            case .unspecified: 0
            case .v4: 12
            case .v6: 36
            case .local: 216
            }
        }
    }
}

/// The type of the attribute with a checksum (PP2_TYPE_CRC32C).
private let checksumType: UInt8 = 0x03

/// CRC-32C (RFC 3720 appendix B.4) of the header, with the checksum's own bytes as zeros.
private func castagnoli(_ header: Span<UInt8>, zeroing zeros: Range<Int>) -> UInt32 {
    var remainder: UInt32 = ~0
    for index in 0..<header.count {
        remainder ^= zeros.contains(index) ? 0 : UInt32(header[index])
        for _ in 0..<8 {
            remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0x82F6_3B78 : 0)
        }
    }
    return ~remainder
}

extension Span<UInt8> {
    /// A number of up to eight bytes, the first byte highest.
    fileprivate func number(at start: Int, bytes count: Int) -> UInt64 {
        var number: UInt64 = 0
        for index in start..<start + count { number = number << 8 | UInt64(self[index]) }
        return number
    }
}
