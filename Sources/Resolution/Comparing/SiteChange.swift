package import Diagnostics
package import SiteConfiguration

/// A change between two versions of a site that visitors or programs notice. Both versions have
/// decided the same URL, and this is what differs.
package struct SiteChange: Sendable {
    /// The part that changes: `response`, a part of a page, or the name of a setting.
    package let subject: String
    package let url: String
    /// For whom; empty for a setting.
    package let audience: [Audience]
    package let before: String
    package let after: String
    /// The link that decides: in the new version, or else in the old one.
    package let link: Link?
    /// The number of other rules whose links change in the same way.
    package internal(set) var others = 0
    /// The stored link that was imagined, because those of the store are not known.
    var imagined: ImaginedLink?
    /// The reason for which a reviewer must not miss it, in two words; nil for most changes.
    package internal(set) var alarm: String?

    /// The position of the link in the new version.
    package var position: SourcePosition? { link?.positions.first?.whole }

    /// The link that decides, in words; nil for a setting.
    package var cause: String? {
        guard let link, !audience.isEmpty else { return nil }
        switch imagined {
        case nil: return "link \(link.key)"
        case .usual, .ended: return "a link of the collection \(link.key)"
        case .landing: return "a link of the collection \(link.key) that has a landing page"
        }
    }
}

/// Visitors who can get different responses.
package enum Audience: String, Sendable, CaseIterable {
    case iPhone = "iphone"
    case iPad = "ipad"
    case android
    case computer = "desktop"
    case programs

    /// The visitor who stands for them.
    var visitor: Visitor {
        let profile =
            switch self {
            case .iPhone: "iphone-safari"
            case .iPad: "ipad-mobile"
            case .android: "android-chrome"
            case .computer: "desktop-chrome"
            case .programs: "slack-preview"
            }
        return Visitor(userAgent: VisitorProfile.userAgent(of: profile) ?? "")
    }

    /// For people: "on iPhones and iPads".
    package static func words(_ audience: [Audience]) -> String {
        let systems = audience.compactMap { one -> String? in
            switch one {
            case .iPhone: "iPhones"
            case .iPad: "iPads"
            case .android: "Android"
            case .computer: "computers"
            case .programs: nil
            }
        }
        let isForPrograms = audience.contains(.programs)
        if systems.count == allCases.count - 1 {
            return isForPrograms ? "for everyone" : "for people on every system"
        }
        let programs = isForPrograms ? ["for link previews and search engines"] : []
        let people = systems.isEmpty ? [] : ["on " + inWords(systems, "and")]
        return (people + programs).joined(separator: ", and ")
    }
}

/// A host to which links lead in only one of two versions.
package struct DestinationHost: Sendable {
    package let host: String
    /// A link that leads there; nil if no sample does.
    package internal(set) var example: String?
    package internal(set) var audience: [Audience]
    package internal(set) var position: SourcePosition?
}
