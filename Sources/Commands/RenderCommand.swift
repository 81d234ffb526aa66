import Associations
import Diagnostics
import Files
import ArgumentParser
import Resolution
import SiteConfiguration
import URISyntax

/// Prints what an environment serves, byte for byte. Exit: 0, 1 if it serves no such file or
/// answers with a refusal.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Print an association file, or a page, as an environment serves it.",
        discussion: """
            The bytes are those that `serve` sends, before compression. Of an environment that \
            signs its association file, it is the JSON that is signed. `page` prints what a \
            client gets for the link of --url, and ends with 1 where that is a refusal, such as \
            404; an answer without content prints nothing.
            """)

    @Argument(help: "aasa, assetlinks, robots, sitemap, manifest or page.")
    var artifact: Artifact

    @OptionGroup var source: ConfigurationOptions

    @Option(help: "Write aasa as modern, compatible or legacy, whatever the environment says.")
    var form: Form?

    @Option(help: "The host that is asked; the link's, or the environment's first, unless given.")
    var host: String?

    @Option(help: "The link whose page is printed.")
    var url: String?

    @Option(name: .customLong("as"), help: "Who asks for the page: a client by its name.")
    var profile: String?

    mutating func validate() throws {
        guard form == nil || artifact == .aasa else {
            throw ValidationError("--form is for aasa alone")
        }
        guard (url != nil) == (artifact == .page) else {
            throw ValidationError(
                url == nil ? "page needs --url, the link" : "--url is for page alone")
        }
        guard profile == nil || artifact == .page else {
            throw ValidationError("--as is for page alone")
        }
        if let profile { try checkClient(profile) }
        if let host { try checkArgument(host, HostName.init(_:)) }
        if let url { try checkArgument(url, LinkURL.init(_:)) }
    }

    func run() throws {
        let environment = try source.loadTested()
        if let host = askedHost, !environment.answeredHosts.contains(host) {
            printMessage(
                "waymark: error: environment \(quoted(source.name)) does not answer for host "
                    + quoted(host.description))
            throw ExitCode.no
        }
        var refusal: String?
        guard let bytes = try bytes(of: environment, &refusal) else {
            printMessage(
                "waymark: error: environment \(quoted(source.name)) serves no "
                    + (url ?? artifact.fileName))
            throw ExitCode.no
        }
        try printOutput(.content(bytes))
        if let refusal {
            printMessage("waymark: error: \(url ?? "") is answered with \(refusal)")
            throw ExitCode.no
        }
    }

    /// The host of the options; nil where they name none.
    private var askedHost: HostName? {
        let ofURL = url.flatMap { try? LinkURL($0) }?.host
        return (host ?? ofURL).flatMap { try? HostName($0) }
    }

    /// - Parameter refusal: the status of a page that people are shown with one.
    private func bytes(
        of environment: Environment, _ refusal: inout String?
    ) throws -> [UInt8]? {
        switch artifact {
        case .aasa, .assetlinks: return try bytes(of: environment.associations)
        case .robots, .sitemap, .manifest:
            let origin = "https://\(askedHost ?? environment.hosts[0])"
            let response = try answer(LinkURL("\(origin)/\(artifact.fileName)"), environment)
            return response.status < 400 ? response.body : nil
        case .page:
            guard let url else { return nil }
            let response = try answer(LinkURL(url).at(host), environment)
            if response.status >= 400 { refusal = "\(response.status) \(response.reason)" }
            return response.body
        }
    }

    /// What the origin would send.
    private func answer(_ url: LinkURL, _ environment: Environment) throws -> HTTPResponse {
        let agent = profile.flatMap(VisitorProfile.userAgent) ?? ""
        let origin = try PredictedOrigin(environment.withoutCertificates)
        return origin.get(url, userAgent: agent)
    }

    private func bytes(of associations: PublishedAssociations) throws -> [UInt8]? {
        switch (artifact, form) {
        case (.aasa, nil): return associations.aasa
        case (.aasa, let form?):
            guard associations.aasa != nil else { return nil }
            guard let file = associations.generated else {
                printMessage(
                    "waymark: error: --form \(form) is not to be had: the environment names a "
                        + "ready file, which is served as it is")
                throw ExitCode.no
            }
            return file.serialized(as: form.value)
        default: return associations.assetlinks
        }
    }
}

/// What can be rendered.
enum Artifact: String, CaseIterable, ExpressibleByArgument {
    case aasa, assetlinks, robots, sitemap, manifest, page

    var fileName: String {
        switch self {
        case .aasa: "apple-app-site-association"
        case .assetlinks: "assetlinks.json"
        case .robots: "robots.txt"
        case .sitemap: "sitemap.xml"
        case .manifest: "site.webmanifest"
        case .page: "page"
        }
    }
}

/// How an association file is written.
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
    /// The same at another host, if one is given.
    fileprivate func at(_ host: String?) throws -> LinkURL {
        guard let host else { return self }
        return try LinkURL(
            utf8: Array(bytes[..<hostRange.lowerBound]) + host.utf8
                + bytes[hostRange.upperBound...])
    }
}
