package import Passkeys
package import TLS
import URISyntax

/// An authenticator with one credential of ES256, whose answers a test can spoil.
package struct TestAuthenticator {
    package static let host = "links.example.com"
    package static let origin = "https://links.example.com:8443"
    package static let challenge = [UInt8](0..<32)

    package let key: SigningKey
    package var id: [UInt8] = Array("a credential".utf8)
    package var host = Self.host
    /// Present and verified.
    package var flags: UInt8 = 0b101
    package var counter: UInt32 = 0
    package var type: String?
    package var origin = Self.origin
    package var challenge = Self.challenge
    /// Further members of the client data.
    package var more = ""
    /// Of the key.
    package var algorithm = -7

    package init() throws { key = try SigningKey() }

    package func clientData(_ ceremony: String) -> [UInt8] {
        Array(
            (#"{"type":"\#(type ?? "webauthn.\(ceremony)")","challenge":"\#(base64URL(challenge))","#
                + #""origin":"\#(origin)"\#(more)}"#).utf8)
    }

    private func data(_ flags: UInt8, _ rest: [UInt8] = []) -> [UInt8] {
        sha256(Array(host.utf8)) + [flags] + (0..<4).map { UInt8(counter >> (24 - 8 * $0) & 255) }
            + rest
    }

    /// The data of a registration.
    package func created(_ extra: [UInt8] = []) -> [UInt8] {
        let cose = CBOR.map([
            (.integer(1), .integer(2)), (.integer(3), .integer(algorithm)),
            (.integer(-1), .integer(1)), (.integer(-2), .bytes(key.x)),
            (.integer(-3), .bytes(key.y)),
        ]).encoded
        return data(
            flags | 0x40,
            [UInt8](repeating: 7, count: 16) + [UInt8(id.count >> 8), UInt8(id.count & 255)] + id
                + cose + extra)
    }

    package func attestation(of data: [UInt8]) -> [UInt8] {
        CBOR.map([
            (.text("fmt"), .text("none")), (.text("attStmt"), .map([])),
            (.text("authData"), .bytes(data)),
        ]).encoded
    }

    package func register(_ party: RelyingParty = .test) throws(PasskeyFault) -> Passkey {
        try party.register(
            clientData: clientData("create"), attestation: attestation(of: created()),
            challenge: Self.challenge)
    }

    package func answer(userHandle: [UInt8]? = nil) throws -> PasskeyAnswer {
        let (client, data) = (clientData("get"), data(flags))
        let numbers = try key.sign(data + sha256(client))
        let halves = [numbers[..<32], numbers[32...]].flatMap { half in
            let digits = Array(half.drop { $0 == 0 })
            let padded = (digits[0] >= 0x80 ? [0] : []) + digits
            return [2, UInt8(padded.count)] + padded
        }
        return PasskeyAnswer(
            clientData: client, authenticatorData: data,
            signature: [0x30, UInt8(halves.count)] + halves, userHandle: userHandle)
    }
}

extension RelyingParty {
    package static let test = RelyingParty(
        host: TestAuthenticator.host, origin: TestAuthenticator.origin)
}

/// What an authenticator writes.
indirect enum CBOR {
    case integer(Int), bytes([UInt8]), text(String), map([(CBOR, CBOR)])

    var encoded: [UInt8] {
        switch self {
        case .integer(let number):
            Self.head(number < 0 ? 1 : 0, number < 0 ? -1 - number : number)
        case .bytes(let bytes): Self.head(2, bytes.count) + bytes
        case .text(let text): Self.head(3, text.utf8.count) + Array(text.utf8)
        case .map(let members):
            Self.head(5, members.count) + members.flatMap { $0.encoded + $1.encoded }
        }
    }

    private static func head(_ type: UInt8, _ value: Int) -> [UInt8] {
        switch value {
        case ..<24: [type << 5 | UInt8(value)]
        case ..<256: [type << 5 | 24, UInt8(value)]
        default: [type << 5 | 25, UInt8(value >> 8), UInt8(value & 255)]
        }
    }
}
