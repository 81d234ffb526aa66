package import Diagnostics
import LinkIndex
package import URISyntax

/// The rules of a link for the links that its star stands for, which are kept in a store and made
/// while the origin runs.
package struct Collection: Hashable, Sendable {
    /// The hosts to which its links may lead.
    package let destinations: [DestinationRule]
    /// Whether letter case distinguishes slugs.
    package let isExact: Bool
    /// The characters of generated slugs, and how many they have.
    package let alphabet: [UInt8]
    package let length: Int
    /// The parts of Firebase Dynamic Links that go on.
    package var firebase = FirebaseParts()
    /// The actions for browsers when its links have ended; nil if there are none.
    package var after: WebActions?
    package let position: SourcePosition

    /// Small letters and digits that are not taken for others when they are read aloud or typed, and
    /// that make no words.
    package static let usualAlphabet = Array("23456789bcdfghjkmnpqrstvwxyz".utf8)
    /// With the usual alphabet, who tries 100 slugs a second finds one of a million links in a month.
    package static let usualLength = 10
    package static let slugBytesMax = LinkRecord.slugBytesMax

    /// Whether a text can be a slug: letters, digits, `-`, `_` and `~`, and a full stop within.
    package static func isSlug(_ text: [UInt8]) -> Bool {
        guard let first = text.first, let last = text.last, text.count <= slugBytesMax else {
            return false
        }
        let stop = UInt8(ascii: ".")
        return first != stop && last != stop
            && text.allSatisfy { $0.isLetter || $0.isDigit || "-_~.".utf8.contains($0) }
    }

    /// Whether a link may lead to a URL.
    package func allows(_ url: WebURL) -> Bool { destinations.contains { $0.allows(url) } }

    /// Whether its links may lead only to a part of a host.
    package var isConfined: Bool {
        destinations.contains {
            if case .host(_, _, let path) = $0 { !path.isEmpty } else { false }
        }
    }

    /// Whether its links may lead to the stores of apps.
    package var allowsStores: Bool { destinations.contains(.stores) }
}

extension Collection {
    /// Whether a link may lead to a URL, of which the stores' pages are those of the site's apps.
    package func allows(_ url: WebURL, on site: Site) -> Bool {
        allows(url) || allowsStores && site.isStorePage(url)
    }
}
