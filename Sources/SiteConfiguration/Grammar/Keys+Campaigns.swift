// The keys for redirects to the web and to app stores, and their parameters.

extension Shape {
    static let campaign = Shape(
        "campaign",
        [
            Key(
                "utm", .text(.flag),
                "Whether the link's UTM parameters are passed on; true by default."),
            Key("apple", .object(appleCampaign), "Parameters for the App Store."),
            Key("google", .object(googleCampaign), "Parameters for Google Play."),
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
                "Whether the referrer contains the link, so that the app can open it after "
                    + "installation; false by default.")
        ])

    static let transportSecurity = Shape(
        "transportSecurity",
        [
            Key("max-age", .text(.hstsSeconds), required: true, "For how many seconds."),
            Key("include-subdomains", .text(.flag), "Whether it includes subdomains."),
            Key("preload", .text(.flag), "Whether browsers may preload it."),
        ])
}
