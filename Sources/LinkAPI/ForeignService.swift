/// A service that makes short links, and the columns of the tables that it exports, or that people make of its
/// API's answers.
struct ForeignService: Sendable {
    /// As a parameter names it.
    let name: String
    /// As the service names itself.
    let title: String
    /// The uses of columns, by their headings without letter case and what joins words (`TableHeading.fold`).
    let uses: [String: ForeignUse]
    /// Columns that are passed over where the table also has another one, which says the same and is kept.
    var spare = [String: String]()

    static let all = [
        bitly, branch, dub, kutt, rebrandly, shlink, shortIO, tinyURL, yourls,
    ]

    static func named(_ name: String) -> ForeignService? { all.first { $0.name == name } }

    private init(
        _ name: String, _ title: String, _ rows: [([String], ForeignUse)],
        spare: [String: String] = [:]
    ) {
        (self.name, self.title, self.spare) = (name, title, spare)
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
            (["url", "link", "shorturl"], .slug), (["alias"], .code),
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
            (["shortlink", "link"], .slug), (["key"], .code), (["domain"], .host),
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
            (["link"], .slug), (["address"], .code), (["domain"], .host),
            (["target"], .text("destination")), (["description"], .text("note")),
            (["banned"], .disabled), (["password"], .password), (["id"], .id("kutt")),
            (["createdat"], .time("created")), (["updatedat"], .changes),
            (["expirein"], .time("until")), (["visitcount"], .visits),
        ])

    private static let rebrandly = ForeignService(
        "rebrandly", "Rebrandly",
        [
            (["shorturl"], .slug), (["slashtag"], .code), (["domain", "domainname"], .host),
            (["destination", "destinationurl"], .text("destination")), (["title"], .text("note")),
            (["tags", "tagsname"], .tags), (["id"], .id("rebrandly")),
            (["createdat", "creationdate"], .time("created")), (["updatedat"], .changes),
            (["clicks", "sessions", "lastclickat"], .visits),
        ])

    private static let shlink = ForeignService(
        "shlink", "Shlink",
        [
            (["shorturl"], .slug), (["shortcode"], .code), (["domain"], .host),
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
            (["shorturl", "secureshorturl"], .slug), (["path"], .code),
            (["domain", "hostname"], .host), (["originalurl"], .text("destination")),
            (["title"], .text("note")), (["iphoneurl"], .text("web.ios")),
            (["androidurl"], .text("web.android")), (["archived"], .flag("archived")),
            (["tags"], .tags), (["createdat"], .time("created")), (["updatedat"], .changes),
            (["expiresat"], .time("until")), (["expiredurl"], .text("after")),
            (["password"], .password), (["haspassword"], .disabled),
            (["idstring", "id"], .id("short.io")),
            (["clickslimit"], .lost("a link has no limit of visits")),
            (["clicks", "totalclicks", "humanclicks"], .visits),
        ], spare: ["id": "idstring"])

    private static let tinyURL = ForeignService(
        "tinyurl", "TinyURL",
        [
            (["tinyurl"], .slug), (["alias"], .code), (["domain"], .host),
            (["url", "longurl"], .text("destination")), (["description"], .text("note")),
            (["tags"], .tags), (["archived"], .flag("archived")), (["deleted"], .disabled),
            (["expires", "expiresat"], .time("until")), (["createdat"], .time("created")),
            (["hits", "clicks"], .visits),
        ])

    private static let yourls = ForeignService(
        "yourls", "YOURLS",
        [
            (["shorturl"], .slug), (["keyword"], .code),
            (["url", "longurl"], .text("destination")),
            (["title"], .text("note")), (["timestamp"], .time("created")), (["ip"], .people),
            (["clicks"], .visits),
        ])
}
