import Associations
import SiteConfiguration
private import URISyntax

/// An app of the configuration that is written.
struct PlannedApp {
    let key: String
    var ios: IOS?
    var android: Android?

    struct IOS {
        let id: AppIdentifier
        let source: SourceLine
        var services = [String]()
        var clip: AppIdentifier?
    }

    struct Android {
        let package: AndroidPackage
        let source: SourceLine
        var fingerprints: [CertificateFingerprint]
        var sharesCredentials: Bool
        var isDynamic: Bool
    }
}

/// A link of the configuration that is written.
struct PlannedLink {
    let key: String
    /// In the order in which they are tried.
    var rules: [PlannedRule]
    var answer: RedirectRule.Answer?
    /// Of a redirect.
    var status = RedirectStatus.found
    var source: SourceLine?
    var notes = [String]()
    var differences = [String]()
    /// The number of its site; nil if all sites have it.
    var site: Int?
    /// Whether it answers as its line says.
    var isExact: Bool { notes.isEmpty && differences.isEmpty }
}

/// A site of the configuration that is written.
struct PlannedSite {
    let name: String
    let hosts: [String]
    var unmatched: UnmatchedPage?

    /// The difference of a destination on the site itself, if not all of its hosts are known.
    var otherHosts: String? {
        guard let first = hosts.first,
            let wildcard = hosts.first(where: { $0.utf8.first == UInt8(ascii: "*") })
        else { return nil }
        return "it leads to \(first) from each host of \(wildcard), too"
    }
}

/// A rule of a link, and its line in the file that it comes from.
struct PlannedRule {
    let rule: RuleText
    let source: SourceLine
}

/// An environment of the configuration that is written.
struct PlannedEnvironment {
    var name: String
    /// The host of which the directory of its files has the name.
    var host: String?
    /// The keys of apps, each with the keys of its links in order.
    var publish = [(app: String, links: [String])]()
}

/// Names that are not taken yet.
struct NameSupply {
    private var known = Set<String>()

    /// A name from a text: letters, digits, full stops, hyphens and underscores.
    mutating func name(for text: String, otherwise: String) -> String {
        var bytes = [UInt8]()
        for byte in text.utf8 {
            let isPlain = byte.isLetter || byte.isDigit || "._-".utf8.contains(byte)
            if isPlain {
                bytes.append(byte)
            } else if let last = bytes.last, last != UInt8(ascii: "-") {
                bytes.append(UInt8(ascii: "-"))
            }
        }
        let start = bytes.prefix(Self.bytesMax).drop { !$0.isLetter && !$0.isDigit }
        let end = start.reversed().drop { !$0.isLetter && !$0.isDigit }
        let base = end.isEmpty ? otherwise : String(decoding: end.reversed(), as: UTF8.self)
        if known.insert(base).inserted { return base }
        var number = next[base, default: 2]
        while !known.insert("\(base)-\(number)").inserted { number += 1 }
        next[base] = number + 1
        return "\(base)-\(number)"
    }

    private var next = [String: Int]()
    /// Room for a number within the limit of 64.
    private static let bytesMax = 54
}
