import Diagnostics
import OpenID
import SiteConfiguration

/// The reason why nobody can be signed in at a provider now.
enum ProviderTrouble: Error, Sendable {
    /// It does not answer, or only with a status that is none.
    case away(String)
    /// What it says is not right.
    case wrong(OpenIDFault)
    /// The fault is on this side.
    case here(String)

    /// The event for an operator.
    func finding(_ settings: OpenIDSettings) -> Diagnostic {
        let (fact, advice): (String, String?) =
            switch self {
            case .away(let reason): (reason, nil)
            case .wrong(.refused(let code)):
                (
                    OpenIDFault.refused(code).words,
                    "compare `client-id`, `client-secret`, `scopes` and the redirect URI with what the "
                        + "provider has; its own log has more"
                )
            case .wrong(let fault): (fault.words, nil)
            case .here(let reason): (reason, nil)
            }
        return Diagnostic(
            .warning, .openID, at: settings.position,
            "nobody is signed in by the provider \(quoted(settings.issuer)): \(fact)",
            advice: advice)
    }
}
