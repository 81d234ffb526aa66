import Diagnostics
import JSONSyntax
private import LinkIndex
import LinkStore
import Resolution

// The REST API of Firebase Dynamic Links for collections that have it, so that a program changes
// one host name. Names and forms are Firebase's (its REST reference, v1).

/// An operation that makes a short link of the parameters of Firebase.
protocol ShortLinkOperation: Operation {
    /// The form of its content.
    static var form: FirebaseForm { get }
}

/// A request for a short link, and the link that it describes, read and checked as far as this needs no store.
final class DescribedShortLink: Sendable {
    let request: ShortLinkRequest
    let notes: [FirebaseNote]
    /// The reason for which a new link cannot be so matters only if there is none yet.
    let checked: Result<CheckedLink, Problem>

    /// - Parameter now: seconds since 1970.
    init(
        _ json: JSONValue, _ form: FirebaseForm, _ api: LinkAPI, _ actor: LinkAPI.Actor, at now: Int
    ) throws(Problem) {
        request = try ShortLinkRequest(json, form, api)
        let collection = request.collection
        var firebase = FirebaseLink(request.values, opening: collection.openingApps)
        var members: [(key: String, value: JSONText)] = [
            ("collection", .string(collection.name.description)),
            ("externalId", .string(request.identity)),
        ]
        if let suffix = request.suffix { members.append(("slug", .string(suffix))) }
        if let name = request.name { members.append(("note", .string(name))) }
        members += firebase.members()
        notes = request.notes + firebase.notes
        checked = Result { () throws(Problem) in
            try api.checked(api.document(.object(members)), actor, at: now, for: .shortLink)
        }
    }
}

extension APICall {
    /// The short link that the request describes, as it was prepared or is read now.
    func describedShortLink(_ form: FirebaseForm) throws(Problem) -> DescribedShortLink {
        if let prepared = preparation?.shortLink { return try prepared.get() }
        return try DescribedShortLink(json(), form, api, actor, at: now)
    }
}

/// A short link that was made as Firebase did; the same for the same parameters.
struct FirebaseShortLink {
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

    init(_ call: APICall, _ described: DescribedShortLink) throws(Problem) {
        request = described.request
        let (collection, identity) = (request.collection, request.identity)
        guard call.actor.mayUse(collection.name.description) else {
            throw Problem(
                .collectionNotAllowed,
                "the token \(quoted(call.actor.name)) is not for \(quoted(collection.name.description))"
            )
        }
        let existing = try orProblem { () throws(StoreError) in
            try call.store.link(externalID: identity)
        }
        // A link of another collection has the name only if it was imported with it.
        if let existing, existing.collection == collection.name.description {
            link = existing
            notes = described.notes + [existing.firebaseNote(at: call.now)].compactMap(\.self)
            return
        }
        notes = described.notes
        link = try call.make(
            LinkMaking(
                api: call.api, collection: collection, content: described.checked.get().content,
                chosen: request.suffix,
                lengths: request.option == "SHORT"
                    ? Self.shortLengths : Self.unguessableLengths))
    }

    /// As short as is needed, from four characters on.
    private static let shortLengths = [4, 5, 6, 8, 12]
    /// 96 bits.
    private static let unguessableLengths = [Int](repeating: 17, count: LinkMaking.attemptsMax)
}

extension StoredLink {
    /// The warning about a short link that was made before, and that nobody gets now.
    fileprivate func firebaseNote(at now: Int) -> FirebaseNote? {
        let reason: String
        if content.isDisabled {
            reason = "is disabled"
        } else if let until = content.until, until <= now {
            reason = "has ended"
        } else if let from = content.from, from > now {
            reason = "has not begun"
        } else {
            return nil
        }
        return FirebaseNote("shortLink", .unspecified, "the link was made before, and \(reason)")
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
