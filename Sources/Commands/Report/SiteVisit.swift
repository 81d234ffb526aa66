import ArgumentParser
import Associations
import Diagnostics
import HTTPClient
import HTTPMessages
import Reporting
import Resolution
import SiteConfiguration
import URISyntax

/// Requests a page and its files from an environment's origin, without a connection.
struct SiteVisit {
    private let environment: Environment
    private let origin: PredictedOrigin
    private let client: String
    private let userAgent: String
    /// Nil if no origin is asked for stored links.
    private let lookup: StoredLookup?

    /// - Throws: the exit status, after printing the errors.
    init(
        _ environment: Environment, client: String, userAgent: String, _ lookup: StoredLookup?
    ) throws {
        self.lookup = lookup
        self.environment = environment
        self.client = client
        self.userAgent = userAgent
        origin = try PredictedOrigin(environment, stored: lookup?.index)
    }

    /// The page of a URL, after following redirects.
    func input(for url: LinkURL) throws -> ReportInput {
        if let lookup {
            try lookup.find(url.requested)
            origin.use(lookup.index)
        }
        let visit = try follow(url, as: userAgent)
        let compressed = origin.get(
            visit.position, userAgent: userAgent, acceptEncoding: "gzip, deflate")
        var input = try input(for: reading(visit.response, of: url), at: url)
        input.exchange = PageExchange(
            client: client, redirects: visit.redirects, response: visit.response.fields,
            encoding: compressed.head.value("content-encoding"))
        let other = client == "iphone-safari" ? "messages-preview" : "iphone-safari"
        let answer = try follow(url, as: VisitorProfile.userAgent(of: other) ?? "").response
        if answer.status == visit.response.status, !(300..<400).contains(answer.status) {
            input.counterpart = Counterpart(client: other, page: try reading(answer, of: url))
        }
        return input
    }

    /// A request, and the requests of its redirects within the environment.
    private func follow(
        _ url: LinkURL, as userAgent: String
    ) throws -> (position: LinkURL, response: FetchResponse, redirects: [PageExchange.Redirect]) {
        var (position, redirects) = (url, [PageExchange.Redirect]())
        var response = origin.get(position, userAgent: userAgent)
        while (300..<400).contains(response.status), redirects.count < redirectsMax,
            let location = response.head.value("location"),
            let next = next(location, from: position)
        {
            redirects.append(.init(status: response.status, location: location))
            position = next
            response = origin.get(position, userAgent: userAgent)
        }
        return (position, response, redirects)
    }

    /// - Throws: the exit status, after printing that the page is too large.
    private func reading(_ response: FetchResponse, of url: LinkURL) throws -> PageReading {
        guard response.received.count <= PageReading.bytesMax else {
            printMessage(
                "\(url): error: the page has \(response.received.count) bytes, may have "
                    + "\(PageReading.bytesMax)")
            throw ExitCode.configurationInvalid
        }
        return PageReading(response.received, file: url.description)
    }

    /// A page of another source, at a URL of the environment, or without a URL.
    func input(for page: PageReading, at url: LinkURL?) throws -> ReportInput {
        var input = ReportInput(page: page, url: url)
        let host = url?.host ?? environment.sites[0].hosts[0].description
        input.site = KnownSite(environment.site(of: host) ?? environment.sites[0])
        input.aasa = try file("/.well-known/apple-app-site-association", host)
        input.assetlinks = try file("/.well-known/assetlinks.json", host)
        input.robots = try file("/robots.txt", host)
        for resource in page.resources(at: url) {
            let response = try get(resource)
            input.resources.updateValue(
                FetchedFile(
                    name: resource.path, bytes: response.received, response: response.fields),
                forKey: resourceKey(resource))
        }
        return input
    }

    private func get(_ url: LinkURL) throws -> FetchResponse {
        origin.get(url, userAgent: userAgent)
    }

    private func file(_ path: String, _ host: String) throws -> FetchedFile {
        let response = try get(LinkURL("https://\(host)\(path)"))
        return FetchedFile(name: path, bytes: response.received, response: response.fields)
    }

    /// The target of a redirect, if this environment serves it.
    private func next(_ location: String, from position: LinkURL) -> LinkURL? {
        let isPath = location.utf8.first == UInt8(ascii: "/")
        let origin = "\(position.isSecure ? "https" : "http")://\(position.host)"
        guard let url = try? LinkURL(isPath ? origin + location : location),
            environment.site(of: url.host) != nil
        else { return nil }
        return url
    }
}

extension FetchResponse {
    fileprivate var fields: ResponseFields { ResponseFields(status: status, fields: head.fields) }
}

extension KnownSite {
    fileprivate init(_ site: Site) {
        self.init(
            environment: site.environment, isClosedToRobots: site.isClosedToRobots,
            hosts: site.answeredHosts.map(\.description),
            apps: site.publications.map(\.app).map { app in
                KnownApp(
                    appID: app.ios?.id.description,
                    storeIdentifier: app.ios?.storeIdentifier,
                    package: app.android?.package.description)
            })
    }
}

/// No more redirects are followed.
private let redirectsMax = 5
