// Checks of the tags that lead from a page to an app.

extension ReportItem {
    private static let banner = "Apple, “Promoting apps with Smart App Banners”"
    private static let appLinks = "Meta, “App Links”"
    private static let cards = "X, “App Card”"
    private static let discovery = "Apple, WWDC 2015 session 709"

    // MARK: Link to application

    static let deepLinkMarkup = ReportItem(
        "deep-link-markup", .linkToApplication,
        asks: "At least one of Smart App Banner, App Links tags and X app tags names an app.",
        fix: "add <meta name=\"apple-itunes-app\" content=\"app-id=…, app-argument=…\">: Applebot "
            + "finds the app by one of the three", source: discovery)
    static let bannerOnce = ReportItem(
        "banner-once", .linkToApplication, asks: "Exactly one Smart App Banner tag.",
        fix: "keep one apple-itunes-app tag", source: banner)
    static let bannerAppID = ReportItem(
        "banner-app-id", .linkToApplication, asks: "The banner's `app-id` is digits.",
        fix: "write the number of the App Store's address, not the bundle identifier",
        source: banner)
    static let bannerArgument = ReportItem(
        "banner-argument", .linkToApplication,
        asks: "The banner's `app-argument` is an address of this host.",
        fix: "add app-argument with this page's address, so that the app opens here",
        source: banner)
    static let bannerParameters = ReportItem(
        "banner-parameters", .linkToApplication,
        asks: "The banner's parameters are known ones, and no value holds a comma.",
        fix: "write a comma of a value as %2C: it ends the parameter", source: banner)
    static let alIOS = ReportItem(
        "al-ios", .linkToApplication,
        asks: "`al:ios:url`, `al:ios:app_store_id` and `al:ios:app_name`.",
        fix: "add the three tags: Facebook, Messenger and Instagram open the app by them",
        source: appLinks)
    static let alAndroid = ReportItem(
        "al-android", .linkToApplication,
        asks: "`al:android:package`, `al:android:url` and `al:android:app_name`.",
        fix: "add the three tags: Facebook, Messenger and Instagram open the app by them",
        source: appLinks)
    static let alWeb = ReportItem(
        "al-web", .linkToApplication,
        asks: "`al:web:url`, where given, is this page; `al:web:should_fallback` is not false.",
        fix: "make al:web:url the canonical address, and leave al:web:should_fallback out",
        source: appLinks)
    static let twitterApp = ReportItem(
        "twitter-app", .linkToApplication,
        asks: "`twitter:app:id:iphone` or `twitter:app:id:googleplay`, each in its form.",
        fix: "add twitter:app:id:iphone (digits), twitter:app:id:googleplay (the package) and "
            + "twitter:app:url:…", source: cards)
    static let idsAgree = ReportItem(
        "ids-agree", .linkToApplication,
        asks: "All tags, and the configuration, name the same apps.",
        fix: "write the same App Store number and package everywhere", source: discovery)

    static let linkToApplicationItems = [
        deepLinkMarkup, bannerOnce, bannerAppID, bannerArgument, bannerParameters, alIOS, alAndroid,
        alWeb, twitterApp, idsAgree,
    ]

    // MARK: App Clip

    private static let clip = "Apple, “Supporting invocations from your website and Messages”"

    static let clipIdentifier = ReportItem(
        "clip-identifier", .appClip,
        asks: "`app-clip-bundle-id` is a bundle identifier, without App ID prefix.",
        fix: "write the bundle identifier alone", source: clip)
    static let clipAssociated = ReportItem(
        "clip-associated", .appClip,
        asks: "apple-app-site-association lists the App Clip under `appclips`.",
        fix: "add the clip's identifier, App ID prefix included, to appclips.apps", source: clip)
    static let clipDisplay = ReportItem(
        "clip-display", .appClip, asks: "`app-clip-display`, where given, is `card`.",
        fix: "write app-clip-display=card, or leave it out", source: clip)
    static let clipFallback = ReportItem(
        "clip-fallback", .appClip, asks: "The banner also has an `app-id`.",
        fix: "add app-id: older systems, and devices without App Clips, show it",
        source: clip)
    static let clipImage = ReportItem(
        "clip-image", .appClip, asks: "The page has an `og:image`.",
        fix: "add og:image: Messages shows the clip's card with it", source: clip)

    static let appClipItems = [
        clipIdentifier, clipAssociated, clipDisplay, clipFallback, clipImage,
    ]
}
