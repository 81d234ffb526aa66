import Answering
import ArgumentParser
import Associations
import Diagnostics
import HTTPClient
import Origin
import Resolution
import Reviewing
import SiteConfiguration
import Snapshots
import Sockets
import URISyntax

/// Writes a link as a QR code. Exit status: 0; 64 if the code would not be readable.
struct QRCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr",
        abstract: "Write the QR code of a link, for print, a screen or the terminal.",
        discussion: """
            The code is black on white, because some readers do not find other colours. What a \
            reader could not scan is refused: a module of less than 0.33 mm in print (4 dots of a \
            printer with 300 dpi) or of less than 3 pixels, and a logo that covers more than half \
            of the codewords that a block of the code can correct.

            With --env, a warning says if the environment does not have the link's host, if no app \
            opens the link, or if a phone without the app is led nowhere. A stored link is looked up \
            with --admin.
            """)

    @Argument(help: ArgumentHelp("The link.", valueName: "url"))
    var text: String

    @OptionGroup var code: QROptions

    @Option(
        name: .customLong("config"), help: "The configuration file for --env; - is standard input.")
    var path: String?

    @Option(
        name: .customLong("env"),
        help: "The environment whose hosts and apps the link is compared with.")
    var environmentName: String?

    @OptionGroup var stored: StoredLookupOptions

    func validate() throws {
        try checkLink(text)
        if stored.admin != nil, environmentName == nil {
            throw ValidationError("--admin needs --env")
        }
        if path != nil, environmentName == nil { throw ValidationError("--config needs --env") }
    }

    func run() throws {
        try compareWithEnvironment()
        try code.write(text)
    }

    // MARK: The environment

    /// Warns if people would not get what the link is for.
    private func compareWithEnvironment() throws {
        guard let environmentName else { return }
        let (configuration, diagnostics) = loadConfiguration(path ?? usualConfiguration)
        diagnostics.printAsMessages()
        guard let configuration else {
            throw Configuration.fault(in: diagnostics)?.exitCode ?? .configurationInvalid
        }
        guard let environment = configuration.environment(named: environmentName) else {
            printMessage(configuration.unknownEnvironment(environmentName))
            throw ExitCode.configurationInvalid
        }
        let url = try LinkURL(text)
        let introduction = "waymark: warning: environment \(quoted(environmentName))"
        guard let site = environment.site(of: url.requestedHost) else {
            return printMessage(
                "\(introduction) does not have host \(quoted(url.requestedHost)), so the code "
                    + "leads elsewhere")
        }
        let rules = [site.appleRules, try site.androidRules].compactMap(\.self)
        if !rules.contains(where: { $0.verdicts(for: url).contains { $0.outcome == .open } }) {
            printMessage("\(introduction) has no app that opens the link; a browser does")
        }
        for warning in try answerWarnings(environment.withoutCertificates, url) {
            printMessage("waymark: warning: \(warning)")
        }
    }

    /// The warnings about a code that leads phones without the app nowhere.
    private func answerWarnings(_ environment: Environment, _ url: LinkURL) throws -> [String] {
        let lookup = try stored.lookup(path ?? usualConfiguration, environment.name)
        try lookup?.find(url.requested)
        guard let origin = try? PredictedOrigin(environment, stored: lookup?.index),
            let number = origin.snapshot.sites.number(of: url.requestedHost)
        else { return [] }
        let site = origin.snapshot.sites.sites[number]
        let answers = [("iphone-safari", "an iPhone"), ("android-chrome", "an Android phone")].map {
            client, name in
            let agent = VisitorProfile.userAgent(of: client) ?? ""
            let explanation = RequestExplanation(
                url, Visitor(userAgent: agent), site.source, site.router, site.linkResolver,
                at: Clock.unixSeconds, stored: lookup?.index)
            let status = origin.get(url, userAgent: agent).status
            return (name: name, reason: explanation.decision?.reason, status: status)
        }
        switch answers[0].reason {
        case .notLookedUp:
            return ["the link is one of a store; --admin asks a running origin whether it exists"]
        case .unknownSlug: return ["no stored link has this slug, or it is not there yet"]
        case .disabledSlug: return ["the stored link is disabled"]
        case .deletedSlug: return ["the stored link was deleted"]
        default: break
        }
        return Set(answers.map(\.status)).filter { $0 >= 400 }.sorted().map { status in
            let names = answers.filter { $0.status == status }.map(\.name)
            return "\(inWords(names, "and")) \(names.count == 1 ? "gets" : "get") \(status) from "
                + "environment \(quoted(environment.name)) while the app is not installed"
        }
    }
}
