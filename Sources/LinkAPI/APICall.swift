import JSONSyntax
import LinkIndex
import LinkStore
import SiteConfiguration

/// A request that was let in, with everything that its operation needs. It is a class, so that
/// operations, which keep it, share it.
final class APICall {
    let api: LinkAPI
    let request: APIRequest
    let store: LinkStore
    let actor: LinkAPI.Actor
    /// Since 1970.
    let milliseconds: Int
    var now: Int { milliseconds / 1000 }
    /// The values that the path has in place of the route's variables.
    let values: [String]
    /// Nil where none are counted.
    let visits: SharedVisits?
    let preparation: Preparation?

    init(
        api: LinkAPI, request: APIRequest, store: LinkStore, actor: LinkAPI.Actor,
        milliseconds: Int, values: [String], visits: SharedVisits?, preparation: Preparation?
    ) {
        (self.api, self.request, self.store, self.actor) = (api, request, store, actor)
        (self.milliseconds, self.values) = (milliseconds, values)
        (self.visits, self.preparation) = (visits, preparation)
    }

    /// The content, which is a JSON object; its type was looked at when the request was let in.
    func json() throws(Problem) -> JSONValue {
        if let preparation { return try preparation.json.get() }
        return try api.json(request.content)
    }

    /// The content as a change of a link. `LinkAPI.merged` refuses texts with too many combining marks that the
    /// link does not have already.
    func patch() throws(Problem) -> JSONValue {
        if let preparation { return try preparation.written.get() }
        return try api.json(request.content, takesMarks: true)
    }

    /// The collection of this name; a token for others does not find it.
    func collection(_ name: String) -> ServedCollection? { api.collection(name, of: actor) }

    /// The collection of a link; there is no answer for a link whose collection is not served.
    func collection(of link: StoredLink) throws(Problem) -> ServedCollection {
        guard let found = collection(link.collection) else { throw .notFound }
        return found
    }

    /// The number by which the visits of a link are counted; -1, which no link has, if it is gone.
    func number(of link: StoredLink) throws(Problem) -> Int {
        let number = try orProblem { () throws(StoreError) in try store.number(of: link.id) }
        return number ?? -1
    }

    /// The link of the path; a token for other collections does not find it.
    func link() throws(Problem) -> StoredLink {
        guard let id = LinkID(values[0]) else { throw .notFound }
        return try allowed(orProblem { () throws(StoreError) in try store.link(id) })
    }

    /// The link that the request describes, checked, as it was prepared or is read now.
    func checkedLink(_ describe: APIRoute.Describing) throws(Problem) -> CheckedLink {
        try withConflict { () throws(Problem) in
            if let checked = preparation?.checked { return try checked.get() }
            return try api.checked(describe(api, json(), values), actor, at: now)
        }
    }

    /// Checks a link. If the link is refused and its slug is taken, too, the refusal says both, so that people mend both at once.
    func withConflict(_ check: () throws(Problem) -> CheckedLink) throws(Problem) -> CheckedLink {
        do throws(Problem) {
            return try check()
        } catch {
            guard let (collection, slug) = error.wanted else { throw error }
            let taken = try orProblem { () throws(StoreError) in
                try store.conflict(
                    collection.name.description, slug, isExact: collection.collection.isExact,
                    LinkContent())
            }
            var problem = error
            if let taken { problem.errors.append(api.fault(taken, for: actor, in: store)) }
            throw problem
        }
    }

    /// Changes the store in one transaction, which gets the generation of its changes.
    func transaction<Value>(_ body: (Int) throws(StoreError) -> Value) throws(Problem) -> Value {
        try orProblem { () throws(StoreError) in try store.transaction(body) }
    }

    /// Adds an entry that is about no link to the audit; only in a transaction.
    func note(_ action: String) throws(StoreError) {
        try store.add(AuditEntry(time: now, actor: actor.name, action: action, link: nil))
    }

    /// Changes the person of the path, and notes it.
    func changePerson(
        _ action: String, _ change: (StoredPerson) throws(StoreError) -> Void
    ) throws(Problem) -> APIResponse {
        let name = values[0].lowercased()
        let isDone = try transaction { _ throws(StoreError) in
            guard let person = try store.person(named: name) else { return false }
            try change(person)
            try note("\(action) person \(name)")
            return true
        }
        guard isDone else { throw .notFound }
        return APIResponse(204)
    }

    /// A link with the patch of the request applied; nil if that is to be done beside the store's
    /// thread first.
    func mergedLink(_ patch: JSONValue, _ link: StoredLink) throws(Problem) -> CheckedLink? {
        if let preparation {
            if let known = preparation.merged, known.link == link.id,
                known.generation == link.generation
            {
                return try known.result.get()
            }
            guard preparation.merges >= Preparation.mergesMax else { return nil }
        }
        return try api.merged(patch, link, actor, at: now)
    }
}

/// A failure of the store is no fault of the request.
func orProblem<Value>(_ body: () throws(StoreError) -> Value) throws(Problem) -> Value {
    do throws(StoreError) {
        return try body()
    } catch {
        throw .store(error.words.fact)
    }
}
