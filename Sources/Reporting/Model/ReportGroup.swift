/// The groups of a report card, in order.
package enum ReportGroup: String, CaseIterable, Sendable {
    case reachable
    case robots
    case universalLinks = "universal-links"
    case appLinks = "app-links"
    case linkToApplication = "link-to-application"
    case appClip = "app-clip"
    case title
    case description
    case image
    case icons
    case structuredData = "structured-data"
    case canonicalAndLocale = "canonical-and-locale"
    case previews
    case security
    case accessibility

    /// The group's name for people.
    package var title: String {
        switch self {
        case .reachable: "Reachable"
        case .robots: "Robots"
        case .universalLinks: "Universal links"
        case .appLinks: "App Links"
        case .linkToApplication: "Link to application"
        case .appClip: "App Clip"
        case .title: "Title"
        case .description: "Description"
        case .image: "Image"
        case .icons: "Icons"
        case .structuredData: "Structured data"
        case .canonicalAndLocale: "Canonical address and locale"
        case .previews: "Previews"
        case .security: "Security and privacy"
        case .accessibility: "Accessibility"
        }
    }
}
