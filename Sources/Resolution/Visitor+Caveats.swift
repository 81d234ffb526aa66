// What is known about clients that no server can change (Apple, "Supporting universal links";
// developer.chrome.com, "Android Intents with Chrome").

package import SiteConfiguration

extension Visitor {
    /// What helps to understand this client: of its kind, of what it got, and of the systems for
    /// which the environment publishes apps.
    /// - Parameter decision: nil where no link was asked for.
    package func caveats(_ decision: WebDecision?, _ environment: Environment) -> [String] {
        switch kind {
        case .preview(let name): previewCaveats(name)
        case .searchEngine: ["it gets the content that people get, without a redirect"]
        case .verifier(let name):
            ["\(name) requests only association files, and no links"]
        case .person: personCaveats(decision, environment.associations)
        }
    }

    private func previewCaveats(_ name: String) -> [String] {
        let common = "previews are cached: a changed page shows late where it was posted"
        guard name == "Messages" else { return [common] }
        return [
            "the sender's device fetches the preview with the names of two other programs, and "
                + "sends it; the receiver's device fetches nothing", common,
        ]
    }

    private func personCaveats(
        _ decision: WebDecision?, _ published: PublishedAssociations
    ) -> [String] {
        let isOnApple = platform == .ios || platform == .ipad || mayBeIPad
        var caveats = [String]()
        if let inAppBrowser { caveats.append(inAppCaveat(inAppBrowser)) }
        if mayBeIPad {
            caveats.append(
                "Safari on an iPad identifies itself as Safari on a Mac, and gets the same "
                    + "response; a page can detect the device, a redirect cannot")
        }
        if isOnApple, published.aasa != nil { caveats += appleCaveats(decision) }
        if platform == .android, published.assetlinks != nil {
            caveats += androidCaveats(decision)
        }
        if platform == .desktop, !mayBeIPad, case .landing = decision?.answer {
            caveats.append("on a computer without the app, the page shows a QR code for a phone")
        }
        return caveats
    }

    private func inAppCaveat(_ app: String) -> String {
        "\(app)'s own browser does not open apps by itself; its menu has \"open in browser\""
    }

    private func appleCaveats(_ decision: WebDecision?) -> [String] {
        var caveats = [
            "a typed or pasted address opens no app, nor does a link that the user has sent to "
                + "the browser before",
            "a tap on a link to the page's own host does not open an app",
            "a page within an app (SFSafariViewController) does not open another app for its first "
                + "address",
        ]
        switch decision?.answer {
        case .redirect: caveats.append("a redirect into a universal link usually opens no app")
        case .landing(let offer) where offer.schemeURL != nil:
            caveats.append(
                "if the app is not installed, a tap on its own scheme shows \"address is invalid\"")
        default: break
        }
        return caveats
    }

    private func androidCaveats(_ decision: WebDecision?) -> [String] {
        var caveats = ["links open the app if Android has verified the host for it"]
        guard case .landing = decision?.answer else { return caveats }
        caveats.append("Chrome opens an app from a page only on a tap")
        if isFirefox {
            caveats.append("Firefox follows an intent's fallback even where the app is installed")
        }
        if inAppBrowser != nil {
            caveats.append("browsers inside of apps ignore an intent's fallback")
        }
        return caveats
    }

    /// Who it is, in a few words.
    package var words: String {
        switch kind {
        case .person:
            "a person, \(platform.rawValue)" + (inAppBrowser.map { ", in \($0)" } ?? "")
        case .preview(let name): "the preview of \(name)"
        case .searchEngine(let name): "the search engine \(name)"
        case .verifier(let name): name
        }
    }
}
