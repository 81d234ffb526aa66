package import ArgumentParser
import Associations
import Diagnostics
import Files
import Resolution
import SiteConfiguration

/// Says everything that happens to a link for one client. Exit: 0.
package struct ExplainCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Say everything that happens to a link, for one client.",
        discussion: """
            Which apps would open it and by which rule; each step on its way through the origin, \
            taken or passed over; the response, made by the code that `serve` runs; and what is \
            known of the client. Clients: \(VisitorProfile.all.map(\.name).joined(separator: ", ")).
            """)

    @Argument(help: ArgumentHelp("The link.", valueName: "url"))
    var text: String

    @OptionGroup var source: ConfigurationOptions

    @Option(name: .customLong("as"), help: "Who asks: a client by its name.")
    var profile: String?

    @Option(help: "Who asks: the text of a User-Agent field.")
    var userAgent: String?

    @Option(help: "How it is printed: text or json.")
    var format = Format.text

    package init() {}

    /// How it is printed.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    package func validate() throws {
        if profile != nil, userAgent != nil {
            throw ValidationError("give one of --as and --user-agent")
        }
        if let profile, VisitorProfile.userAgent(of: profile) == nil {
            throw ValidationError(VisitorProfile.unknown(profile))
        }
        if let userAgent, userAgent.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw ValidationError("--user-agent holds a control character")
        }
        do throws(LinkURLError) {
            _ = try LinkURL(text)
        } catch {
            throw ValidationError("\(quoted(text)): \(error)")
        }
    }

    package func run() throws {
        let environment = try source.load().environment.withoutCertificates
        let url = try LinkURL(text)
        let agent = userAgent ?? profile.flatMap(VisitorProfile.userAgent) ?? ""
        let files = (try? findFiles(under: environment.publicDirectory.path)) ?? []
        let visitor = Visitor(userAgent: agent)
        let report = LinkReport(
            url: text, client: profile ?? (agent.isEmpty ? "a client without a name" : agent),
            environment: environment.name, host: url.host, visitor: visitor,
            apps: environment.associations.aasa.map {
                environment.linkRules($0).verdicts(for: url)
            } ?? [],
            steps: RequestExplanation(
                url, visitor, environment, files: files.map(\.relativePath)),
            response: try OriginRehearsal(environment).get(url, userAgent: agent))
        switch format {
        case .text: print(report.text, terminator: "")
        case .json: print(report.json.indented)
        }
    }
}

extension VisitorProfile {
    /// What is said of a name that no client bears.
    static func unknown(_ name: String) -> String {
        let nearest = nearestName(to: name, among: all.map(\.name))
        return "no client is called \(quoted(name))"
            + (nearest.map { "; did you mean \(quoted($0))?" } ?? "")
    }
}
