// The keys of where people are sent, and what is told about them there.

extension Shape {
    static let campaign = Shape(
        "campaign",
        [
            Key(
                "utm", .text(.flag),
                "Whether the link's UTM parameters go on with the visitor; true by default."),
            Key("apple", .object(appleCampaign), "What the App Store is told."),
            Key("google", .object(googleCampaign), "What Google Play is told."),
        ])

    static let appleCampaign = Shape(
        "appleCampaign",
        [
            Key(
                "provider", .text(.providerToken),
                "The provider token (pt), without which the App Store counts no campaign."),
            Key(
                "campaign", .text(.campaignToken),
                "The campaign token (ct), at most 40 bytes; the link's utm_campaign by default."),
            Key("product-page", .text(.uuid), "The custom product page (ppid)."),
        ])

    static let googleCampaign = Shape(
        "googleCampaign",
        [
            Key(
                "link", .text(.flag),
                "Whether the referrer carries the link, so that the app can go on to it; false "
                    + "by default.")
        ])

    static let transportSecurity = Shape(
        "transportSecurity",
        [
            Key("max-age", .text(.hstsSeconds), required: true, "For how many seconds."),
            Key("include-subdomains", .text(.flag), "Whether subdomains are meant too."),
            Key("preload", .text(.flag), "Whether browsers may ship with it."),
        ])
}
