import Diagnostics
import LinkStore
import SiteConfiguration
import Visits

/// JSON Schemas (2020-12) of what requests and answers have.
enum Schemas {
    typealias Members = [(key: String, value: JSONText)]

    private static let prefix = "#/components/schemas/"
    private static let requests = RequestSchemas(
        prefix: prefix, scopes: TokenScope.allCases.map(\.rawValue),
        roles: PersonRole.allCases.map(\.rawValue))

    /// All schemas by their names.
    static var all: Members {
        [
            ("Link", link),
            (
                "LinkList",
                object(
                    [("links", list(of: reference("Link")))],
                    optional: [
                        ("count", number), ("countIsExact", boolean), ("generation", number),
                        ("history", text),
                    ])
            ),
            ("CollectionList", object([("collections", list(of: collection))])),
            ("Check", check), ("Explanation", explanation), ("Draft", draft),
            ("Token", object(token, optional: scope)),
            ("TokenWithSecret", object(token + [("token", text)], optional: scope)),
            ("TokenList", object([("tokens", list(of: reference("Token")))])),
            ("PersonList", object([("people", list(of: reference("Person")))])),
            ("Person", object(person + personUse, optional: scope)),
            ("SignInLink", object(person + signIn, optional: scope)),
            ("ChangeList", object([("entries", list(of: reference("Change")))])),
            ("Change", change), ("ImportedLines", importedLines),
            (
                "Backup",
                object([
                    ("path", text), ("visits", orNull(text)), ("generation", number),
                    ("slugs", number),
                ])
            ),
            (
                "VisitList",
                object(
                    [
                        ("from", time), ("to", time), ("firstDay", text), ("lastDay", text),
                        ("by", text), ("rows", list(of: visits)),
                    ],
                    optional: [("link", id), ("zone", text)])
            ), ("MissList", object([("misses", list(of: miss))])),
            (
                "NodeList",
                object(
                    [("nodes", list(of: reference("Node")))],
                    optional: [
                        ("generation", number), ("configurations", number),
                        ("isSynchronous", boolean), ("isNotified", boolean),
                        (
                            "index",
                            object([("generation", number), ("slugs", number), ("hash", text)])
                        ),
                    ])
            ), ("Node", node),
            ("Description", .object([("type", .string("object"))])), ("Problem", problem),
            ("Fault", fault),
        ] + requests.definitions + firebase
    }

    // MARK: Firebase

    private static let firebase: Members = [
        ("FirebaseShortLinkRequest", FirebaseForm.shortLink.requestSchema(isOpen: false)),
        (
            "FirebaseManagedShortLinkRequest",
            FirebaseForm.managedShortLink.requestSchema(isOpen: false)
        ),
        ("FirebaseReopenRequest", FirebaseForm.reopenAttribution.requestSchema(isOpen: true)),
        (
            "FirebaseInstallationRequest",
            FirebaseForm.installAttribution.requestSchema(isOpen: true)
        ),
        (
            "FirebaseShortLink",
            object([("shortLink", text), ("previewLink", text)], optional: firebaseWarnings)
        ),
        (
            "FirebaseManagedShortLink",
            object(
                [
                    (
                        "managedShortLink",
                        object([
                            ("link", text), ("info", .object([("type", .string("object"))])),
                            ("linkName", text), ("creationTime", time), ("visibility", text),
                        ])
                    ), ("previewLink", text),
                ], optional: firebaseWarnings)
        ),
        (
            "FirebaseStatistics",
            object([
                (
                    "linkEventStats",
                    list(of: object([("platform", text), ("count", text), ("event", text)]))
                )
            ])
        ),
        (
            "FirebaseAttribution",
            object(
                [],
                optional: [
                    "deepLink", "resolvedLink", "requestedLink", "attributionConfidence",
                    "iosMinAppVersion", "appMinimumVersion", "utmSource", "utmMedium",
                    "utmCampaign", "utmTerm", "utmContent", "matchMessage",
                ].map { ($0, text) })
        ),
        (
            "FirebaseError",
            object([
                (
                    "error",
                    object(
                        [("code", number), ("message", text), ("status", text)],
                        optional: [("details", list(of: .object([("type", .string("object"))])))])
                )
            ])
        ),
    ]

    private static let firebaseWarnings: Members = [
        ("warning", list(of: object([("warningCode", text), ("warningMessage", text)])))
    ]

    // MARK: Objects

    private static let visits = object(
        [("visits", number)],
        optional: VisitStore.Grouping.allCases.map { ($0.rawValue, text) }
            + LinkDimension.allCases.map { ($0.rawValue, text) }
            + VisitClass.allCases.filter { $0 != .visit }.map { ($0.member, number) }
            + [("visitors", number)])

    private static let node = object([
        ("name", text), ("isUp", boolean), ("isAsked", boolean), ("version", text),
        ("configuration", text), ("generation", number), ("behind", number),
        ("clockOffsetMilliseconds", number), ("started", time), ("seen", time),
    ])

    private static let miss = object([
        ("path", text), ("collection", orNull(text)), ("count", number), ("error", number),
        ("first", time), ("last", time),
    ])

    private static var link: JSONText {
        let own = LinkAPI.answeredMembers
        return .object([
            ("type", .string("object")),
            ("required", .strings(own.filter(\.isAlways).map(\.name) + ["collection", "slug"])),
            (
                "properties",
                .object(
                    own.map { ($0.name, described($0.schema, $0.summary)) }
                        + requests.linkProperties
                        + [
                            ("warnings", list(of: reference("Fault"))),
                            (
                                "generation",
                                described(number, "Of the last change, in a list of changes.")
                            ),
                        ])
            ),
        ])
    }

    private static let check = object(
        [("isValid", boolean), ("errors", list(of: reference("Fault")))],
        optional: [
            ("warnings", list(of: reference("Fault"))), ("url", text), ("opens", list(of: text)),
        ])

    private static let explanation = object(
        [("url", text), ("as", text), ("opens", list(of: text))] + explained)

    private static let explained: Members = [
        (
            "answer",
            orNull(object([("status", number)], optional: [("location", text), ("page", text)]))
        ),
        ("steps", list(of: object([("step", text), ("taken", boolean), ("reason", text)]))),
    ]

    private static let draft = object([
        (
            "url",
            described(
                text,
                "Letters x stand for a slug that is chosen when the link is made, here and in `link`: leave that "
                    + "slug out when you send it.")
        ),
        (
            "at",
            described(time, "The time of the explanations: now, or the link's beginning to come.")
        ),
        ("link", reference("NewLink")), ("opens", list(of: text)),
        ("warnings", list(of: reference("Fault"))),
        ("explanations", list(of: object([("as", text)] + explained))),
    ])

    private static let collection = object(
        [
            ("name", text), ("prefix", described(text, "The URL of its links before the slug.")),
            ("destinations", described(list(of: text), "The rules for where its links may lead.")),
            ("apps", described(list(of: text), "The names of the apps that open its links.")),
        ],
        optional: [
            (
                "timeZone",
                described(text, "The time zone of its site, if it has one: for `zone` of visits.")
            ),
            (
                "httpsPort",
                described(
                    number,
                    "The port at which browsers reach its hosts, if its site names another one than 443. URLs of links have none: apps open no "
                        + "others.")
            ),
            (
                "hasLogo",
                described(
                    boolean, "True if codes can have the icon of its site: for `logo` of codes.")
            ),
            (
                "countsCountries",
                described(
                    boolean, "True if the countries of visits are counted: for `by` of visits.")
            ),
            (
                "countryAttribution",
                described(
                    text,
                    "The line that the licence of the countries asks for, if it asks for one: show it with "
                        + "countries.")
            ),
        ])

    private static let token: Members = [
        ("id", number), ("name", text), ("ending", text), ("scopes", list(of: text)),
        ("created", time), ("createdBy", text), ("expires", orNull(time)), ("used", orNull(time)),
    ]
    private static let scope: Members = [("collections", list(of: text))]

    private static let person: Members = [
        ("name", text), ("role", choice(PersonRole.allCases.map(\.rawValue))), ("created", time),
        ("createdBy", text),
    ]
    private static let personUse: Members = [("sessions", number), ("seen", orNull(time))]
    private static let signIn: Members = [
        ("isNew", boolean), ("path", text), ("host", orNull(text)), ("expires", time),
    ]

    private static let change = object([
        ("number", number), ("time", time), ("actor", text), ("action", text),
        ("link", orNull(text)), ("before", orNull(reference("Link"))),
        ("after", any(reference("Link"), reference("ImportedLines"), null)),
    ])

    /// The outcomes of the lines of an import.
    private static let importedLines = object(
        [("lines", text)], optional: [("created", number), ("changed", number)])

    private static let fault = object(
        [
            ("pointer", described(text, "A JSON Pointer into the content (RFC 6901).")),
            ("rule", described(text, "The name of the rule, as in docs/lint-rules.md.")),
            ("detail", text),
        ],
        optional: [
            ("heading", described(text, "Of an import's table: the heading of the column.")),
            ("advice", text),
        ])

    private static let problem = object(
        [("title", text), ("status", number)],
        optional: [("type", text), ("detail", text), ("errors", list(of: reference("Fault")))])

    // MARK: Examples

    /// Content that is accepted if the configuration has a collection for it.
    static func example(of name: String) -> JSONText? {
        let destination = (
            key: "destination", value: JSONText.string("https://www.example.com/spring")
        )
        return switch name {
        case "NewLink":
            .object([destination, ("page", .object([("title", .string("Spring sale"))]))])
        case "LinkPatch": .object([destination, ("note", .null)])
        case "NewAlias": .object([("slug", .string("sale"))])
        case "NewToken":
            .object([("name", .string("newsletter")), ("scopes", .strings(["links.create"]))])
        case "NewPerson": .object([("name", .string("anna")), ("role", .string("editor"))])
        case "FirebaseShortLinkRequest":
            .object([("longDynamicLink", firebaseExample)])
        case "FirebaseManagedShortLinkRequest":
            .object([("longDynamicLink", firebaseExample), ("name", .string("Spring sale"))])
        case "FirebaseReopenRequest": .object([("requestedLink", firebaseExample)])
        case "FirebaseInstallationRequest": .object([("uniqueMatchLinkToCheck", firebaseExample)])
        default: nil
        }
    }

    private static let firebaseExample = JSONText.string(
        "https://go.example.com/links/?link=https%3A%2F%2Fwww.example.com%2Fspring")

    static let importExamples = (
        lines: #"{"slug": "winter", "destination": "https://www.example.com/winter"}"# + "\n",
        table: "slug,destination\nwinter,https://www.example.com/winter\n"
    )

    // MARK: Kinds

    static let text = JSONText.object([("type", .string("string"))])
    static let time = formatted("date-time")
    static let id = formatted("uuid")
    static let number = JSONText.object([("type", .string("integer"))])
    /// Content that is no JSON.
    static let bytes = formatted("binary")
    static let boolean = JSONText.object([("type", .string("boolean"))])

    private static let null = JSONText.object([("type", .string("null"))])

    static func list(of item: JSONText) -> JSONText {
        .object([("type", .string("array")), ("items", item)])
    }

    static func reference(_ name: String) -> JSONText {
        .object([("$ref", .string(prefix + name))])
    }

    private static func formatted(_ format: String) -> JSONText {
        .object([("type", .string("string")), ("format", .string(format))])
    }

    static func choice(_ choices: [String]) -> JSONText {
        .object([("type", .string("string")), ("enum", .strings(choices))])
    }

    static func orNull(_ schema: JSONText) -> JSONText { any(schema, null) }

    private static func any(_ schemas: JSONText...) -> JSONText {
        .object([("anyOf", .array(schemas))])
    }

    static func described(_ schema: JSONText, _ summary: String) -> JSONText {
        guard case .object(let members) = schema else { return schema }
        return .object([("description", .string(summary))] + members)
    }

    private static func object(_ members: Members, optional: Members = []) -> JSONText {
        .object([
            ("type", .string("object")), ("required", .strings(members.map(\.key))),
            ("properties", .object(members + optional)),
        ])
    }
}
