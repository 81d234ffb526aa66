import Diagnostics
import JSONSyntax
private import LinkIndex
import SiteConfiguration
private import URISyntax

extension LinkImport {
    /// Reads a line with a text of too many combining marks: it may change a link that has the text
    /// already. Until that link is found, only the names by which it is looked for are compared.
    /// - Parameter fault: of the first such text.
    func readMarked(
        _ json: JSONValue, _ fault: PointedFault, at now: Int, _ notes: inout [PointedFault]
    ) throws(Problem) -> ImportedLink {
        guard changesExisting, let members = json.members,
            !members.contains(where: { $0.key.hasTooManyMarks })
        else { throw .invalid([fault]) }
        func kept(_ isKept: (String) -> Bool) -> [(key: String, value: JSONText)] {
            members.filter { isKept($0.key) }.map { (key: $0.key, value: $0.value.written) }
        }
        let name = json["externalId"]?.text
        let informative = try api.document(
            .object(
                kept {
                    Self.informative.contains($0) || ["collection", "slug", "deleted"].contains($0)
                }), takesMarks: true)
        guard informative.faultOfMarks == nil, informative["deleted"] == nil,
            (name?.utf8.count ?? 0) <= LinkDescription.externalIDBytesMax
        else { throw .invalid([fault]) }
        var own = kept { !Self.informative.contains($0) }
        if let collection, json["collection"] == nil {
            own.append(("collection", .string(collection)))
        }
        let names = own.filter { ["collection", "slug", "externalId"].contains($0.key) }
        let (description, _) = try api.read(api.document(.object(names), takesMarks: true))
        let collection = description.collection ?? onlyCollection
        let (aliases, faults) = readAliases(
            informative, of: description.slug,
            collection.flatMap { api.collection($0, of: actor) })
        guard faults.isEmpty else { throw .invalid(faults) }
        return ImportedLink(
            json: try api.document(.object(own), takesMarks: true),
            known: try readKnown(informative, at: now, &notes), aliases: aliases,
            new: .failure(.invalid([fault])), collection: collection, description,
            url: informative["url"]?.text)
    }
}
