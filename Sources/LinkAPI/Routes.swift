import LinkStore
import Resolution

extension Route {
    private static let reading: [TokenScope] = [.linksRead, .linksWrite]
    private static let making: [TokenScope] = [.linksCreate, .linksWrite]
    /// The problems of making a link, besides faults of its own.
    private static let conflicts: [ProblemKind] = [
        .collectionNotAllowed, .slugTaken, .externalIDTaken,
    ]

    private static let lines = ["application/x-ndjson"]

    /// The table of all operations.
    static let all = own + firebase

    /// Those that are always there.
    static let own = links + others

    private static let others: [Route] = [
        Route(
            "importLinks", "POST", "import", making, "Make or change many links", .import,
            query: [
                Parameter(
                    "mode", .choice(["create", "upsert"]),
                    "Whether a line changes a link that exists; by default it is refused."),
                Parameter("dry-run", .flag, "Whether nothing is written."),
                Parameter("atomic", .flag, "Whether one refused line leaves everything as it was."),
                Parameter("collection", .text, "The collection of lines that name none."),
                Parameter(
                    "format", .choice(["firebase"]),
                    "For a table that Firebase Dynamic Links has exported."),
                Parameter(
                    "domain", .text,
                    "With format=firebase: the domain of its short links, if it is none of the "
                        + "collection's."),
                Parameter(
                    "report", .choice(["all", "refused"]),
                    "The lines of the answer; all by default."),
            ],
            [200, 408, 422, 503].map { Answer($0, types: lines) },
            problems: [.contentType, .contentTooLarge, .idempotencyKey]),
        Route(
            "exportLinks", "GET", "export", reading, "Get all links, as an import takes them",
            .export,
            query: [
                Parameter("format", .choice(["ndjson", "csv"]), "The format; ndjson by default."),
                Parameter("collection", .text, "Only links of this collection."),
                Parameter("tag", .text, "Only links with this tag."),
                Parameter("deleted", .flag, "Whether deleted links are in it, too."),
            ], [Answer(200, types: lines + ["text/csv"], .generation)]),
        Route(
            "listTokens", "GET", "tokens", [.admin], "List tokens, without their secrets",
            LinkAPI.listTokens, isAboutAll: true, [Answer(200, "TokenList")]),
        Route(
            "createToken", "POST", "tokens", [.admin], "Make a token", LinkAPI.createToken,
            content: "NewToken", isAboutAll: true, showsSecret: true,
            [Answer(201, "TokenWithSecret", .location)]),
        Route(
            "removeToken", "DELETE", "tokens/{token}", [.admin], "Remove a token",
            LinkAPI.removeToken, isAboutAll: true, [Answer(204)]),
        Route(
            "backUp", "POST", "backup", [.admin], "Write a copy of the store beside it",
            LinkAPI.backUp, isAboutAll: true, [Answer(201, "Backup")]),
        Route(
            "listChanges", "GET", "audit", [.auditRead],
            "List what was changed, the last first",
            LinkAPI.audit,
            query: [
                Parameter(
                    "link", .link,
                    "Only changes of this link; required of a token for some collections."),
                Parameter("before", .number(0...Int.max), "Only changes before this number."),
            ], [Answer(200, "ChangeList", .next)], problems: [.collectionNotAllowed, .notFound]),
        Route(
            "countVisits", "GET", "visits", [.statsRead], "Count the visits of all links together",
            LinkAPI.allVisits, query: period + [by(LinkAPI.groupingsOfAll)], isAboutAll: true,
            [Answer(200, "VisitList")]),
        Route(
            "listMisses", "GET", "misses", [.statsRead],
            "List paths of collections that are of no link, the most frequent first",
            LinkAPI.misses, query: period, [Answer(200, "MissList")]),
        Route(
            "describe", "GET", "openapi.json", [], "Describe the API (OpenAPI 3.1)",
            LinkAPI.describe, [Answer(200, "Description")]),
    ]

    private static let links: [Route] = [
        Route(
            "listLinks", "GET", "links", reading, "List links, in the order of their creation",
            LinkAPI.list,
            query: [
                Parameter("collection", .text, "Only links of this collection."),
                Parameter("tag", .text, "Only links with this tag."),
                Parameter("state", .choice(["active", "disabled"]), "Only links in this state."),
                Parameter(
                    "q", .text,
                    "Only links with this text in slug, destination, title, description or "
                        + "note."),
                Parameter("archived", .flag, "Whether archived links are listed, too."),
                Parameter(
                    "changed-since", .number(0...Int.max),
                    "Links changed after this generation, in the order of their changes, also archived "
                        + "and deleted ones; the answer's generation is where the next list begins."
                ),
                Parameter("limit", .number(1...LinkAPI.listedMost), "How many; 50 by default."),
                Parameter(
                    "after", .text,
                    "Only links after this one; of changes, what the answer's Link says."),
            ], [Answer(200, "LinkList", .next, .generation)]),
        Route(
            "createLink", "POST", "links", making, "Make a link", LinkAPI.create,
            content: "NewLink", describe: LinkAPI.asWritten,
            [Answer(201, "Link", .location, .entityTag, .generation)],
            problems: conflicts + [.noFreeSlug]),
        Route(
            "findLink", "GET", "links:find", reading,
            "Show the link that is answered under a URL, or with a slug", LinkAPI.find,
            query: [
                Parameter("url", .text, "The URL; nothing else then."),
                Parameter("collection", .text, "The collection, with `slug`."),
                Parameter("slug", .text, "The slug, with `collection`."),
            ], condition: .hasChanged, shown, problems: [.notFound]),
        Route(
            "checkLink", "POST", "links:check", making + [.linksRead],
            "Say what making a link would refuse and warn of; make nothing", LinkAPI.check,
            content: "NewLink", isReading: true, describe: LinkAPI.asWritten,
            [Answer(200, "Check")],
            problems: [.collectionNotAllowed]),
        Route(
            "putLinkByExternalID", "PUT", "links/by-external-id/{externalId}", [.linksWrite],
            "Make the link that another system calls so, or change it", LinkAPI.upsert,
            content: "LinkPatch",
            [
                Answer(200, "Link", .entityTag, .generation),
                Answer(201, "Link", .location, .entityTag, .generation),
            ], problems: conflicts + [.linkDeleted, .noFreeSlug]),
        Route(
            "createLinkOnce", "PUT", "links/{collection}/{slug}", making,
            "Make a link under this slug, unless it exists", LinkAPI.createOnce,
            condition: .isNew, content: "NewLink", describe: LinkAPI.atPath,
            [Answer(201, "Link", .location, .entityTag, .generation)], problems: conflicts),
        Route(
            "showLink", "GET", "links/{id}", reading, "Show a link", LinkAPI.show,
            condition: .hasChanged, shown),
        Route(
            "changeLink", "PATCH", "links/{id}", [.linksWrite],
            "Change members of a link; null removes one (RFC 7396)", LinkAPI.change,
            condition: .match, content: "LinkPatch",
            [Answer(200, "Link", .entityTag, .generation)], problems: conflicts),
        Route(
            "deleteLink", "DELETE", "links/{id}", [.linksDelete],
            "Delete a link; its slug stays taken", LinkAPI.delete, condition: .match,
            [Answer(204, nil, .generation)]),
        Route(
            "addAlias", "POST", "links/{id}/aliases", [.linksWrite], "Give a link another slug",
            LinkAPI.addAlias, content: "NewAlias", [Answer(201, "Link", .entityTag)],
            problems: [.slugTaken, .linkDeleted]),
        Route(
            "explainLink", "GET", "links/{id}/explain", reading,
            "Say what a link does for a client, step by step", LinkAPI.explain,
            query: [
                Parameter(
                    "as", .choice(VisitorProfile.all.map(\.name)),
                    "The client; desktop-chrome by default.")
            ], [Answer(200, "Explanation")]),
        Route(
            "countLinkVisits", "GET", "links/{id}/visits", [.statsRead], "Count a link's visits",
            LinkAPI.linkVisits, query: period + [by(VisitStore.Grouping.allCases)],
            [Answer(200, "VisitList")]),
        Route(
            "drawLink", "GET", "links/{id}/qr", reading, "Draw a link's QR code", LinkAPI.draw,
            query: [
                Parameter("format", .choice(["svg", "png"]), "The format; svg by default."),
                Parameter("size", .number(21...8_192), "The pixels of a PNG; 1024 by default."),
            ], [Answer(200, types: ["image/svg+xml", "image/png"])], problems: [.urlTooLong]),
    ]

    /// Those of Firebase's REST API, which are there if a collection has them.
    static let firebase: [Route] = [
        Route(
            "createFirebaseShortLink", "POST", "shortLinks", making,
            "Make a short link as Firebase Dynamic Links did; the same for the same parameters",
            LinkAPI.makeShortLink, content: "FirebaseShortLinkRequest",
            [Answer(200, "FirebaseShortLink")], problems: firebaseConflicts),
        Route(
            "createFirebaseManagedShortLink", "POST", "managedShortLinks:create", making,
            "The same with a name, which becomes the note of the link",
            LinkAPI.makeManagedShortLink, content: "FirebaseManagedShortLinkRequest",
            [Answer(200, "FirebaseManagedShortLink")], problems: firebaseConflicts),
        Route(
            "countFirebaseEvents", "GET", "{shortLink}/linkStats", [.statsRead],
            "Count what has happened with a link, whose URL is escaped in the path",
            LinkAPI.countEvents,
            query: [
                Parameter(
                    "durationDays", .number(1...VisitStore.daysKept),
                    "Up to today; 7 by default.")
            ], [Answer(200, "FirebaseStatistics")]),
        Route(
            "reopenFirebaseLink", "POST", "reopenAttribution", [],
            "Say to an app what the link says that has opened it", LinkAPI.reopen,
            content: "FirebaseReopenRequest", [Answer(200, "FirebaseAttribution")]),
        Route(
            "attributeFirebaseInstallation", "POST", "installAttribution", [],
            "Say to an app what a link on the clipboard says; devices are not compared",
            LinkAPI.install, content: "FirebaseInstallationRequest",
            [Answer(200, "FirebaseAttribution")]),
    ].map { route in
        var route = route
        route.isFirebase = true
        route.isReading = route.scopes.isEmpty
        return route
    }

    private static let firebaseConflicts = conflicts + [.noFreeSlug]

    private static let period = [
        Parameter("from", .text, "A day or time; 29 days ago by default."),
        Parameter("to", .text, "A day, which is included, or a time; today by default."),
    ]

    private static func by(_ groupings: [VisitStore.Grouping]) -> Parameter {
        Parameter(
            "by", .choice(groupings.map(\.rawValue)),
            "What is counted together; day by default.")
    }

    /// A deleted link is shown with 410.
    private static let shown = [
        Answer(200, "Link", .entityTag), Answer(304, nil, .entityTag),
        Answer(410, "Link", .entityTag),
    ]
}
