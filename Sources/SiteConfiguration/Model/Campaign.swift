/// How visits are told apart where people are sent to. What a link leaves nil the environment
/// says, and what both leave nil is as the accessors say.
package struct Campaign: Hashable, Sendable {
    /// Whether the UTM parameters of the request go on with the visitor.
    package var utm: Bool?
    /// The provider token of App Store Connect (`pt`).
    package var appleProvider: String?
    /// The campaign token (`ct`), at most `appleTokenBytesMax`; nil takes `utm_campaign`.
    package var appleCampaign: String?
    /// The custom product page (`ppid`), a UUID.
    package var appleProductPage: String?
    /// Whether the referrer of Google Play carries the link.
    package var googleLink: Bool?

    /// The App Store takes no more of a campaign token.
    package static let appleTokenBytesMax = 40

    /// What holds where the configuration says nothing.
    package init() {}

    /// These values, and where there is none the other's.
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

/// For how long browsers know that the hosts speak https alone (RFC 6797 §6.1).
package struct TransportSecurity: Hashable, Sendable {
    package let maxAgeSeconds: Int
    package var includesSubdomains = false
    package var isPreloaded = false

    /// For the hosts themselves alone.
    package init(maxAgeSeconds: Int) { self.maxAgeSeconds = maxAgeSeconds }

    /// The value of the `Strict-Transport-Security` field.
    package var field: String {
        "max-age=\(maxAgeSeconds)" + (includesSubdomains ? "; includeSubDomains" : "")
            + (isPreloaded ? "; preload" : "")
    }
}
