import LinkStore

extension APIRoute {
    /// The table of all operations. Requests are found in it, and what documents say, `Allow`, and the
    /// scopes of tokens follow from it.
    static let all = own + firebase

    /// Those that are always there.
    static let own = [
        ListLinks.row, CreateLink.row, FindLink.row, CheckLink.row, PutLinkByExternalID.row,
        CreateLinkOnce.row, ShowLink.row, ChangeLink.row, DeleteLink.row, AddAlias.row,
        ExplainLink.row, ExplainChange.row, ExplainNewLink.row, ExplainURL.row,
        ListCollections.row, CountLinkVisits.row, DrawLink.row, DrawLinks.row,
        LinkImport.route, LinkExport.route, ListTokens.row, CreateToken.row, RemoveToken.row,
        ListPeople.row, InvitePerson.row, RemovePerson.row, SignOutPerson.row, BackUp.row,
        ListChanges.row,
        CountVisits.row, ListMisses.row, ListNodes.row, Describe.row,
    ]

    /// Those of Firebase's REST API, which are there if a collection has them.
    static let firebase = [
        CreateFirebaseShortLink.row, CreateFirebaseManagedShortLink.row, CountFirebaseEvents.row,
        ReopenFirebaseLink.row, AttributeFirebaseInstallation.row,
    ].map { route in
        var route = route
        route.isFirebase = true
        route.isReading = route.scopes.isEmpty
        return route
    }

    /// The media types of a link a line.
    static let lines = ["application/x-ndjson"]
}

extension [TokenScope] {
    static let reading: [TokenScope] = [.linksRead, .linksWrite]
    static let making: [TokenScope] = [.linksCreate, .linksWrite]
}

extension [ProblemKind] {
    /// The problems of making a link, besides faults of its own.
    static let conflicts: [ProblemKind] = [
        .collectionNotAllowed, .slugTaken, .externalIDTaken, .noRoom,
    ]
    static let firebaseConflicts = conflicts + [.noFreeSlug]
}

extension [APIRoute.Answer] {
    /// The answers that show a link; a deleted one is shown with 410.
    static let ofLink = [
        APIRoute.Answer(200, "Link", .entityTag), APIRoute.Answer(304, nil, .entityTag),
        APIRoute.Answer(410, "Link", .entityTag),
    ]
}
