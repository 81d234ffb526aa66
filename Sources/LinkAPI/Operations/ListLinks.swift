import Diagnostics
import LinkIndex
import LinkStore
import URISyntax

/// Lists links, a part of the store at a time.
struct ListLinks: Operation {
    static let route = APIRoute(
        "listLinks", "GET", "links", .reading,
        "List links, in the order of their creation or in another order",
        query: [
            Parameter("collection", .text, "Only links of this collection."),
            Parameter(
                "tag", .text, "Only links with this tag; without a value, those without a tag."),
            Parameter("state", .choice(["active", "disabled"]), "Only links in this state."),
            Parameter(
                "q", .text,
                "Only links with this text in slug, aliases, destination, title, description or "
                    + "note."),
            Parameter(
                "id", .links(LinkFilter.idsMax),
                "Only these links, also archived and deleted ones."),
            Parameter(
                "archived", .choice(["true", "false", "only"]),
                "Whether the list includes archived links, or has only these; false by default."),
            Parameter(
                "order", .choice(LinkOrder.allCases.map(\.rawValue)),
                "The order; oldest by default. `changed`: the last changed first. `slug`: by the bytes of the slug. `ending`: the "
                    + "next end first, then links without an end, then ended ones. `visits`: the most visited first; also needs "
                    + "the scope stats.read."),
            Parameter(
                "days", .number(1...VisitStore.daysKept),
                "With order=visits: the days up to today, in UTC, whose visits count; 30 by default."
            ),
            Parameter(
                "ends-within", .number(1...366),
                "Only links that end within this number of days from now; not with an order of creation."
            ),
            Parameter(
                "changed-since", .number(0...Int.max),
                "Links changed after this generation, in the order of their changes, also archived "
                    + "and deleted ones. If the answer has no Link, the next list begins at its generation."
            ),
            Parameter(
                "history", .text,
                "The mark that came with the generation. With it, a list that cannot be "
                    + "continued, because the store was restored, is refused."),
            Parameter(
                "count", .flag,
                "Whether the answer has `count`: how many links the list has on all its pages. Where counting ends early, behind "
                    + "\(LinkCount.most) links in an order of creation, there are at least so many, and `countIsExact` is false."
            ),
            Parameter("limit", .number(1...most), "How many; 50 by default."),
            Parameter(
                "after", .text,
                "Only links after this one. For changes, and in an order other than that of creation: the value in the answer's Link."
            ),
        ], [Answer(200, "LinkList", .next, .generation, .history)], problems: [.otherHistory])

    private static let usual = 50
    private static let usualDays = 30
    private static let most = 200

    let call: APICall
    private let filter: LinkFilter
    private let place: LinkSearch.Place
    private let order: LinkOrder
    /// After which the list begins, in an order that is not that of creation.
    private let orderedPlace: OrderedPlace?

    init(call: APICall) throws(Problem) {
        let request = call.request
        var filter = LinkFilter()
        (filter.collection, filter.tag) = (request.item("collection"), request.item("tag"))
        filter.text = request.item("q").map(Self.sought)
        filter.isDisabled = request.item("state").map { $0 == "disabled" }
        filter.includesArchived = request.item("archived") == "true"
        filter.isOfArchive = request.item("archived") == "only"
        order = request.item("order").flatMap { LinkOrder(rawValue: $0) } ?? .oldest
        filter.isNewestFirst = order == .newest
        filter.ids = request.links("id")
        if filter.ids != nil { (filter.includesArchived, filter.includesDeleted) = (true, true) }
        filter.collections = call.actor.collections
        try call.api.checkCollection(filter.collection, for: call.actor, call.store)
        if let since = request.number("changed-since") {
            place = .change(try Self.changePlace(call, since: since))
        } else if request.item("history") != nil {
            throw Problem(.query, "history needs changed-since, with which it was answered")
        } else {
            let last = order.isOfCreation ? request.item("after") : nil
            place = .creation(last.flatMap { LinkID($0) })
            if let last, LinkID(last) == nil {
                throw Problem(.query, "after is \(quoted(last)), must be the id of a link")
            }
        }
        orderedPlace = try Self.orderedPlace(call, order)
        (self.call, self.filter) = (call, filter)
    }

    /// The text that links are searched for: a URL, which may lack its scheme, is without a port that destinations do not have.
    private static func sought(_ text: String) -> String {
        if let url = try? WebURL(text) { return url.withoutDefaultPort.description }
        let scheme = "https://"
        let host = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard host.contains(UInt8(ascii: ".")), let url = try? WebURL(scheme + text),
            url.port != nil
        else { return text }
        return String(url.withoutDefaultPort.description.dropFirst(scheme.utf8.count))
    }

    /// The place at which a list begins whose order is not that of creation.
    private static func orderedPlace(
        _ call: APICall, _ order: LinkOrder
    ) throws(Problem) -> OrderedPlace? {
        let request = call.request
        guard order == .visits || request.item("days") == nil else {
            throw Problem(.query, "days is used with order=visits, whose visits it chooses")
        }
        guard !order.isOfCreation || request.item("ends-within") == nil else {
            let orders = LinkOrder.allCases.filter { !$0.isOfCreation }.map(\.rawValue)
            throw Problem(
                .query,
                "ends-within is used with order=ending, or another order that is not that of creation: "
                    + orders.joined(separator: ", "))
        }
        guard order != .visits || call.actor.may(.statsRead) else {
            throw Problem(
                .scopeMissing,
                "\(call.actor.title) has not the scope \(TokenScope.statsRead.rawValue), which order=visits needs"
            )
        }
        guard !order.isOfCreation, let text = request.item("after") else { return nil }
        let place = try orProblem { () throws(StoreError) in
            try order.place(text) { id throws(StoreError) in try call.store.number(of: id) ?? 0 }
        }
        guard let place else {
            throw Problem(
                .query,
                "after is \(quoted(text)), must be that of the answer's Link with rel=\"next\" in this order"
            )
        }
        return place
    }

    func answer() throws(Problem) -> APIResponse {
        let search = LinkSearch(
            call.api, filter, limit: call.request.number("limit") ?? Self.usual,
            call.request.query, after: place, counts: call.request.item("count") == "true")
        guard order.isOfCreation else {
            return try OrderedSearch(
                call, search, by: order, after: orderedPlace,
                days: call.request.number("days") ?? Self.usualDays,
                endDays: call.request.number("ends-within")
            ).step(call.store)
        }
        return try orProblem { () throws(StoreError) in
            guard let indexed = IndexedSearch(search) else { return try search.step(call.store) }
            return try indexed.step(call.store)
        }
    }

    /// The place at which a list of changes begins.
    private static func changePlace(
        _ call: APICall, since generation: Int
    ) throws(Problem) -> ChangePlace {
        let request = call.request
        let others = ["tag", "state", "q", "id", "order", "days", "ends-within", "count"].filter {
            request.item($0) != nil
        }
        let archived = request.item("archived") ?? "true"
        guard others.isEmpty, archived == "true" else {
            let name = others.first ?? "archived=\(archived)"
            throw Problem(
                .query,
                "\(name) cannot be used with changed-since, because a link that a change excludes "
                    + "would be missing: use collection only, and choose among the answered links")
        }
        try checkHistory(call, generation)
        guard let text = request.item("after") else {
            return ChangePlace(generation: generation, id: nil)
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 1)
        guard parts.count == 2, let number = String(parts[0]).flatMap({ Int($0) }), number >= 0,
            let id = String(parts[1]).flatMap({ LinkID($0) })
        else {
            throw Problem(
                .query,
                "after is \(quoted(text)), must be that of the answer's Link with rel=\"next\"")
        }
        return ChangePlace(generation: number, id: id)
    }

    /// - Throws: why changes after a generation cannot be listed.
    private static func checkHistory(_ call: APICall, _ generation: Int) throws(Problem) {
        let store = call.store
        // Another node may have named a change that this one has not read yet.
        if generation > store.index.generation {
            _ = try orProblem { () throws(StoreError) in try store.refresh() }
        }
        let reached = store.index.generation
        guard generation <= reached else {
            throw Problem(
                .otherHistory,
                "changed-since is \(generation), and the store has reached \(reached): it is another "
                    + "store, or was restored; begin with GET /v1/export")
        }
        guard let mark = call.request.item("history") else { return }
        let own = try orProblem { () throws(StoreError) in
            try call.store.historyMark(at: generation)
        }
        guard mark.isScalarwise(own) else {
            throw Problem(
                .otherHistory,
                "generation \(generation) of the store does not have the mark \(quoted(mark)). If both came "
                    + "with one answer, the store is another one, or was restored: begin with "
                    + "GET /v1/export. Otherwise send the two of one answer, or no history")
        }
    }
}
