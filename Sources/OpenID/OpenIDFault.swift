/// The reason why what a provider says signs nobody in. It is for the log and for tests: the person gets a page without it.
package enum OpenIDFault: Error, Equatable, Sendable {
    /// Not in the form of its standard, or too long, or a member is there twice.
    case malformed(Document)
    /// A member that must be there is not.
    case missing(String, Document)
    /// An endpoint without TLS.
    case insecure(String)
    /// A document names another issuer than the one that was asked.
    case otherIssuer(Document)
    /// The provider promises to name itself (RFC 9207), and the answer names nobody.
    case noIssuer
    /// The provider says no; with its error code.
    case refused(String)
    /// The provider takes the client's secret in no way that is known here.
    case noAuthentication
    case algorithm(String)
    /// Of another type than an ID token, or with an extension that must be understood.
    case otherToken
    case unknownKey
    /// Several keys fit.
    case ambiguousKey
    case wrongSignature
    case otherAudience
    case otherParty
    case otherNonce
    case expired
    case notYetValid
    case otherAccessToken
    /// The provider's further claims are of another person.
    case otherSubject

    /// A document that a provider sends.
    package enum Document: String, Sendable {
        case metadata = "its configuration"
        case keys = "its key set"
        case answer = "its answer to the browser"
        case tokens = "its answer with the tokens"
        case token = "the ID token"
        case userInfo = "its UserInfo response"
    }

    /// The fact for an operator, about the provider. It has no part of a token.
    package var words: String {
        switch self {
        case .malformed(let document): "\(document.rawValue) is not in the form of its standard"
        case .missing(let member, let document): "\(document.rawValue) has no \(member)"
        case .insecure(let member): "its \(member) is not an https URL"
        case .otherIssuer(let document): "\(document.rawValue) is of another issuer"
        case .noIssuer: "its answer to the browser has no iss, which it promises"
        case .refused(let code): "it refuses with \(code)"
        case .noAuthentication:
            "it takes secrets neither as client_secret_basic nor as client_secret_post"
        case .algorithm(let name): "the ID token is signed with \(name), must be RS256 or ES256"
        case .otherToken: "the ID token is a token of another kind"
        case .unknownKey: "the key of the ID token is not in its key set"
        case .ambiguousKey: "several keys of its key set fit the ID token"
        case .wrongSignature: "the signature of the ID token is wrong"
        case .otherAudience: "the ID token is for another client (aud)"
        case .otherParty: "the ID token is for another client (azp)"
        case .otherNonce: "the ID token is of another attempt (nonce)"
        case .expired: "the ID token has expired (exp)"
        case .notYetValid: "the ID token is of the future (iat, nbf); compare the clocks"
        case .otherAccessToken: "the ID token is of another access token (at_hash)"
        case .otherSubject: "its UserInfo response is of another person (sub)"
        }
    }
}
