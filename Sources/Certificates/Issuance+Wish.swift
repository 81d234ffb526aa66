import Diagnostics

extension Issuance {
    /// The contents of an order, besides its host.
    package struct Wish: Hashable, Sendable {
        package var challenges: [ChallengeType]
        package var profile: String?
        /// The certificate that is replaced (RFC 9773 §5), by `ServerCertificate.renewalID`.
        package var replaces: String?

        package init(
            challenges: [ChallengeType] = [.http], profile: String? = nil, replaces: String? = nil
        ) {
            self.challenges = challenges
            self.profile = profile
            self.replaces = replaces
        }

        /// The content of a request for a new order (RFC 8555 §7.4).
        func order(for host: String, replacing replaced: String?) -> JSONText {
            let name = JSONText.object([("type", .string("dns")), ("value", .string(host))])
            var members: [(key: String, value: JSONText)] = [("identifiers", .array([name]))]
            if let profile { members.append(("profile", .string(profile))) }
            if let replaced { members.append(("replaces", .string(replaced))) }
            return .object(members)
        }

        /// Refusals that the member `replaces` cannot have caused.
        static let faultsOfOthers: Set<String> = [
            "caa", "invalidProfile", "rateLimited", "rejectedIdentifier", "unsupportedIdentifier",
            "userActionRequired", "accountDoesNotExist", "badNonce",
        ]
    }
}
