import Associations
import Diagnostics
import LinkIndex
import LinkStore

extension LinkImport {
    /// A line whose names are of two links: of a table in which one column was sorted alone, each
    /// line would change a link that it does not mean. Identities and URLs of other origins name none.
    /// - Parameter found: the link that the line would change.
    func contradiction(
        in line: ImportedLink, _ found: StoredLink?, _ store: LinkStore
    ) throws(StoreError) -> PointedFault? {
        guard line.deleted == nil else { return nil }
        func fault(_ member: String, _ text: String, _ other: StoredLink) -> PointedFault {
            let name =
                actor.mayUse(other.collection)
                ? quoted("\(other.collection)/\(other.slug)") : "another collection's"
            let here = line.slug.map { "the slug \(quoted($0))" } ?? "the externalId"
            return PointedFault(
                "/\(member)", .wrongValue,
                "\(quoted(text)) is of the link \(name), and \(here) is not",
                advice: "sort all columns of a table together; a new link has no `\(member)`")
        }
        if let id = line.known?.id, let found, id != found.id, let other = try store.link(id) {
            return fault("id", id.description, other)
        }
        guard let url = line.url, let parsed = try? LinkURL(url),
            let (collection, slug) = api.served(at: parsed, in: store.index, for: actor),
            let other = try store.link(collection.name.description, slug: slug)
        else { return nil }
        let isSame =
            found.map { $0.id == other.id }
            ?? line.slug.map { slug in
                collection.name.description == line.collection
                    && ([other.slug] + other.aliases).map(collection.compared)
                        .contains(collection.compared(slug))
            } ?? false
        return isSame ? nil : fault("url", url, other)
    }
}
