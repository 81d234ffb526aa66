import SiteConfiguration

/// The stores' pages of the apps that open a link.
struct StorePages: Sendable {
    let apple: AppStorePage?
    let google: GooglePlayPage?

    init(_ apps: OfferedApps, _ campaign: Campaign) {
        apple = apps.appStoreIdentifier.map { AppStorePage($0, campaign) }
        google = apps.androidPackage.map { GooglePlayPage($0, campaign) }
    }

    /// Writes the URL of the platform's store; a computer gets Apple's, or else Google's.
    /// - Returns: the parameters that were passed on; nil if no app has a page there.
    func write(
        for platform: WebPlatform, _ filling: Destination.Filling, to result: inout [UInt8]
    ) -> CampaignParameterSet? {
        let isApple = platform == .ios || platform == .ipad || platform == .desktop
        if isApple, let apple { return apple.write(filling, to: &result) }
        let isGoogle = platform == .android || platform == .desktop
        return isGoogle ? google.flatMap { $0.write(filling, to: &result) } : nil
    }
}
