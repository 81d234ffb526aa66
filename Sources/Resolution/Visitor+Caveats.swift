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
        case .searchEngine: ["it is shown what people are shown, without being sent anywhere"]
        case .verifier(let name):
            ["\(name) asks for association files alone; what links lead to is nothing to it"]
        case .person: personCaveats(decision, environment.associations)
        }
    }

    private func previewCaveats(_ name: String) -> [String] {
        let common = "previews are kept: a page that has changed shows late where it was posted"
        guard name == "Messages" else { return [common] }
        return [
            "the sender's device fetches the preview and sends it along, under the names of two "
                + "other programs; who receives it fetches nothing", common,
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
                "Safari on an iPad sends the text of Safari on a Mac, and gets the same; a page "
                    + "can ask the device, a redirect cannot")
        }
        if isOnApple, published.aasa != nil { caveats += appleCaveats(decision) }
        if platform == .android, published.assetlinks != nil {
            caveats += androidCaveats(decision)
        }
        if platform == .desktop, !mayBeIPad, case .landing = decision?.answer {
            caveats.append("on a computer without the app, a QR code of the link leads to a phone")
        }
        return caveats
    }

    private func inAppCaveat(_ app: String) -> String {
        "\(app)'s own browser keeps links to itself: no app opens from it by itself, and the way "
            + "out is its menu, \"open in browser\""
    }

    private func appleCaveats(_ decision: WebDecision?) -> [String] {
        var caveats = [
            "a typed or pasted address opens no app, nor does a link that the user has sent to "
                + "the browser before",
            "a tap on a link to the host of the page that it is on stays in the browser",
            "a page inside of an app (SFSafariViewController) does not look for an app at its "
                + "first address",
        ]
        switch decision?.answer {
        case .redirect: caveats.append("a redirect into a universal link usually opens no app")
        case .landing(let offer) where offer.schemeURL != nil:
            caveats.append(
                "without the app, a tap on its own scheme shows \"address is invalid\"")
        default: break
        }
        return caveats
    }

    private func androidCaveats(_ decision: WebDecision?) -> [String] {
        var caveats = ["links open the app where Android has verified the host for it"]
        guard case .landing = decision?.answer else { return caveats }
        caveats.append("Chrome opens an app from a page on a tap alone, never by itself")
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
