/// A service that makes short links, and the columns of the tables that it exports, or that people make of its
/// API's answers.
struct ForeignService: Sendable {
    /// As a parameter names it.
    let name: String
    /// As the service names itself.
    let title: String
    /// The uses of columns, by their headings without letter case and what joins words (`TableHeading.fold`).
    let uses: [String: ForeignUse]

    static let all = [
        bitly, branch, dub, kutt, rebrandly, shlink, shortIO, tinyURL, yourls,
    ]

    static func named(_ name: String) -> ForeignService? { all.first { $0.name == name } }

    private init(_ name: String, _ title: String, _ rows: [([String], ForeignUse)]) {
        (self.name, self.title) = (name, title)
        uses = Dictionary(
            rows.flatMap { names, use in names.map { ($0, use) } },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: The services

    private static let bitly = ForeignService(
        "bitly", "Bitly",
        [
            (["id", "link", "bitlink", "shorturl"], .slug), (["longurl"], .text("destination")),
            (["custombitlink", "custombitlinks"], .aliases), (["title"], .text("note")),
            (["archived"], .flag("archived")), (["tags"], .tags),
            (["createdat", "created"], .time("created")),
            (["clicks", "totalclicks", "engagements"], .visits), (["createdby"], .people),
        ])

    private static let branch = ForeignService(
        "branch", "Branch",
        [
            (["url", "link", "shorturl"], .slug), (["alias"], .slug),
            (["$fallbackurl", "fallbackurl"], .text("destination")),
            (["$desktopurl", "desktopurl"], .text("web.desktop")),
            (["$iosurl", "iosurl"], .text("web.ios")),
            (["$ipadurl", "ipadurl"], .text("web.ipad")),
            (["$androidurl", "androidurl"], .text("web.android")),
            (["$deeplinkpath", "deeplinkpath"], .text("app.path")),
            (["$ogtitle", "ogtitle"], .text("page.title")),
            (["$ogdescription", "ogdescription"], .text("page.description")),
            (["$ogimageurl", "ogimageurl"], .text("page.image")),
            (["marketingtitle", "$marketingtitle", "title"], .text("note")),
            (["~tags", "tags"], .tags), (["creationdate", "created"], .time("created")),
            (["~id", "id"], .id("branch")), (["clicks", "opens", "installs"], .visits),
        ])

    private static let dub = ForeignService(
        "dub", "Dub",
        [
            (["shortlink", "link"], .slug), (["key"], .slug), (["domain"], .host),
            (["destinationurl", "url"], .text("destination")),
            (["linkid", "id"], .id("dub")), (["tags"], .tags), (["comments"], .text("note")),
            (["archived"], .flag("archived")), (["createdat"], .time("created")),
            (["updatedat"], .changes), (["expiresat"], .time("until")),
            (["expiredurl"], .text("after")), (["ios"], .text("web.ios")),
            (["android"], .text("web.android")), (["password"], .password),
            (["clicks", "leads", "conversions", "revenue", "sales", "salesamount"], .visits),
        ])

    private static let kutt = ForeignService(
        "kutt", "Kutt",
        [
            (["link"], .slug), (["address"], .slug), (["domain"], .host),
            (["target"], .text("destination")), (["description"], .text("note")),
            (["banned"], .disabled), (["password"], .password), (["id"], .id("kutt")),
            (["createdat"], .time("created")), (["updatedat"], .changes),
            (["expirein"], .time("until")), (["visitcount"], .visits),
        ])

    private static let rebrandly = ForeignService(
        "rebrandly", "Rebrandly",
        [
            (["shorturl"], .slug), (["slashtag"], .slug), (["domain", "domainname"], .host),
            (["destination", "destinationurl"], .text("destination")), (["title"], .text("note")),
            (["tags", "tagsname"], .tags), (["id"], .id("rebrandly")),
            (["createdat", "creationdate"], .time("created")), (["updatedat"], .changes),
            (["clicks", "sessions", "lastclickat"], .visits),
        ])

    private static let shlink = ForeignService(
        "shlink", "Shlink",
        [
            (["shorturl"], .slug), (["shortcode"], .slug), (["domain"], .host),
            (["longurl"], .text("destination")), (["title"], .text("note")), (["tags"], .tags),
            (["createdat", "datecreated"], .time("created")),
            (["validsince", "metavalidsince"], .time("from")),
            (["validuntil", "metavaliduntil"], .time("until")),
            (["maxvisits", "metamaxvisits"], .lost("a link has no limit of visits")),
            (["visits", "visitscount", "visitcount"], .visits),
        ])

    private static let shortIO = ForeignService(
        "short.io", "Short.io",
        [
            (["shorturl", "secureshorturl"], .slug), (["path"], .slug),
            (["domain", "hostname"], .host), (["originalurl"], .text("destination")),
            (["title"], .text("note")), (["iphoneurl"], .text("web.ios")),
            (["androidurl"], .text("web.android")), (["archived"], .flag("archived")),
            (["tags"], .tags), (["createdat"], .time("created")), (["updatedat"], .changes),
            (["expiresat"], .time("until")), (["expiredurl"], .text("after")),
            (["password"], .password), (["idstring"], .id("short.io")),
            (["clicks", "totalclicks", "humanclicks"], .visits),
        ])

    private static let tinyURL = ForeignService(
        "tinyurl", "TinyURL",
        [
            (["tinyurl"], .slug), (["alias"], .slug), (["domain"], .host),
            (["url", "longurl"], .text("destination")), (["description"], .text("note")),
            (["tags"], .tags), (["archived"], .flag("archived")), (["deleted"], .disabled),
            (["expires", "expiresat"], .time("until")), (["createdat"], .time("created")),
            (["hits", "clicks"], .visits),
        ])

    private static let yourls = ForeignService(
        "yourls", "YOURLS",
        [
            (["shorturl"], .slug), (["keyword"], .slug),
            (["url", "longurl"], .text("destination")),
            (["title"], .text("note")), (["timestamp"], .time("created")), (["ip"], .people),
            (["clicks"], .visits),
        ])
}

/// The use of a column of another service.
enum ForeignUse: Sendable, Equatable {
    /// The cell is that of a column of ours.
    case text(String)
    /// The slug, or the short URL that it is in.
    case slug
    /// More slugs, or short URLs, with commas between them. The first is the slug of a row that has no other.
    case aliases
    /// The host of the short URL.
    case host
    /// Tags with commas or bars between them.
    case tags
    /// A truth value, in the column of ours.
    case flag(String)
    /// A truth value: the link is made, and not answered.
    case disabled
    /// A link that only who knows a password may follow is made, and not answered.
    case password
    /// A time, in the column of ours.
    case time(String)
    /// The service's number of the link, behind its name.
    case id(String)
    /// It is not kept, for this reason, which is told once.
    case ignored(String)
    /// It is not kept, for this reason, which is told of each row that has a value.
    case lost(String)

    static let visits = ignored("visits that were counted elsewhere are nowhere counted again")
    static let people = ignored("a link says nothing about who has made it")
    static let changes = ignored("a link is as it was changed here")

    /// The column of ours that it fills; nil if there is none.
    var heading: String? {
        switch self {
        case .text(let heading), .flag(let heading), .time(let heading): heading
        case .slug: "slug"
        case .aliases: "aliases"
        case .tags: "tags"
        case .disabled, .password: "state"
        case .id: "externalId"
        case .host, .ignored, .lost: nil
        }
    }

    /// The use of a column that is named like this one of ours; nil if there is none.
    init?(heading: String) {
        switch heading {
        case "slug": self = .slug
        case "aliases": self = .aliases
        case "tags": self = .tags
        case "archived": self = .flag(heading)
        case "created", "from", "until": self = .time(heading)
        default:
            guard TableHeading.column(heading) != nil,
                !TableColumns.informative.contains(where: { $0.name == heading })
            else { return nil }
            self = .text(heading)
        }
    }
}
