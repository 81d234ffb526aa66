/// The reason why an authenticator's answer is refused. It is for tests: the person gets one answer to all of them.
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
