/// A field of the form of a link. Its raw value is its name in the form.
enum LinkField: String, CaseIterable, Sendable {
    case collection, slug, title, description, image, destination
    case source = "utm_source"
    case medium = "utm_medium"
    case campaign = "utm_campaign"
    case term = "utm_term"
    case content = "utm_content"
    case iPhone = "ios"
    case iPad = "ipad"
    case android, desktop
    case everybody = "default"
    case appPath = "app-path"
    case appData = "app-data"
    case tags, note, from, until, after, state

    /// The parameters of a campaign, which are a part of the destination.
    static let campaignFields: [LinkField] = [.source, .medium, .campaign, .term, .content]
    /// Actions for one platform each.
    static let actionFields: [LinkField] = [.iPhone, .iPad, .android, .desktop, .everybody]

    /// The fields of a link that exists: its collection and slug stay.
    static let ofLink = allCases.filter { $0 != .collection && $0 != .slug }

    /// The place of the field's value in a link of the API, as a JSON Pointer.
    var pointer: String {
        switch self {
        case .title, .description, .image: "/page/\(rawValue)"
        case .source, .medium, .campaign, .term, .content: "/destination"
        case .iPhone, .iPad, .android, .desktop, .everybody: "/web/\(rawValue)"
        case .appPath: "/app/path"
        case .appData: "/app/data"
        default: "/\(rawValue)"
        }
    }

    var label: ConsoleText {
        switch self {
        case .collection: .collection
        case .slug: .slug
        case .title: .linkTitle
        case .description: .linkDescription
        case .image: .picture
        case .destination: .destination
        case .source: .utmSource
        case .medium: .utmMedium
        case .campaign: .utmCampaign
        case .term: .utmTerm
        case .content: .utmContent
        case .iPhone: .onIPhone
        case .iPad: .onIPad
        case .android: .onAndroid
        case .desktop: .onDesktop
        case .everybody: .onOthers
        case .appPath: .appPath
        case .appData: .appData
        case .tags: .tags
        case .note: .note
        case .from: .from
        case .until: .until
        case .after: .after
        case .state: .state
        }
    }

    var hint: ConsoleText? {
        switch self {
        case .slug: .slugHint
        case .title: .titleHint
        case .description: .descriptionHint
        case .image: .pictureHint
        case .destination: .destinationHint
        case .source: .utmSourceHint
        case .medium: .utmMediumHint
        case .campaign: .utmCampaignHint
        case .appPath: .appPathHint
        case .appData: .appDataHint
        case .tags: .tagsHint
        case .note: .noteHint
        case .from: .fromHint
        case .until: .untilHint
        case .after: .afterHint
        default: nil
        }
    }

    var isLong: Bool { self == .description || self == .appData || self == .note }
    var isAction: Bool { Self.actionFields.contains(self) || self == .after }
}
