import Diagnostics
import JSONSyntax
import LinkStore
import URISyntax

/// The identity and times of an exported link where it came from.
struct KnownLink: Sendable {
    /// Nil also if the token is for some collections only: the refusal of an id that is taken would reveal that
    /// another collection has a link.
    var id: LinkID?
    /// True for a line with an id.
    var isExported = false
    var created: Int?
    var updated: Int?
}

extension LinkImport {
    /// Nil for a line that is no exported link.
    func readKnown(
        _ json: JSONValue, at now: Int, _ notes: inout [PointedFault]
    ) throws(Problem) -> KnownLink? {
        var (known, faults) = (KnownLink(), Self.wrongKinds(json))
        guard ["id", "created", "updated"].contains(where: { json[$0] != nil }) else {
            guard faults.isEmpty else { throw .invalid(faults) }
            return nil
        }
        if let text = json["id"]?.text {
            let id = LinkID(text)
            (known.id, known.isExported) = (actor.collections == nil ? id : nil, id != nil)
            if id == nil {
                faults.append(
                    PointedFault(
                        "/id", .wrongValue, "\(quoted(text)) is not the id of a link",
                        advice: "leave `id` out; another system's name is `externalId`"))
            }
        }
        func time(_ key: String) -> Int? {
            guard let text = json[key]?.text else { return nil }
            let time = try? Timestamp(text)
            if let time, time.seconds > now {
                notes.append(
                    PointedFault(
                        "/\(key)", .wrongValue,
                        "\(time) is not kept: it is in the future"))
                return nil
            }
            if time == nil {
                faults.append(
                    PointedFault(
                        "/\(key)", .wrongValue, "\(quoted(text)) is no time with its zone",
                        advice: "write 2027-01-01T00:00:00Z, or leave it out"))
            }
            return time?.seconds
        }
        (known.created, known.updated) = (time("created"), time("updated"))
        guard faults.isEmpty else { throw .invalid(faults) }
        return known
    }

    /// The members of an exported link that do not describe it, with the kinds of their values.
    private static let memberKinds = [
        (name: "id", kind: "a string"), ("url", "a string"), ("created", "a string"),
        ("updated", "a string"), ("opens", "an array"), ("warnings", "an array"),
        ("generation", "a number"),
    ]

    /// The faults of these members that have a value of another kind: otherwise nobody would learn that an `id` that is a number was
    /// passed over.
    private static func wrongKinds(_ json: JSONValue) -> [PointedFault] {
        memberKinds.compactMap { name, kind in
            guard let value = json[name], ![kind, "null"].contains(value.kind) else { return nil }
            return PointedFault(
                "/\(name)", .wrongKind, "\(quoted(name)) must be \(kind), not \(value.kind)",
                advice: "leave it out, or write it as an export does")
        }
    }
}
