import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import URISyntax
import Visits

// The REST API of Firebase Dynamic Links for collections that have it, so that a program changes
// one host name. Names and forms are Firebase's (its REST reference, v1).

extension LinkAPI {
    // MARK: Short links

    func makeShortLink(_ call: Call) throws(Problem) -> APIResponse {
        let made = try shortLink(call, .shortLink)
        return APIResponse(200, .object([("shortLink", .string(made.url))] + made.others))
    }

    /// The same with a name, which lists show.
    func makeManagedShortLink(_ call: Call) throws(Problem) -> APIResponse {
        let made = try shortLink(call, .managedShortLink)
        let managed = JSONText.object([
            ("link", .string(made.url)),
            ("info", FirebaseForm.info(made.request.values, domain: made.request.prefix)),
            ("linkName", .string(made.link.content.note ?? "")),
            ("creationTime", .string(Timestamp(seconds: made.link.created).description)),
            ("visibility", .string(made.link.content.isArchived ? "ARCHIVED" : "UNARCHIVED")),
        ])
        return APIResponse(200, .object([("managedShortLink", managed)] + made.others))
    }

    private struct ShortLink {
        let request: ShortLinkRequest
        let link: StoredLink
        let notes: [FirebaseNote]
        var url: String { "\(request.prefix)/\(link.slug)" }

        /// Members that both answers have.
        var others: [(key: String, value: JSONText)] {
            let preview = (key: "previewLink", value: JSONText.string("\(url)?d=1"))
            guard !notes.isEmpty else { return [preview] }
            return [preview, ("warning", .array(notes.map(\.json)))]
        }
    }

    private func shortLink(_ call: Call, _ form: FirebaseForm) throws(Problem) -> ShortLink {
        let request = try shortLinkRequest(call, form)
        let collection = request.collection
        guard call.actor.mayUse(collection.name.description) else {
            throw Problem(
                .collectionNotAllowed,
                "the token \(quoted(call.actor.name)) is not for \(quoted(collection.name.description))"
            )
        }
        var firebase = FirebaseLink(request.values, opening: collection.openingApps)
        var members: [(key: String, value: JSONText)] = [
            ("collection", .string(collection.name.description)),
            ("externalId", .string(request.identity)),
        ]
        if let suffix = request.suffix { members.append(("slug", .string(suffix))) }
        if let name = request.name { members.append(("note", .string(name))) }
        members += firebase.members()
        let notes = request.notes + firebase.notes
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(externalID: request.identity)
        }
        // A link of another collection has the name only if it was imported with it.
        if let existing, existing.collection == collection.name.description {
            return ShortLink(request: request, link: existing, notes: notes)
        }
        let (description, faults) = try read(document(.object(members)))
        let content = try check(
            description, faults, call.actor, at: call.now, for: .shortLink
        ).1
        let link = try make(
            request.suffix,
            lengths: request.option == "SHORT" ? Self.shortLengths : Self.unguessableLengths,
            collection, content, call)
        return ShortLink(request: request, link: link, notes: notes)
    }

    /// As short as is needed, from four characters on.
    private static let shortLengths = [4, 5, 6, 8, 12]
    /// 96 bits.
    private static let unguessableLengths = [Int](repeating: 17, count: attemptsMax)

    // MARK: Statistics

    func countEvents(_ call: Call) throws(Problem) -> APIResponse {
        let found = try find(call.values[0], call)
        let link = try orProblem { () throws(StoreError) in
            try found.flatMap { found throws(StoreError) in
                try call.store.link(found.0.name.description, slug: found.slug)
            }
        }
        guard let link, call.actor.mayUse(link.collection) else { throw .notFound }
        let number = try orProblem { () throws(StoreError) in try call.store.number(of: link.id) }
        let today = call.now / 86_400
        let days = call.request.number("durationDays") ?? 7
        let begin = max(24 * (today + 1 - days), link.created / 3_600)
        let hours = begin..<max(begin + 1, 24 * (today + 1))
        func rows(_ grouping: VisitStore.Grouping) throws(Problem) -> [VisitStore.Row] {
            try readVisits(call) { store throws(StoreError) in
                try store.visits(of: number ?? -1, hours, by: grouping)
            }
        }
        var events = [String: Int]()
        for row in try rows(.platform) {
            let name =
                switch WebPlatform.allCases[min(row.group, WebPlatform.allCases.count - 1)] {
                case .ios, .ipad: "IOS"
                case .android: "ANDROID"
                case .desktop: "DESKTOP"
                }
            events["\(name) CLICK", default: 0] += row.counts[.visit] ?? 0
        }
        // Which platform a redirect, or an app, was for is not counted.
        for row in try rows(.outcome) where row.group != Int(VisitOutcome.page.rawValue) {
            events["OTHER REDIRECT", default: 0] += row.counts[.visit] ?? 0
        }
        for row in try rows(.day) {
            events["OTHER APP_FIRST_OPEN", default: 0] += row.counts[.firstOpen] ?? 0
            events["OTHER APP_RE_OPEN", default: 0] += row.counts[.open] ?? 0
        }
        let list = events.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { key, count in
            let words = key.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            return JSONText.object([
                ("platform", .string(words[0])), ("count", .string("\(count)")),
                ("event", .string(words[1])),
            ])
        }
        return APIResponse(200, .object([("linkEventStats", .array(list))]))
    }

    // MARK: Apps

    /// Says to an app what the link says that has opened it. It says no more than `/_/resolve`.
    func reopen(_ call: Call) throws(Problem) -> APIResponse {
        let members = try members(of: call, .reopenAttribution, isOpen: true)
        guard let link = members["requestedLink"] else {
            throw .firebase([FirebaseFault("requestedLink", "it is missing")])
        }
        guard let found = appLink(link, call) else {
            var problem = Problem.notFound
            problem.isMiss = true
            throw problem
        }
        return APIResponse(200, .object(found))
    }

    /// Says to an app what the link says that it has found on the clipboard. Without one, nothing is said:
    /// devices are not compared.
    func install(_ call: Call) throws(Problem) -> APIResponse {
        let members = try members(of: call, .installAttribution, isOpen: true)
        let link = members["uniqueMatchLinkToCheck"]
        guard let link, let found = appLink(link, call) else {
            var response = APIResponse(
                200,
                .object([
                    (
                        "matchMessage",
                        .string("no link was found on the clipboard, and devices are not compared")
                    )
                ]))
            response.isMiss = link != nil
            return response
        }
        return APIResponse(
            200,
            .object(
                found + [
                    ("requestedLink", .string(link)), ("attributionConfidence", .string("UNIQUE")),
                    ("matchMessage", .string("the link of the clipboard")),
                ]))
    }

    private func appLink(_ text: String, _ call: Call) -> [(key: String, value: JSONText)]? {
        guard !call.request.isGuess,
            let found = appData(of: text, in: call.store.index, at: call.now)
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

    /// The long link that says the same to an app; a long link itself.
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

extension FirebaseNote {
    fileprivate var json: JSONText {
        .object([
            ("warningCode", .string(code.rawValue)),
            ("warningMessage", .string("\(parameter): \(detail)")),
        ])
    }
}
