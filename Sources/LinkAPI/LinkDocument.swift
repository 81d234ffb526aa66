import Associations
import Diagnostics
import LinkIndex
import LinkStore
import SiteConfiguration
import URISyntax

// A link in JSON, as requests and answers have it.

extension LinkAPI {
    /// The link in an answer.
    func json(of link: StoredLink, warnings: [PointedFault] = []) -> JSONText {
        let collection = collections.first { $0.name.description == link.collection }
        var members: [(key: String, value: JSONText)] = [("id", .string(link.id.description))]
        members += writable(link)
        if let collection {
            members.append(("url", .string(collection.url(link.slug))))
            if !link.aliases.isEmpty {
                members.append(("aliases", .strings(link.aliases)))
            }
            members.append(("opens", .strings(collection.apps(opening: link.slug))))
        }
        members += [
            ("created", .string(Timestamp(seconds: link.created).description)),
            ("updated", .string(Timestamp(seconds: link.updated).description)),
        ]
        if let deleted = link.deleted {
            members.append(("deleted", .string(Timestamp(seconds: deleted).description)))
        }
        if !warnings.isEmpty { members.append(("warnings", .array(warnings.map(\.json)))) }
        return .object(members)
    }

    /// What a request can have of it; a member without a value is not there.
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
            case .object(let own)? = JSONDocument(Array(details.utf8), file: "").root?.written
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

    /// Members with a merge patch applied (RFC 7396 §2): null removes.
    func merge(_ patch: JSONValue, into members: [(key: String, value: JSONText)]) -> JSONText {
        .object(merged(patch.members ?? [], members))
    }

    private func merged(
        _ patch: [JSONMember], _ members: [(key: String, value: JSONText)]
    ) -> [(key: String, value: JSONText)] {
        var result = members
        for member in patch {
            let index = result.firstIndex { $0.key.isScalarwise(member.key) }
            if case .null = member.value.content {
                if let index { result.remove(at: index) }
                continue
            }
            var value = member.value.written
            if let own = member.value.members {
                let before: [(key: String, value: JSONText)] =
                    if let index, case .object(let present) = result[index].value { present } else {
                        []
                    }
                value = .object(merged(own, before))
            }
            if let index { result[index].value = value } else { result.append((member.key, value)) }
        }
        return result
    }

    /// The same as a value that can be read.
    func document(_ json: JSONText) throws(Problem) -> JSONValue {
        guard let root = JSONDocument(Array(json.compact.utf8), file: "").root else {
            throw Problem(400, "invalid-json", "The content is not JSON")
        }
        return root
    }
}
