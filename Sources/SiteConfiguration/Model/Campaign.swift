/// Campaign parameters for redirects. The environment's values apply if a link's are nil, and the
/// accessors have the defaults.
package struct Campaign: Hashable, Sendable {
    /// Whether the UTM parameters of the request go on with the visitor.
    package var utm: Bool?
    /// The provider token of App Store Connect (`pt`).
    package var appleProvider: String?
    /// The campaign token (`ct`), at most `appleTokenBytesMax`; nil for the link's `utm_campaign`.
    package var appleCampaign: String?
    /// The custom product page (`ppid`), a UUID.
    package var appleProductPage: String?
    /// Whether the referrer of Google Play carries the link.
    package var googleLink: Bool?

    /// The App Store's limit on a campaign token.
    package static let appleTokenBytesMax = 40

    /// The defaults.
    package init() {}

    /// These values, or the other's where they are nil.
    package func over(_ other: Campaign) -> Campaign {
        var campaign = self
        campaign.utm = utm ?? other.utm
        campaign.appleProvider = appleProvider ?? other.appleProvider
        campaign.appleCampaign = appleCampaign ?? other.appleCampaign
        campaign.appleProductPage = appleProductPage ?? other.appleProductPage
        campaign.googleLink = googleLink ?? other.googleLink
        return campaign
    }
}

/// For how long browsers use only https for the hosts (RFC 6797 §6.1).
package struct TransportSecurity: Hashable, Sendable {
    package let maxAgeSeconds: Int
    package var includesSubdomains = false
    package var isPreloaded = false

    /// Only for the hosts themselves.
    package init(maxAgeSeconds: Int) { self.maxAgeSeconds = maxAgeSeconds }

    /// The value of the `Strict-Transport-Security` field.
    package var field: String {
        "max-age=\(maxAgeSeconds)" + (includesSubdomains ? "; includeSubDomains" : "")
            + (isPreloaded ? "; preload" : "")
    }
}
