import Diagnostics
import JSONSyntax
package import TLS
import URISyntax

/// A way for a host to show that it is ours (RFC 8555 §8).
package enum ChallengeType: String, Sendable {
    case http = "http-01"
    case alpn = "tls-alpn-01"
    /// A record in DNS that is made for each order, and removed afterwards.
    case dns = "dns-01"
    /// A record in DNS that stays (draft-ietf-acme-dns-persist).
    case persistent = "dns-persist-01"
}

/// A challenge that an authority has offered, and that is answered.
package struct Challenge: Hashable, Sendable {
    package let type: ChallengeType
    /// Empty for those that have none.
    package let token: String
    let url: String
    /// The names by which records in DNS may call the authority; none but for `persistent`.
    let issuers: [String]
    /// Whether it was answered before, and the authority is looking.
    let isProcessing: Bool

    /// Takes the first of the types that are wanted.
    /// - Throws: why there is none.
    static func choose(
        _ offered: [JSONValue], _ wanted: [ChallengeType]
    ) throws(IssuanceFault) -> Challenge {
        for type in wanted {
            guard let found = offered.first(where: { $0["type"]?.text == type.rawValue }),
                let url = found["url"]?.text
            else { continue }
            let isProcessing = found["status"]?.text == "processing"
            guard type != .persistent else {
                return Challenge(
                    type: type, token: "", url: url, issuers: try issuers(found),
                    isProcessing: isProcessing)
            }
            guard let token = found["token"]?.text else { continue }
            guard isToken(token) else {
                throw IssuanceFault(
                    .challenge, .temporary,
                    "the authority's token has other characters than those of base64url")
            }
            return Challenge(
                type: type, token: token, url: url, issuers: [], isProcessing: isProcessing)
        }
        let types = offered.compactMap { $0["type"]?.text }
        if let type = wanted.first(where: { types.contains($0.rawValue) }) {
            throw IssuanceFault(
                .challenge, .temporary,
                "the authority offers \(type.rawValue) without a "
                    + (type == .persistent ? "`url`" : "`url` or without a `token`"))
        }
        let more = types.count > typesMax ? " and \(types.count - typesMax) more" : ""
        let names = types.prefix(typesMax).map { shortened($0, scalarsMax: 40) }
        throw IssuanceFault(
            .challenge, .input,
            "the authority offers no \(wanted.map(\.rawValue).joined(separator: " or "))"
                + ", only \(names.joined(separator: ", "))\(more)")
    }

    /// - Throws: why they are none, by the draft: one to ten host names.
    private static func issuers(_ challenge: JSONValue) throws(IssuanceFault) -> [String] {
        let names = (challenge["issuer-domain-names"]?.elements ?? []).map { $0.text ?? "" }
        func refuse(_ fact: String) -> IssuanceFault {
            IssuanceFault(
                .challenge, .temporary,
                "dns-persist-01 needs 1 to \(issuersMax) host names of the authority, which it must "
                    + "send in `issuer-domain-names`; \(fact)")
        }
        guard (1...issuersMax).contains(names.count) else {
            throw refuse("it sends \(names.isEmpty ? "none" : "\(names.count)")")
        }
        if let other = names.first(where: { (try? HostName($0))?.description != $0 }) {
            throw refuse("\(quoted(shortened(other, scalarsMax: 40))) is none, in lower case")
        }
        return names
    }

    private static let typesMax = 8
    private static let issuersMax = 10

    /// The record in DNS that answers it; nil if none does.
    /// - Parameters:
    ///   - host: as it was ordered, also with a wildcard.
    ///   - account: the account's URL.
    package func record(for host: String, _ key: SigningKey, account: String?) -> ChallengeRecord? {
        let isWildcard = host.utf8.starts(with: "*.".utf8)
        let domain = isWildcard ? String(decoding: host.utf8.dropFirst(2), as: UTF8.self) : host
        switch type {
        case .http, .alpn: return nil
        case .dns:
            let text = Array("\(token).\(key.thumbprint)".utf8)
            return ChallengeRecord(
                name: "_acme-challenge.\(domain)", value: base64URL(sha256(text)))
        case .persistent:
            guard let issuer = issuers.first, let account else { return nil }
            return ChallengeRecord(
                name: "_validation-persist.\(domain)",
                value: "\(issuer); accounturi=\(account)" + (isWildcard ? "; policy=wildcard" : ""))
        }
    }
}

/// A TXT record with which a challenge is answered.
package struct ChallengeRecord: Hashable, Sendable {
    /// Without the full stop at its end.
    package let name: String
    package let value: String

    /// The work of an operator who makes it by hand, with the whole text of the record.
    package var demand: String {
        "the TXT record \(name) has to be in DNS and to stay there, with the text \"\(value)\""
    }
}

/// Whether a token has only the characters of base64url (RFC 8555 §8.1).
private func isToken(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
}
