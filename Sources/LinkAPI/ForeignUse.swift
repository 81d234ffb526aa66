import Diagnostics

/// The use of a column of another service.
enum ForeignUse: Sendable, Equatable {
    /// The cell is that of a column of ours.
    case text(String)
    /// The slug, or the short URL that it is in.
    case slug
    /// The slug alone, which may have full stops and is no URL.
    case code
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
    /// The value of a UTM parameter, which becomes a part of the destination.
    case campaign(String)
    /// The column is not kept. The reason is told once.
    case ignored(String)
    /// Values are not kept. The reason is told at each row that has one.
    case lost(String)

    static let visits = ignored("visits that another service has counted are not imported")
    static let people = ignored("a link says nothing about who has made it")
    static let changes = ignored("a link is as it was changed here")

    /// The column of ours that it fills; nil if there is none.
    var heading: String? {
        switch self {
        case .text(let heading), .flag(let heading), .time(let heading): heading
        case .slug, .code: "slug"
        case .aliases: "aliases"
        case .tags: "tags"
        case .disabled, .password: "state"
        case .id: "externalId"
        case .host, .campaign, .ignored, .lost: nil
        }
    }

    /// The use of a column that is named like this one of ours; nil if there is none.
    init?(heading: String) {
        switch heading {
        case "slug": self = .slug
        case "aliases": self = .aliases
        case "tags": self = .tags
        case "archived": self = .flag(heading)
        case "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content":
            self = .campaign(heading)
        case "created", "from", "until": self = .time(heading)
        default:
            guard TableHeading.column(heading) != nil,
                !TableColumns.informative.contains(where: { $0.name == heading })
            else { return nil }
            self = .text(heading)
        }
    }
}

extension ForeignUse {
    /// The columns of ours that a cell of another service can be as it is: no object, and nothing of which each row has to know
    /// the possible values.
    private static let offered = [
        "destination", "slug", "aliases", "tags", "note", "externalId", "archived", "from", "until",
        "created", "after", "page.title", "page.description", "page.image", "web.ios", "web.ipad",
        "web.android", "web.desktop", "web.default", "app.path", "utm_source", "utm_medium",
        "utm_campaign", "utm_term", "utm_content",
    ]
    /// By their names without letter case and what joins words.
    private static let folded: [String: String] = offered.reduce(
        into: ["campaign": "utm_campaign"]
    ) { $0[TableHeading.fold($1)] = $1 }

    /// The column of ours that a heading of theirs probably means; nil if none is like it.
    static func heading(near title: String) -> String? {
        guard title.utf8.count <= TableHeading.nameBytesMax else { return nil }
        // Branch begins names with these.
        let name = TableHeading.fold(title).utf8.drop { "$~".utf8.contains($0) }
        let text = String(Substring(name))
        return folded[text]
            ?? nearestName(to: text, among: folded.keys.sorted()).flatMap {
                folded[$0]
            }
    }
}

extension Problem {
    /// Of a service whose links have names, a row without one is of the domain itself.
    static var noShortName: Problem {
        .invalid([
            PointedFault(
                "/slug", .wrongValue, "the row has no short name: it is of its domain alone",
                advice: "what the domain itself leads to is `unmatched` of the environment")
        ])
    }
}
