import Associations
import Diagnostics
import JSONSyntax
private import LinkStore
import Resolution
import URISyntax

extension APICall {
    /// The data of a link for an app, as members of an answer; nil if there is no such link.
    func firebaseLink(_ text: String) -> [(key: String, value: JSONText)]? {
        guard !request.isGuess,
            let found = api.appData(of: text, in: store.index, at: now)
        else { return nil }
        let data = found.app?["data"]
        guard let link = data?["link"]?.text ?? found.destination else { return nil }
        var members: [(key: String, value: JSONText)] = [
            ("deepLink", .string(link)), ("resolvedLink", .string(longLink(text, link, data))),
        ]
        if let version = data?["imv"]?.text {
            members += [
                ("iosMinAppVersion", .string(version)), ("appMinimumVersion", .string(version)),
            ]
        }
        let query = (try? LinkURL(link))?.query ?? ""
        for (name, value) in queryItems(query) {
            let member =
                switch name {
                case "utm_source": "utmSource"
                case "utm_medium": "utmMedium"
                case "utm_campaign": "utmCampaign"
                case "utm_term": "utmTerm"
                case "utm_content": "utmContent"
                default: ""
                }
            if !member.isEmpty, !members.contains(where: { $0.key == member }) {
                members.append((member, .string(value)))
            }
        }
        return members
    }

    /// The long link with the same data for an app; a long link itself.
    private func longLink(_ text: String, _ link: String, _ data: JSONValue?) -> String {
        guard let url = try? LinkURL(text) else { return text }
        if let query = url.query, queryItems(query).contains(where: { $0.name == "link" }) {
            return text
        }
        var values = ["link": link]
        for name in ["al", "amv", "imv"] { values[name] = data?[name]?.text }
        let path = url.path.utf8
        let directory = path.lastIndex(of: UInt8(ascii: "/")).map { url.path[...$0] } ?? "/"
        return "https://\(url.host)\(directory)?\(FirebaseQuery.canonical(values))"
    }
}
