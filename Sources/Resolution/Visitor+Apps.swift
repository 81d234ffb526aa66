private import SiteConfiguration

/// What the rules of an `apple-app-site-association` file are to one client.
package enum AppleRules: Hashable, Sendable {
    /// They decide whether a link opens an app here.
    case decide
    /// They decide if the client is an iPad, which its user agent does not tell.
    case decideOnIPad
    /// This app's own browser opens links itself, whatever the rules say.
    case overruled(byBrowserOf: String)
    /// They are nothing to this client, for this reason.
    case irrelevant(String)
}

extension Visitor {
    /// What Apple's association file is to this client: people on iPhones and iPads have apps that
    /// it opens, nobody else.
    package var appleRules: AppleRules {
        guard kind == .person else { return .irrelevant("\(words) opens no apps") }
        switch platform {
        case .ios, .ipad: return inAppBrowser.map { .overruled(byBrowserOf: $0) } ?? .decide
        case .android:
            return .irrelevant(
                "Android reads assetlinks.json and the apps' manifests, not Apple's file; `match "
                    + "--assetlinks` shows what its rules decide")
        case .desktop where mayBeIPad: return .decideOnIPad
        case .desktop:
            return .irrelevant("iOS apps open on iPhones and iPads, and this client is neither")
        }
    }
}
