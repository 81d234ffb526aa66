/// The header that a proxy sends before everything else to tell whose connection it passes on:
/// PROXY protocol, versions 1 and 2 (HAProxy, "The PROXY protocol", 2.1 and 2.2).
///
/// A receiver must not guess whether there is one: ask for it where the configuration says so, and
/// end the connection where what comes is none.
package struct ProxyHeader: Hashable, Sendable {
    /// Who is behind the proxy; nil where the proxy does not tell, or asks on its own behalf. Then
    /// the peer is the client.
    package let source: Endpoint?
    /// How many bytes the header fills.
    package let length: Int

    /// An address and a port.
    package struct Endpoint: Hashable, Sendable {
        package let address: IPAddress
        package let port: UInt16
    }

    /// Reads the header that begins at the start of `bytes`; nil when more must come.
    /// - Parameter bytesMax: a longer header is refused, once its length is known.
    /// - Throws: as soon as what has come can be no header.
    package static func read(
        _ bytes: Span<UInt8>, bytesMax: Int
    ) throws(ProxyHeaderError) -> ProxyHeader? {
        guard bytes.count > 0 else { return nil }
        if bytes[0] == binarySignature[0] {
            return try readBinary(bytes, bytesMax: bytesMax)
        }
        return try readText(bytes)
    }
}

/// Why bytes are not a header of the PROXY protocol.
package enum ProxyHeaderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// They begin as neither version does.
    case noSignature
    /// More than 107 bytes without an end, or an end that is not CR LF (version 1).
    case unendedLine
    case malformedLine
    case unknownVersion
    case unknownCommand
    /// An address family or transport that no TCP connection has.
    case unknownFamily
    /// Fewer bytes than the addresses take, or attributes that do not fill what is left.
    case wrongLength
    case tooLong
    case wrongChecksum

    /// Worded for the operator.
    package var description: String {
        switch self {
        case .noSignature: "neither version of it begins so"
        case .unendedLine: "its line does not end with CR LF within 107 bytes"
        case .malformedLine: "its line is not one of version 1"
        case .unknownVersion: "its version is neither 1 nor 2"
        case .unknownCommand: "its command is neither LOCAL nor PROXY"
        case .unknownFamily: "its address family is none that TCP has"
        case .wrongLength: "its length does not fit what it holds"
        case .tooLong: "it is longer than may be"
        case .wrongChecksum: "its checksum is wrong"
        }
    }
}

/// Version 2's first bytes, which no text and no TLS begin with.
let binarySignature: [12 of UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
]
