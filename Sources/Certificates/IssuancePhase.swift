/// The part of RFC 8555 §7.4 that an issuance has come to.
enum IssuancePhase: Hashable, Sendable {
    case order, readOrder, authorization, present(Challenge), challenge(url: String)
    case pollAuthorization, finalize, pollOrder, download(String), done([UInt8])

    /// The step that it belongs to, for messages.
    var step: IssuanceStep {
        switch self {
        case .order, .readOrder: .order
        case .authorization: .authorization
        case .present, .challenge, .pollAuthorization: .challenge
        case .finalize, .pollOrder: .finalize
        case .download, .done: .certificate
        }
    }
}
