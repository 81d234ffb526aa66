import Diagnostics
import LinkIndex
import LinkStore

// A list or an export that is empty because of a slip would pass for one of everything.

extension LinkAPI {
    /// Refuses a collection in a query that the token cannot have links of. One that the configuration
    /// has no more may still have links.
    func checkCollection(_ name: String?, for actor: Actor, _ store: LinkStore) throws(Problem) {
        guard let name, collection(name, of: actor) == nil else { return }
        let isKept = try orProblem { () throws(StoreError) in
            guard actor.mayUse(name) else { return false }
            return try store.hasCollection(name)
        }
        if !isKept { throw unknownCollection(name, for: actor) }
    }

    func unknownCollection(_ name: String, for actor: Actor) -> Problem {
        Problem(.query, "collection is \(quoted(name)): \(advice(onCollection: name, for: actor))")
    }

    /// Names the collection that is perhaps meant, or those that there are.
    func advice(onCollection name: String, for actor: Actor) -> String {
        let known = collections.map(\.name.description).filter(actor.mayUse).sorted()
        let near = nearestName(to: name, among: known).map { "; \(didYouMean($0))" } ?? ""
        return known.isEmpty
            ? "the configuration has no link with `stored`"
            : listed(known, as: "collection") + near
    }
}
