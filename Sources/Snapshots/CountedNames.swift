import Answering
import Resolution
import SiteConfiguration

/// The sites and links whose requests are counted by name, each with a number that stands for its
/// cells. A snapshot goes on with the numbers of the snapshot before: a name keeps its number as
/// long as the process runs, also after it has left the configuration, so that no counter
/// decreases. Names beyond the limits are counted together.
package struct CountedNames: Sendable {
    /// A link of a site; the site is empty where there is only one.
    package struct LinkName: Hashable {
        package let site: String
        package let link: String
    }

    /// By their numbers.
    package private(set) var links = [
        LinkName(site: "", link: otherName), LinkName(site: "", link: unmatchedName),
    ]
    package private(set) var sites = [otherName, noneName]
    private var linkNumbers = [LinkName: Int]()
    private var siteNumbers = [String: Int]()
    /// For each site of the snapshot its number, that of its requests without a link, and where its
    /// links begin in `linksOfSites`. Empty without several sites, but for the second and third.
    private var numbersOfSites = [Int]()
    private var unmatchedOfSites = [Int]()
    private var startsOfSites = [Int]()
    private var linksOfSites = [Int]()

    /// The most names that there are, with those that stand for several.
    package static var linksMax: Int { 1_000 }
    package static var sitesMax: Int { 1_000 }

    /// - Parameter previous: of the snapshot before.
    init(_ prepared: [PreparedSite], after previous: CountedNames?) {
        if let previous { self = previous }
        (numbersOfSites, unmatchedOfSites, startsOfSites, linksOfSites) = ([], [], [], [])
        for site in prepared {
            let name = site.source.name ?? ""
            if site.source.name != nil { numbersOfSites.append(number(ofSite: name)) }
            unmatchedOfSites.append(
                number(of: LinkName(site: name, link: Self.unmatchedName), otherwise: 1))
            startsOfSites.append(linksOfSites.count)
            for link in site.linkResolver.links {
                linksOfSites.append(number(of: LinkName(site: name, link: link.key), otherwise: 0))
            }
        }
    }

    /// Whether requests are counted by site, because there are several.
    package var countsSites: Bool { !numbersOfSites.isEmpty }

    /// - Parameter site: the index of the snapshot's site; nil for none.
    package func number(ofSite site: Int?) -> Int { site.map { numbersOfSites[$0] } ?? 1 }

    /// - Parameter link: the index of the site's link; nil if no link claims the request.
    package func number(ofLink link: Int?, of site: Int?) -> Int {
        guard let site else { return 1 }
        return link.map { linksOfSites[startsOfSites[site] + $0] } ?? unmatchedOfSites[site]
    }

    private mutating func number(of name: LinkName, otherwise: Int) -> Int {
        if let known = linkNumbers[name] { return known }
        guard links.count < Self.linksMax else { return otherwise }
        linkNumbers[name] = links.count
        links.append(name)
        return links.count - 1
    }

    private mutating func number(ofSite name: String) -> Int {
        if let known = siteNumbers[name] { return known }
        guard sites.count < Self.sitesMax else { return 0 }
        siteNumbers[name] = sites.count
        sites.append(name)
        return sites.count - 1
    }

    // No name of a configuration begins with such a line.
    private static let otherName = "_other"
    private static let unmatchedName = "_unmatched"
    private static let noneName = "_none"
}
