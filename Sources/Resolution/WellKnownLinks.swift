import Associations
private import URISyntax

// Programs request names below `/.well-known/`, and a page with status 200 would mean to them that
// the resource exists (RFC 8615 §3). So a link gets such a request only with a pattern for these
// names: a pattern for all paths, such as `/*`, does not.

/// The directory of well-known URIs (RFC 8615).
let wellKnownDirectory = "/.well-known/"

extension Component {
    /// Whether the rule opens paths below `/.well-known/`, and no others.
    package var isWellKnown: Bool {
        guard !exclude, let path else { return false }
        let start = path.utf8.prefix(wellKnownDirectory.utf8.count)
        return caseSensitive == false
            ? start.elementsEqual(wellKnownDirectory.utf8) { $0 | 0x20 == $1 | 0x20 }
            : start.elementsEqual(wellKnownDirectory.utf8)
    }
}

extension LinkURL {
    /// Whether the URL is below `/.well-known/`, however it is escaped.
    var isWellKnown: Bool {
        // Most paths show that they are not, before they are decoded.
        guard let second = path.utf8.dropFirst().first, ".%".utf8.contains(second) else {
            return false
        }
        let written = Array(path.utf8)
        var decoded = written
        let count = (try? PathDecoding.decode(written, 0..<written.count, into: &decoded)) ?? 0
        return decoded[..<count].starts(with: wellKnownDirectory.utf8)
    }
}

extension WebDecision {
    /// The decision for a well-known name that no link has a pattern for.
    static var nothing: WebDecision {
        WebDecision(
            answer: .notFound, link: nil, rule: nil, reason: .noLink, dependsOnVisitor: false,
            leadsToStore: false, passedOn: CampaignParameterSet(), hasEnded: false)
    }
}
