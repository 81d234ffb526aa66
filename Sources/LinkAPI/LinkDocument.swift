import Diagnostics
import JSONSyntax
private import LinkIndex
import LinkStore
import SiteConfiguration
import URISyntax

// A link in JSON, as requests and answers have it.

extension LinkAPI {
    /// The link in an answer.
    func json(of link: StoredLink, warnings: [PointedFault] = []) -> JSONText {
        let collection = collections.first { $0.name.description == link.collection }
        var members = Self.answeredMembers.compactMap { member in
            member.value(link, collection).map { (key: member.name, value: $0) }
        }
        members += writable(link)
        if !warnings.isEmpty { members.append(("warnings", .array(warnings.map(\.json)))) }
        return .object(members)
    }

    /// A member of a link that answers have and requests do not.
    struct AnsweredMember: Sendable {
        let name: String
        let schema: JSONText
        /// True if every answer has it.
        let isAlways: Bool
        /// For people.
        let summary: String
        /// Without a collection of the configuration, a link has no URL.
        let value: @Sendable (StoredLink, ServedCollection?) -> JSONText?

        init(
            _ name: String, _ schema: JSONText, isAlways: Bool = false, _ summary: String,
            _ value: @escaping @Sendable (StoredLink, ServedCollection?) -> JSONText?
        ) {
            (self.name, self.schema, self.isAlways) = (name, schema, isAlways)
            (self.summary, self.value) = (summary, value)
        }
    }

    static let answeredMembers = [
        AnsweredMember("id", Schemas.id, isAlways: true, "The identity of the link.") { link, _ in
            .string(link.id.description)
        },
        AnsweredMember("url", Schemas.text, "The URL of the link.") { link, collection in
            collection.map { .string($0.url(link.slug)) }
        },
        AnsweredMember(
            "aliases", Schemas.list(of: Schemas.text), "Other slugs with which it is found."
        ) { link, collection in
            collection == nil || link.aliases.isEmpty ? nil : .strings(link.aliases)
        },
        AnsweredMember(
            "opens", Schemas.list(of: Schemas.text), "The identifiers of the apps that open it."
        ) { link, collection in collection.map { .strings($0.apps(opening: link.slug)) } },
        AnsweredMember("created", Schemas.time, isAlways: true, "When it was made.") { link, _ in
            time(link.created)
        },
        AnsweredMember("updated", Schemas.time, isAlways: true, "When it was last changed.") {
            link, _ in time(link.updated)
        },
        AnsweredMember("deleted", Schemas.time, "When it was deleted.") { link, _ in
            link.deleted.map(time)
        },
    ]

    private static func time(_ seconds: Int) -> JSONText {
        .string(Timestamp(seconds: seconds).description)
    }

    /// The members of a link that a request can have; a member without a value is not there.
    func writable(_ link: StoredLink) -> [(key: String, value: JSONText)] {
        let content = link.content
        var members: [(key: String, value: JSONText)] = [
            ("collection", .string(link.collection)), ("slug", .string(link.slug)),
        ]
        func add(_ key: String, _ text: String?) {
            if let text { members.append((key, .string(text))) }
        }
        add("destination", content.destination)
        if let details = content.details,
            let json = JSONDocument(Array(details.utf8), file: "").root?.withoutDuplicates.written,
            case .object(let own) = LinkDescription.typed(json)
        {
            members += own
        }
        if !content.tags.isEmpty { members.append(("tags", .strings(content.tags))) }
        add("note", content.note)
        add("from", content.from.map { Timestamp(seconds: $0).description })
        add("until", content.until.map { Timestamp(seconds: $0).description })
        if link.deleted == nil { add("state", content.isDisabled ? "disabled" : "active") }
        if content.isArchived { members.append(("archived", .boolean(true))) }
        add("externalId", content.externalID)
        return members
    }

    /// Members with a merge patch applied (RFC 7396 §2): null removes, and with the last member of an
    /// object the object.
    /// - Parameter depth: which values replace those before instead.
    func merge(
        _ patch: JSONValue, into members: [(key: String, value: JSONText)],
        _ depth: MergeDepth = .change
    ) -> JSONText {
        .object(merged(patch.members ?? [], members, depth))
    }

    /// In time linear in the number of members of both.
    private func merged(
        _ patch: [JSONMember], _ members: [(key: String, value: JSONText)], _ depth: MergeDepth
    ) -> [(key: String, value: JSONText)] {
        var result = members.map { (key: $0.key, value: JSONText?.some($0.value)) }
        // By bytes, because texts that look the same are different keys.
        var places = [[UInt8]: Int](minimumCapacity: members.count + patch.count)
        for (index, member) in members.enumerated() { places[Array(member.key.utf8)] = index }
        for member in patch {
            let key = Array(member.key.utf8)
            let index = places[key]
            if case .null = member.value.content {
                if let index { result[index].value = nil }
                continue
            }
            var value = member.value.written
            let below = depth.below(member.key)
            if !below.replaces, let own = member.value.members {
                let present = index.flatMap { result[$0].value }
                var before = [(key: String, value: JSONText)]()
                if case .object(let members)? = present { before = members }
                let rest = merged(own, before, below)
                // An object that has lost its last member is taken away, too: none of a link may be
                // empty. A text in its place is not what the patch speaks of, and is refused.
                if rest.isEmpty, !own.isEmpty, !depth.keepsEmpty, present == nil || !before.isEmpty
                {
                    if let index { result[index].value = nil }
                    continue
                }
                value = .object(rest)
            }
            if let index {
                result[index].value = value
            } else {
                places[key] = result.count
                result.append((member.key, value))
            }
        }
        return result.compactMap { member in member.value.map { (member.key, $0) } }
    }

    /// The same as a value that can be read.
    func document(_ json: JSONText, takesMarks: Bool = false) throws(Problem) -> JSONValue {
        try anyJSON(Array(json.compact.utf8), takesMarks: takesMarks)
    }

    /// The link that a request describes, with the members that its path has.
    func document(
        _ written: JSONValue, with path: [(key: String, value: String)]
    ) throws(Problem) -> JSONValue {
        let others = (written.members ?? []).filter { member in
            !path.contains { $0.key.isScalarwise(member.key) }
        }
        return try document(
            .object(
                others.map { (key: $0.key, value: $0.value.written) }
                    + path.map { (key: $0.key, value: JSONText.string($0.value)) }))
    }
}

extension JSONValue {
    /// Refuses the description of a link that has another text for a member than the path.
    func check(_ key: String, against value: String) throws(Problem) {
        guard let own = self[key], !own.text.isScalarwise(value) else { return }
        throw .invalid([
            PointedFault(
                "/\(key)", .wrongValue,
                "\(own.text.map { quoted($0) } ?? own.kind) differs from \(quoted(value)) of the path",
                advice: "leave it out")
        ])
    }
}
