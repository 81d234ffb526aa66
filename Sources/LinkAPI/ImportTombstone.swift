import Diagnostics
import JSONSyntax
private import LinkIndex
private import LinkStore
private import SiteConfiguration
private import URISyntax

extension LinkImport {
    /// Reads a link that was deleted where it was exported: it has a collection, slugs and times, and
    /// nothing else is kept of it.
    func readTombstone(
        _ json: JSONValue, at now: Int, _ notes: inout [PointedFault]
    ) throws(Problem) -> ImportedLink {
        guard let deleted = json["deleted"]?.text.flatMap(tableTime) else {
            throw .invalid([
                PointedFault(
                    "/deleted", .wrongValue, "it is no time with its zone",
                    advice: "write 2027-01-01T00:00:00Z, or leave the line out")
            ])
        }
        guard actor.may(.linksWrite) || actor.may(.linksDelete) else {
            throw Problem(
                .scopeMissing,
                "the link was deleted, and its slugs would stay taken: the token \(quoted(actor.name)) has "
                    + "neither the scope \(TokenScope.linksWrite.rawValue) nor \(TokenScope.linksDelete.rawValue)"
            )
        }
        let known = try readKnown(json, at: now, &notes)
        var own = [(key: String, value: JSONText)]()
        if let name = json["collection"]?.written ?? collection.map(JSONText.string) {
            own.append(("collection", name))
        }
        if let slug = json["slug"]?.written { own.append(("slug", slug)) }
        let (description, found) = try api.read(api.document(.object(own)))
        guard description.slug != nil else {
            throw .invalid(
                found.isEmpty
                    ? [PointedFault("", .missingKey, "the link lacks its \"slug\"")] : found)
        }
        // Only the slugs are kept, so a destination is not asked for.
        let (collection, content) = try api.check(
            description, found, actor, at: deleted.seconds, for: .burying)
        let (aliases, faults) = readAliases(json, of: description.slug, collection)
        guard faults.isEmpty else { throw .invalid(faults) }
        return ImportedLink(
            json: json, known: known, aliases: aliases,
            new: .success(NewLink(collection: collection, content: content)),
            collection: collection.name.description, description, deleted: min(deleted.seconds, now)
        )
    }
}
