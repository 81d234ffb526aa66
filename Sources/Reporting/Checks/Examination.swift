import Associations

/// A page with everything that is known of it, taken apart once for all groups.
struct Examination {
    let input: ReportInput
    let page: PageReading
    /// What relative references are resolved against.
    let base: LinkURL?
    let canonical: LinkURL?
    let banner: AppBanner?
    let data: StructuredData
    let picture: SharedPicture?
    /// Nil where it was not looked at, or is not there.
    let aasa: AssociationReading?
    let assetlinks: AssetLinksReading?
    /// The rules of `aasa`.
    let matcher: LinkMatcher?
    /// The rules of robots.txt; nil where it was not looked at.
    let robots: RobotsFile?

    init(_ input: ReportInput) {
        self.input = input
        page = input.page
        base = page.base?["href"].flatMap { resolve($0, against: input.url) } ?? input.url
        canonical = page.links("canonical").first?["href"]
            .flatMap { [base] in resolve($0, against: base) }
        banner = page.metas("apple-itunes-app").first.map { AppBanner($0.content) }
        data = StructuredData(page.dataBlocks)
        picture = SharedPicture(page, base, input)
        aasa = input.aasa.flatMap {
            $0.isThere ? AssociationReading($0.bytes, file: $0.name) : nil
        }
        assetlinks = input.assetlinks.flatMap {
            $0.isThere ? AssetLinksReading($0.bytes, file: $0.name) : nil
        }
        matcher = aasa?.matcher
        robots = input.robots.map { RobotsFile($0.isThere ? $0.bytes : []) }
    }

    /// One result for each item, in the catalogue's order.
    var results: [ItemResult] {
        [
            reachable, robotsResults, universalLinks, appLinks, linkToApplication, appClip,
            titleResults, descriptionResults, imageResults, iconResults, structuredData,
            canonicalResults, previewResults, securityResults, accessibilityResults,
        ].flatMap(\.self)
    }

    /// The page's address where it is known: what `canonical` and `og:url` are held against.
    var url: LinkURL? { input.url }
}

extension FetchedFile {
    /// Whether it was found; what comes from a disk was.
    var isThere: Bool { response.map { $0.status == 200 } ?? true }
}
