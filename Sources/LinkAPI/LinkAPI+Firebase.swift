import Associations
import Diagnostics
import LinkIndex
import LinkStore
import Resolution
import SiteConfiguration
import TLS
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

    /// What is asked for, wherever it was written.
    private struct ShortLinkRequest {
        let collection: ServedCollection
        /// What short links are appended to, without a slash: on the host that was asked for.
        let prefix: String
        let values: [String: String]
        var notes: [FirebaseNote]
        let option: String
        let suffix: String?
        let name: String?

        /// The name of the link in the store. The same request has the same one, in whatever way it
        /// writes its parameters, so it gets the same link.
        var identity: String {
            let parts = [
                collection.name.description, prefix, suffix ?? "", name ?? "",
                FirebaseQuery.canonical(values),
            ]
            let hash = sha256(Array(parts.joined(separator: "\n").utf8)).prefix(16)
            let digits = hash.flatMap { [($0 >> 4).hexDigit, ($0 & 0xF).hexDigit] }
            return "firebase:\(option.lowercased()):\(String(decoding: digits, as: UTF8.self))"
        }
    }

    private func shortLink(_ call: Call, _ form: FirebaseForm) throws(Problem) -> ShortLink {
        let request = try request(call, form)
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

    private func request(_ call: Call, _ form: FirebaseForm) throws(Problem) -> ShortLinkRequest {
        let members = try members(of: call, form)
        let suffix = members["suffix.customSuffix"]
        let asked = members["suffix.option"] ?? ""
        let option =
            suffix != nil && asked.isEmpty
            ? "CUSTOM" : ["SHORT", "CUSTOM"].contains(asked) ? asked : "UNGUESSABLE"
        guard (option == "CUSTOM") == (suffix != nil) else {
            throw .firebase([
                FirebaseFault("suffix", "customSuffix is there with the option CUSTOM only")
            ])
        }
        var infos = [String: String]()
        for (key, value) in members where key.utf8.starts(with: "dynamicLinkInfo.".utf8) {
            infos[String(decoding: key.utf8.dropFirst(16), as: UTF8.self)] = value
        }
        let long = members["longDynamicLink"]
        guard (long == nil) != infos.isEmpty else {
            throw .firebase([
                FirebaseFault("", "one of longDynamicLink and dynamicLinkInfo must be there")
            ])
        }
        let (domain, field) = try domain(long, infos)
        let (collection, prefix) = try collection(at: domain, field)
        var (values, notes, faults) = ([String: String](), [FirebaseNote](), [FirebaseFault]())
        if let long, let url = try? LinkURL(long) {
            let query = FirebaseQuery(url.query ?? "", linkBytes: long.utf8.count)
            (values, notes, faults) = (query.values, query.notes, query.faults)
            if url.fragment != nil {
                notes.append(
                    FirebaseNote(
                        "link", .linkWithFragments, "the fragment of the link is left out"))
            }
        } else {
            for (path, parameter) in FirebaseForm.parameters {
                if let value = infos[path], !value.isEmpty { values[parameter] = value }
            }
            if values["efr"] == "false" { values["efr"] = nil }
            // One reader checks what both forms have.
            let query = FirebaseQuery(FirebaseQuery.canonical(values), linkBytes: 0)
            faults = query.faults
        }
        guard faults.isEmpty else { throw .firebase(faults) }
        return ShortLinkRequest(
            collection: collection, prefix: prefix, values: values, notes: notes, option: option,
            suffix: suffix, name: members["name"])
    }

    /// The URL that short links begin with, and the member that has it.
    private func domain(
        _ long: String?, _ info: [String: String]
    ) throws(Problem) -> (LinkURL, String) {
        let (text, field): (String, String)
        if let long {
            (text, field) = (long, "longDynamicLink")
        } else if let prefix = info["domainUriPrefix"] {
            (text, field) = (prefix, "dynamicLinkInfo.domainUriPrefix")
        } else if let host = info["dynamicLinkDomain"] {
            (text, field) = ("https://\(host)", "dynamicLinkInfo.dynamicLinkDomain")
        } else {
            throw .firebase([FirebaseFault("dynamicLinkInfo.domainUriPrefix", "it is missing")])
        }
        do throws(LinkURLError) { return (try LinkURL(text), field) } catch {
            throw .firebase([FirebaseFault(field, "\(quoted(text)) is no URL: \(error)")])
        }
    }

    private func collection(
        at url: LinkURL, _ field: String
    ) throws(Problem) -> (ServedCollection, prefix: String) {
        let served = collections.filter { $0.collection.firebase.contains(.api) }
        var path = Array(url.bytes[url.pathRange])
        if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
        let host = url.requestedHost
        let found = served.first { collection in
            collection.site.site.serves(host) && collection.link.starPrefixes.contains(path)
        }
        guard let found else {
            let known = served.map { collection in
                String(decoding: collection.url("").utf8.dropLast(), as: UTF8.self)
            }
            throw .firebase([
                FirebaseFault(
                    field,
                    "\(quoted("https://\(host)\(url.path)")) has no links of Firebase; "
                        + "\(known.joined(separator: ", ")) has")
            ])
        }
        let end = String(decoding: path.dropLast(), as: UTF8.self)
        return (found, "https://\(host)\(end)")
    }

    /// The members of a request by their paths.
    private func members(
        of call: Call, _ form: FirebaseForm, isOpen: Bool = false
    ) throws(Problem) -> [String: String] {
        var (values, faults) = ([String: String](), [FirebaseFault]())
        form.read(try json(call), at: "", into: &values, isOpen: isOpen, &faults)
        guard faults.isEmpty else { throw .firebase(faults) }
        return values.filter { !$0.value.isEmpty }
    }

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

    /// What the link that has opened the app says to it. It says no more than `/_/resolve`.
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

    /// What the link says that an app has found on the clipboard. Without one, nothing is said:
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

// MARK: - Errors

extension ProblemKind {
    /// Google's APIs have no 422.
    var firebaseStatus: Int { status == 422 ? 400 : status }
}

extension Problem {
    /// The members of a request have these faults.
    static func firebase(_ faults: [FirebaseFault]) -> Problem {
        .invalid(
            faults.map { PointedFault($0.parameter, .wrongValue, $0.detail) })
    }

    /// The same in the form of Google's APIs (google.rpc.Status).
    var firebaseResponse: APIResponse {
        let status = kind.firebaseStatus
        let faults = listedErrors.map { fault in
            // What the link's reader has found is at a pointer of the link, and duplicates are at
            // one of the request, whose members are named with full stops here.
            let parameter = FirebaseFault(at: fault.pointer, "").parameter
            let isOfRequest = fault.rule == .duplicateKey
            let field =
                isOfRequest
                ? String(fault.pointer.dropFirst()).replacing("/", with: ".") : fault.pointer
            return (field: parameter.isEmpty ? field : parameter, fault.detail)
        }
        let first = faults.first.map { $0.field.isEmpty ? $0.1 : "\($0.field): \($0.1)" }
        var members: [(key: String, value: JSONText)] = [
            ("code", .number(status)), ("message", .string(first ?? detail ?? kind.title)),
            ("status", .string(Self.code(of: status))),
        ]
        if !faults.isEmpty {
            let violations = faults.map { field, detail in
                JSONText.object([("field", .string(field)), ("description", .string(detail))])
            }
            members.append(
                (
                    "details",
                    .array([
                        .object([
                            ("@type", .string("type.googleapis.com/google.rpc.BadRequest")),
                            ("fieldViolations", .array(violations)),
                        ])
                    ])
                ))
        }
        var response = APIResponse(status, .object([("error", .object(members))]), fields: fields)
        response.isMiss = isMiss
        return response
    }

    /// The name of a status (google.rpc.Code).
    private static func code(of status: Int) -> String {
        switch status {
        case 401: "UNAUTHENTICATED"
        case 403: "PERMISSION_DENIED"
        case 404: "NOT_FOUND"
        case 409: "ALREADY_EXISTS"
        case 429: "RESOURCE_EXHAUSTED"
        case 503: "UNAVAILABLE"
        default: "INVALID_ARGUMENT"
        }
    }
}
