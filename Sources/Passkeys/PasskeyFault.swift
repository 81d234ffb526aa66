/// The reason why an answer of an authenticator is not taken. It is for tests and logs: whoever signs in is told nothing
/// of it.
package enum PasskeyFault: Error, Equatable, Sendable {
    /// Not in the form of WebAuthn, or with something that contradicts itself.
    case malformed
    /// Of another ceremony: made in place of used, or the other way.
    case otherCeremony
    case otherChallenge
    /// Of a page of another origin, or within one.
    case otherOrigin
    /// For another host.
    case otherSite
    /// The authenticator has not verified its user.
    case notVerified
    case otherAlgorithm
    case wrongSignature
    /// It was used less often than before, so there are two of it.
    case wasCopied
    /// Of another person.
    case otherPerson
}
