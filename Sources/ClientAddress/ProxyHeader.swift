/// The header of the PROXY protocol, versions 1 and 2, which a proxy sends first to report whose
/// connection it forwards (HAProxy, "The PROXY protocol", 2.1 and 2.2).
///
/// A receiver must not guess whether there is a header. Read one only if the configuration requires
/// it, and close a connection that begins without one.
package struct ProxyHeader: Hashable, Sendable {
    /// The client behind the proxy; nil if the proxy does not report it, or sends its own request.
    /// Then the peer is the client.
    package let source: Endpoint?
    /// The number of bytes of the header.
    package let length: Int

    /// An address and a port.
    package struct Endpoint: Hashable, Sendable {
        package let address: IPAddress
        package let port: UInt16
    }

    /// Reads the header at the start of `bytes`; nil if more must arrive.
    /// - Parameter bytesMax: the limit on the header's length.
    /// - Throws: an error as soon as the bytes cannot be a header.
    package static func read(
        _ bytes: Span<UInt8>, bytesMax: Int
    ) throws(ProxyHeaderError) -> ProxyHeader? {
        guard bytes.count > 0 else { return nil }
        if bytes[0] == binarySignature[0] { return try readBinary(bytes, bytesMax: bytesMax) }
        return try readText(bytes)
    }
}

/// The reason why bytes are not a header of the PROXY protocol.
package enum ProxyHeaderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// They begin like neither version.
    case noSignature
    /// More than 107 bytes without a line end, or a line end that is not CR LF (version 1).
    case unendedLine
    case malformedLine
    case unknownVersion
    case unknownCommand
    /// An address family or transport that TCP does not have.
    case unknownFamily
    /// Fewer bytes than the addresses need, or attributes that do not end with the header.
    case wrongLength
    case tooLong
    case wrongChecksum

    /// A message for the operator.
    package var description: String {
        switch self {
        case .noSignature: "neither version begins like this"
        case .unendedLine: "its line does not end with CR LF within 107 bytes"
        case .malformedLine: "its line is not one of version 1"
        case .unknownVersion: "its version is neither 1 nor 2"
        case .unknownCommand: "its command is neither LOCAL nor PROXY"
        case .unknownFamily: "its address family is not one of TCP"
        case .wrongLength: "its length does not fit its content"
        case .tooLong: "it is too long"
        case .wrongChecksum: "its checksum is wrong"
        }
    }
}

/// The first bytes of version 2. No text and no TLS record begins with them.
let binarySignature: [12 of UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
]
