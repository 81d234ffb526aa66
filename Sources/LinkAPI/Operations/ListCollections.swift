import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration

/// Lists the collections that links can be made in.
struct ListCollections: Operation {
    static let route = APIRoute(
        "listCollections", "GET", "collections", .reading + [.linksCreate],
        "List the collections that links can be made in", [Answer(200, "CollectionList")])

    let call: APICall

    func answer() throws(Problem) -> APIResponse {
        let own = call.api.collections.filter { call.actor.mayUse($0.name.description) }
        return APIResponse(
            200,
            .object([
                (
                    "collections",
                    .array(
                        own.map {
                            $0.json(
                                zone: call.api.usedZone($0.site.site, at: call.now),
                                countsCountries: call.api.countsCountries,
                                attribution: call.api.countryAttribution)
                        })
                )
            ]))
    }
}

extension ServedCollection {
    fileprivate func json(zone: String?, countsCountries: Bool, attribution: String?) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("name", .string(name.description)), ("prefix", .string(url(""))),
            ("destinations", .strings(collection.destinations.map(\.description))),
            ("apps", .strings(openingApps.compactMap { $0.name ?? $0.key })),
        ]
        if let zone { members.append(("timeZone", .string(zone))) }
        if let port = site.site.httpsPort, port != 443 {
            members.append(("httpsPort", .number(Int(port))))
        }
        if site.logo != nil { members.append(("hasLogo", .boolean(true))) }
        if countsCountries { members.append(("countsCountries", .boolean(true))) }
        if let attribution { members.append(("countryAttribution", .string(attribution))) }
        return .object(members)
    }
}
