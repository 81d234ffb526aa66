package import SiteConfiguration

/// The reason for an answer.
package enum WebReason: Hashable, Sendable {
    /// The link's action for the visitor's own platform, or for all others.
    case own(WebPlatform)
    /// An iPad gets the action for an iPhone.
    case iPhoneAction
    case otherwise
    /// The link has no action for the platform that a preview or a search engine imitates, but one
    /// for others.
    case otherPlatforms
    /// No link with an action or a page matches: the environment's `unmatched`.
    case noLink
    /// The link has no action for the visitor's platform: the environment's `unmatched`.
    case noAction
    /// None of the link's apps has a page in the platform's store: the environment's `unmatched`.
    case noStore
    /// The URL would contain a dot segment from the request, so it is refused.
    case dotSegment
    /// The URL would be too long with the texts of the request, so it is refused.
    case tooLong
    /// The collection has no such link, or it is not there yet.
    case unknownSlug
    /// The stored link is disabled, which is answered like an unknown one.
    case disabledSlug
    /// The stored link was deleted.
    case deletedSlug
    /// The link is a collection, and there is no store to look into.
    case notLookedUp
    /// A parameter of a long link is wrong.
    case refusedParameter
    /// The query asks for the debug page.
    case debugging

    /// Whether the environment's `unmatched` decided.
    package var isUnmatched: Bool {
        switch self {
        case .noLink, .noAction, .noStore: true
        case .own, .iPhoneAction, .otherwise, .otherPlatforms, .dotSegment, .tooLong,
            .unknownSlug, .disabledSlug, .deletedSlug, .notLookedUp, .refusedParameter, .debugging:
            false
        }
    }
}
