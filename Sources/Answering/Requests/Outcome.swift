package import HTTPMessages

/// The kind of a response, whatever its status is.
public enum Outcome: UInt8, Sendable, CaseIterable {
    case none
    case aasa, assetlinks
    /// A public file, or what is generated in place of one.
    case file
    /// A link's page, a redirect that it asks for, or its app's page in a store.
    case page, redirect, store
    /// The same address over https.
    case https
    case challenge
    case notFound, unknownHost
    /// A method that nothing here has, or OPTIONS.
    case method
    /// A malformed request, or malformed content.
    case refused
    /// More of one than the limits allow, or not all of it in time.
    case tooLarge, timeout
    /// Refused because there were too many connections.
    case limited
    /// An answer from another thread.
    case handled

    @inline(__always)
    init(_ resource: Route) {
        switch resource {
        case .aasa: self = .aasa
        case .assetlinks: self = .assetlinks
        default: self = .file
        }
    }

    /// Of a request that is refused with this status for its form, whatever it asks for.
    package init(refusedWith status: Status) {
        switch status {
        case .requestTimeout: self = .timeout
        case .contentTooLarge, .uriTooLong, .fieldsTooLarge: self = .tooLarge
        default: self = .refused
        }
    }

    package var name: StaticString {
        switch self {
        case .none: "none"
        case .aasa: "aasa"
        case .assetlinks: "assetlinks"
        case .file: "file"
        case .page: "page"
        case .redirect: "redirect"
        case .store: "store"
        case .https: "https"
        case .challenge: "challenge"
        case .notFound: "not_found"
        case .unknownHost: "unknown_host"
        case .method: "method"
        case .refused: "refused"
        case .tooLarge: "too_large"
        case .timeout: "timeout"
        case .limited: "limited"
        case .handled: "handled"
        }
    }
}
