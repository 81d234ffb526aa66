import Associations
import Diagnostics
private import SiteConfiguration
private import URISyntax

/// A step of a request that leads to the response or not, with the reason.
package struct ExplainedStep: Hashable, Sendable {
    package let name: String
    package let isTaken: Bool
    package let reason: String
}

extension LinkURL {
    var targetBytes: Int { target.utf8.count }

    /// The host in requests, if it is written differently in the link.
    var hostWords: String? {
        guard requestedHost != host else {
            return host.utf8.contains { $0 >= 0x80 }
                ? "browsers send the host in punycode, and waymark cannot convert this name: write "
                    + "it as xn--…" : nil
        }
        return host.utf8.contains { $0 >= 0x80 }
            ? "browsers send the host as \(requestedHost), its name in punycode"
            : "the full stop after the host is ignored: \(requestedHost)"
    }
}

extension PathFault {
    var words: String {
        switch self {
        case .unfinishedEscape: "a percent sign is not followed by two hexadecimal digits"
        case .control: "it has an escape of a control character"
        case .escapedSlash: "an escaped slash (%2F) can be understood in two ways"
        case .backslash: "a backslash can be understood in two ways"
        case .escapedTwice: "an escape is left after decoding, and may be decoded again"
        case .notUTF8: "it has escapes of bytes that are not UTF-8"
        case .dotSegment: "browsers resolve the segments . and .. before they send a request"
        }
    }
}

extension Resource {
    /// Its name for people.
    package var words: String {
        switch self {
        case .appleAppSiteAssociation, .assetLinks: "an association file"
        case .robots: "robots.txt, as the environment says"
        case .sitemap: "the sitemap of links and pages"
        case .manifest: "the site's manifest"
        case .wellKnown(.webauthn): "the origins that may use the host's passkeys"
        case .wellKnown(.passkeyEndpoints): "the pages for passkeys"
        case .wellKnown(.appLinking): "the apps of HarmonyOS"
        case .publicFile(let path): "\(path) of the public directory"
        }
    }
}

extension WebDecision {
    /// The answer, for programs.
    var json: JSONText {
        switch answer {
        case .redirect(let url, let status):
            .object([
                ("status", .number(status.rawValue)),
                ("location", .string(String(decoding: url, as: UTF8.self))),
            ])
        case .landing(let offer):
            .object([("status", .number(offer.status)), ("page", .string("landing"))])
        case .summary(let offer):
            .object([("status", .number(offer.status)), ("page", .string("summary"))])
        case .page(let path): .object([("status", .number(200)), ("page", .string(path))])
        case .notFound, .fallback: .object([("status", .number(404))])
        case .gone: .object([("status", .number(410))])
        case .tooLong: .object([("status", .number(414))])
        case .refused: .object([("status", .number(400))])
        case .debug: .object([("status", .number(200)), ("page", .string("debug"))])
        }
    }
}
