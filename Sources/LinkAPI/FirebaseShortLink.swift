import Diagnostics
import LinkIndex
import LinkStore
import Resolution

// The REST API of Firebase Dynamic Links for collections that have it, so that a program changes
// one host name. Names and forms are Firebase's (its REST reference, v1).

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

    init(_ call: APICall, _ request: ShortLinkRequest) throws(Problem) {
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
            (self.request, link, self.notes) = (request, existing, notes)
            return
        }
        let (description, faults) = try call.api.read(call.api.document(.object(members)))
        let content = try call.api.check(
            description, faults, call.actor, at: call.now, for: .shortLink
        ).1
        link = try call.make(
            LinkMaking(
                api: call.api, collection: collection, content: content, chosen: request.suffix,
                lengths: request.option == "SHORT"
                    ? Self.shortLengths : Self.unguessableLengths))
        (self.request, self.notes) = (request, notes)
    }

    /// As short as is needed, from four characters on.
    private static let shortLengths = [4, 5, 6, 8, 12]
    /// 96 bits.
    private static let unguessableLengths = [Int](repeating: 17, count: LinkMaking.attemptsMax)
}

extension FirebaseNote {
    fileprivate var json: JSONText {
        .object([
            ("warningCode", .string(code.rawValue)),
            ("warningMessage", .string("\(parameter): \(detail)")),
        ])
    }
}
