import Associations
import Diagnostics
import Markup

extension PageExamination {
    var robotsResults: [ItemResult] {
        [
            robotsFile, crawling(.robotsApplebot, .applebot),
            crawling(.robotsGooglebot, .googlebot), robotsWellKnown, robotsResources, indexing,
        ]
    }

    private static let noRobots = "robots.txt was not looked at; name it with --robots"

    private var isClosed: Bool { input.site?.isClosedToRobots ?? false }

    private var robotsFile: ItemResult {
        guard let file = input.robots else {
            return ReportItem.robotsFile.notApplicable(Self.noRobots)
        }
        if let status = file.response?.status, status != 200 {
            return (400..<500).contains(status)
                ? ReportItem.robotsFile.pass("\(status): everything is allowed")
                : ReportItem.robotsFile.required("\(status): nothing is allowed")
        }
        guard file.bytes.count <= RobotsFile.bytesMax else {
            return ReportItem.robotsFile.recommended(
                "\(file.bytes.count) bytes, crawlers need read \(RobotsFile.bytesMax)")
        }
        guard file.bytes.first(where: { !$0.isHTMLSpace }) != UInt8(ascii: "<") else {
            return ReportItem.robotsFile.required("it is a page of markup")
        }
        return ReportItem.robotsFile.pass("\(file.bytes.count) bytes")
    }

    private var refusesAll: Bool { input.robots?.response.map { $0.status >= 500 } ?? false }

    private func crawling(_ item: ReportItem, _ crawler: Crawler) -> ItemResult {
        guard let robots else { return item.notApplicable(Self.noRobots) }
        guard let url else { return item.notApplicable(Self.noAddress) }
        guard !isClosed else {
            return item.notApplicable(
                "environment \(quoted(input.site?.environment ?? "")) is closed to robots")
        }
        if refusesAll { return item.required("robots.txt is not answered, which forbids all") }
        let verdict = robots.verdict(crawler, url.target)
        return verdict.isAllowed
            ? item.pass(verdict.line == nil ? words(verdict) : "\(words(verdict)) allows it")
            : item.required("\(words(verdict)) forbids the page")
    }

    private func words(_ verdict: RobotsVerdict) -> String {
        guard let agent = verdict.agent else { return "no group is for it" }
        guard let line = verdict.line else { return "no rule of the group \(quoted(agent))" }
        return "line \(line) of the group \(quoted(agent))"
    }

    private var robotsWellKnown: ItemResult {
        let item = ReportItem.robotsWellKnown
        guard let robots else { return item.notApplicable(Self.noRobots) }
        if refusesAll { return item.required("robots.txt is not answered, which forbids all") }
        for path in ["apple-app-site-association", "assetlinks.json"] {
            for crawler in [Crawler.applebot, .googlebot, .other] {
                let verdict = robots.verdict(crawler, "/.well-known/\(path)")
                guard verdict.isAllowed else {
                    return item.required(
                        "\(words(verdict)) forbids /.well-known/\(path) to \(crawler.rawValue)")
                }
            }
        }
        return item.pass("open to Applebot, Googlebot and all others")
    }

    private var robotsResources: ItemResult {
        let item = ReportItem.robotsResources
        guard let robots else { return item.notApplicable(Self.noRobots) }
        guard let url else { return item.notApplicable(Self.noAddress) }
        guard !isClosed, !refusesAll else {
            return item.notApplicable("robots are kept out altogether")
        }
        let own = ownResources(of: url)
        let forbidden = own.filter { !robots.verdict(.applebot, $0).isAllowed }
        guard let first = forbidden.first else {
            return item.pass(own.isEmpty ? "the page loads nothing of its own host" : "all are")
        }
        return item.recommended("\(quoted(first)) is forbidden, \(forbidden.count) in all")
    }

    /// Scripts, styles and pictures of the page's own host, as requests would name them.
    private func ownResources(of url: LinkURL) -> [String] {
        let styles = page.links("stylesheet").compactMap { $0["href"] }
        let others = (page.sources + page.images).prefix(Self.resourcesMax).compactMap { $0["src"] }
        let all = styles.prefix(Self.resourcesMax) + others
        return all.compactMap { resolve($0, against: base) }.filter { $0.isSameHost(as: url) }
            .map(\.target).filter { $0.utf8.count <= Self.targetBytesMax }
    }

    private static let resourcesMax = 50
    private static let targetBytesMax = 1_024

    private var indexing: ItemResult {
        let item = ReportItem.indexing
        let tags = ["robots", "applebot", "googlebot"].flatMap { page.metas($0) }
        let isForbidding = { (text: String) in
            text.lowercased().utf8.split { $0 == UInt8(ascii: ",") || $0.isHTMLSpace }
                .contains { $0.elementsEqual("noindex".utf8) || $0.elementsEqual("none".utf8) }
        }
        let tag = tags.first { isForbidding($0.content) }
        let field = input.exchange?.response["X-Robots-Tag"].flatMap { isForbidding($0) ? $0 : nil }
        let found =
            tag.map { "line \($0.line) says \(quoted($0.content))" }
            ?? field.map { "X-Robots-Tag: \($0)" }
        if isClosed {
            guard input.exchange != nil || found != nil else {
                return item.notApplicable(Self.noResponse)
            }
            return found.map { item.pass($0) }
                ?? item.required(
                    "the environment is closed to robots, and the page may be indexed",
                    fix: "send X-Robots-Tag: noindex")
        }
        return found.map { item.required($0) } ?? item.pass("nothing forbids it")
    }
}
