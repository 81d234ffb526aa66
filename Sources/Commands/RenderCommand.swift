import Associations
import Diagnostics
import HTTPClient
import HTTPMessages
import Files
import ArgumentParser
import Resolution
import SiteConfiguration
import URISyntax

/// Prints what an environment serves, byte for byte. Exit status: 0; 1 if it serves no such file,
/// or if the response is an error.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Print an association file or a page as an environment serves it.",
        discussion: """
            Prints the bytes that `serve` sends, before compression. If the environment signs its \
            association file, the JSON is printed without the signature. `page` prints the \
            response to --url; the exit status is 1 if that is an error such as 404.
            """)

    @Argument(
        help: """
            aasa, assetlinks, webauthn, passkey-endpoints, applinking, robots, sitemap, manifest \
            or page.
            """)
    var artifact: Artifact

    @OptionGroup var source: ConfigurationOptions

    @Option(help: "The form of aasa: modern, compatible or legacy; overrides the environment's.")
    var form: Form?

    @Option(
        help: "The host of the request; by default the host of --url, or the environment's first.")
    var host: String?

    @Option(help: "The URL of the page.")
    var url: String?

    @Option(
        name: .customLong("as"),
        help: "The client, given by its name; `waymark help explain` lists them.")
    var profile: String?

    @Option(
        name: .customLong("at"),
        help: "The time of the request, such as 2026-09-01T00:00:00+02:00; by default now.",
        transform: readTime)
    var time: Timestamp?

    mutating func validate() throws {
        guard form == nil || artifact == .aasa else {
            throw ValidationError("--form is only for aasa")
        }
        guard (url != nil) == (artifact == .page) else {
            throw ValidationError(url == nil ? "page needs --url" : "--url is only for page")
        }
        guard profile == nil || artifact == .page else {
            throw ValidationError("--as is only for page")
        }
        guard time == nil || artifact == .page else {
            throw ValidationError("--at is only for page")
        }
        if let profile { try checkClient(profile) }
        if let host { try checkArgument(host, HostName.init(_:)) }
        if let url { try checkLink(url) }
    }

    func run() throws {
        let environment = try source.loadTested()
        if let host = askedHost, environment.site(of: host.description) == nil {
            printMessage("waymark: error: \(environment.lacks(host: host.description))")
            throw ExitCode.no
        }
        if askedHost == nil, environment.sites.count > 1 {
            printMessage(
                "waymark: error: environment \(quoted(source.name)) has "
                    + "\(environment.sites.count) sites; give --host, for example "
                    + environment.sites[0].hosts[0].description)
            throw ExitCode.validationFailure
        }
        var refusal: String?
        guard let bytes = try bytes(of: environment, &refusal) else {
            let host = askedHost.map { " on host \(quoted($0.description))" } ?? ""
            printMessage(
                "waymark: error: environment \(quoted(source.name)) serves no "
                    + (url ?? artifact.fileName) + (environment.sites.count > 1 ? host : ""))
            throw ExitCode.no
        }
        try printOutput(.content(bytes))
        if let refusal {
            printMessage("waymark: error: \(url ?? "") is answered with \(refusal)")
            throw ExitCode.no
        }
    }

    /// The host of the options, or nil.
    private var askedHost: HostName? {
        let ofURL = url.flatMap { try? LinkURL($0) }?.host
        return (host ?? ofURL).flatMap { try? HostName($0) }
    }

    /// - Parameter refusal: the status of an error response with a page.
    private func bytes(of environment: Environment, _ refusal: inout String?) throws -> [UInt8]? {
        switch artifact {
        case .aasa, .assetlinks: return try bytes(of: site(environment).associations)
        case .robots, .sitemap, .manifest, .webauthn, .passkeyEndpoints, .applinking:
            let origin = "https://\(askedHost ?? environment.sites[0].hosts[0])"
            let response = try answer(LinkURL("\(origin)/\(artifact.fileName)"), environment)
            if 300..<400 ~= response.status {
                printMessages([
                    "waymark: error: \(origin)/\(artifact.fileName) is a redirect "
                        + "(\(response.status)) to \(quoted(response.head.value("location") ?? ""))",
                    "    the file of another host is printed with --host; a link of the "
                        + "configuration that claims the path hides the file",
                ])
                throw ExitCode.no
            }
            return response.status < 400 ? response.received : nil
        case .page:
            guard let url else { return nil }
            let response = try answer(LinkURL(url).at(host), environment)
            if response.status >= 400 { refusal = "\(response.status) \(response.head.reason)" }
            return response.received
        }
    }

    /// The site of the asked host.
    private func site(_ environment: Environment) -> Site {
        askedHost.flatMap { environment.site(of: $0.description) } ?? environment.sites[0]
    }

    /// The response of the origin.
    private func answer(_ url: LinkURL, _ environment: Environment) throws -> FetchResponse {
        let agent = profile.flatMap(VisitorProfile.userAgent) ?? ""
        let origin = try PredictedOrigin(environment.withoutCertificates)
        return origin.get(url, userAgent: agent, at: time)
    }

    private func bytes(of associations: PublishedAssociations) throws -> [UInt8]? {
        switch (artifact, form) {
        case (.aasa, nil): return associations.aasa
        case (.aasa, let form?):
            guard associations.aasa != nil else { return nil }
            guard let file = associations.generated else {
                printMessage(
                    "waymark: error: --form \(form) is not possible: the environment has a ready "
                        + "file, which is served byte for byte")
                throw ExitCode.no
            }
            return file.serialized(as: form.value)
        default: return associations.assetlinks
        }
    }
}

/// A file that can be rendered.
enum Artifact: String, CaseIterable, ExpressibleByArgument {
    case aasa, assetlinks, webauthn
    case passkeyEndpoints = "passkey-endpoints"
    case applinking, robots, sitemap, manifest, page

    var fileName: String {
        switch self {
        case .aasa: "apple-app-site-association"
        case .assetlinks: "assetlinks.json"
        case .webauthn: ".well-known/webauthn"
        case .passkeyEndpoints: ".well-known/passkey-endpoints"
        case .applinking: ".well-known/applinking.json"
        case .robots: "robots.txt"
        case .sitemap: "sitemap.xml"
        case .manifest: "site.webmanifest"
        case .page: "page"
        }
    }
}

/// The form of an association file.
enum Form: String, CaseIterable, ExpressibleByArgument {
    case modern, compatible, legacy

    var value: AssociationForm {
        switch self {
        case .modern: .modern
        case .compatible: .compatible
        case .legacy: .legacy
        }
    }
}

extension LinkURL {
    /// The same URL with another host, if one is given.
    fileprivate func at(_ host: String?) throws -> LinkURL {
        guard let host else { return self }
        return try LinkURL(
            utf8: Array(bytes[..<hostRange.lowerBound]) + host.utf8
                + bytes[hostRange.upperBound...])
    }
}
