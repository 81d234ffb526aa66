import Associations

/// A page with all information about it, parsed once for all groups.
struct PageExamination {
    let input: ReportInput
    let page: PageReading
    /// The URL against which relative references are resolved.
    let base: LinkURL?
    let canonical: LinkURL?
    let banner: AppBanner?
    let data: StructuredItems
    let picture: SharedPicture?
    /// Nil if it was not given, or does not exist.
    let aasa: AssociationReading?
    let assetlinks: AssetLinksReading?
    /// The rules of `aasa`.
    let matcher: LinkMatcher?
    /// The rules of robots.txt; nil if they were not given.
    let robots: RobotsFile?

    init(_ input: ReportInput) {
        self.input = input
        page = input.page
        base = page.base?["href"].flatMap { resolve($0, against: input.url) } ?? input.url
        canonical = page.links("canonical").first?["href"]
            .flatMap { [base] in resolve($0, against: base) }
        banner = page.metas("apple-itunes-app").first.map { AppBanner($0.content) }
        data = StructuredItems(page.dataBlocks)
        picture = SharedPicture(page, base, input)
        aasa = input.aasa.flatMap { $0.isThere ? AssociationReading($0.bytes, file: $0.name) : nil }
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

    /// The page's URL if it is known; `canonical` and `og:url` are compared with it.
    var url: LinkURL? { input.url }
}

extension FetchedFile {
    /// Whether it was found; a file on disk was.
    var isThere: Bool { response.map { $0.status == 200 } ?? true }
}
