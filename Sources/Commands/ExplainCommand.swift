import ArgumentParser
import Associations
import Diagnostics
import Files
import Resolution
private import SiteConfiguration
import URISyntax

/// Shows everything that happens to a link for one client. Exit status: 0; 1 if no site of the
/// environment has the link's host.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show everything that happens to a link, for one client.",
        discussion: """
            Shows which apps open the link and by which rule, each step through the origin, the \
            response, made by the code of `serve`, and the properties of the client.

            Clients: \(VisitorProfile.all.map(\.name).joined(separator: ", ")).
            """)

    @Argument(
        help: ArgumentHelp(
            "The link. With -, each line of standard input has a link and a client's name, and the "
                + "results are lines of JSON.",
            valueName: "url"))
    var text: String

    @OptionGroup var source: ConfigurationOptions

    @Option(name: .customLong("as"), help: "The client, given by its name.")
    var profile: String?

    @Option(help: "The client, given by its User-Agent.")
    var userAgent: String?

    @Option(
        name: .customLong("at"),
        help: "The time of the request, such as 2026-09-01T00:00:00+02:00; by default now.",
        transform: readTime)
    var time: Timestamp?

    @OptionGroup var stored: StoredLookupOptions

    @Option(help: "The format of the result: text or json. By default json with -, else text.")
    var format: OutputFormat?

    func validate() throws {
        if profile != nil, userAgent != nil {
            throw ValidationError("give one of --as and --user-agent")
        }
        if let profile { try checkClient(profile) }
        if let userAgent, userAgent.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw ValidationError("--user-agent contains a control character")
        }
        guard text != "-" else {
            guard format != .text else {
                throw ValidationError("with -, the results are lines of JSON; remove --format text")
            }
            guard source.path != "-" else {
                throw ValidationError("standard input is either the links or the configuration")
            }
            return
        }
        try checkLink(text)
    }

    func run() throws {
        let environment = try source.load().withoutCertificates
        let lookup = try stored.lookup(source.path, environment.name)
        let explainer = try Explainer(
            environment, PredictedOrigin(environment, stored: lookup?.index), lookup, at: time)
        guard text != "-" else { return try explainLines(explainer) }
        let agent = userAgent ?? profile.flatMap(VisitorProfile.userAgent) ?? ""
        if let fault = explainer.fault(ofLink: text) { throw ValidationError(fault) }
        let report = try explainer.report(text, client: profile, agent)
        switch format ?? .text {
        case .text: try printOutput(.lines(report.lines))
        case .json: try printOutput(.json(report.json))
        }
        if !report.hasSite { throw ExitCode.no }
    }

    /// A line of standard input is a link, or a link, a space, and the name of a client.
    private func explainLines(_ explainer: Explainer) throws {
        var input = StandardInputLines()
        var output = Output()
        var number = 0
        var haveSites = true
        while let line = try readLine(&input) {
            number += 1
            let words = line.bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                .map { String(decoding: $0, as: UTF8.self) }
            guard let link = words.first else { continue }
            let client = words.count > 1 ? words[1] : profile
            if let fault = fault(line, words) ?? explainer.fault(ofLink: link) {
                try output.finish()
                printMessage("<stdin>:\(number): error: \(fault)")
                throw ExitCode.no
            }
            let agent = client.flatMap(VisitorProfile.userAgent) ?? userAgent ?? ""
            let report = try explainer.report(link, client: client, agent)
            try output.write(.jsonLine(report.json))
            haveSites = haveSites && report.hasSite
        }
        try output.finish()
        if !haveSites { throw ExitCode.no }
    }

    /// The reason why a line cannot be explained; nil if it can.
    private func fault(_ line: InputLine, _ words: [String]) -> String? {
        if line.isTooLong { return "the line is longer than \(InputLine.bytesMax) bytes" }
        guard words.count <= 2 else {
            return "a line has a link and a client's name, this one has \(words.count) words: "
                + quoted(String(decoding: line.bytes, as: UTF8.self))
        }
        do throws(LinkURLError) { _ = try LinkURL(words[0]) } catch {
            return "\(quoted(words[0])): \(error)"
        }
        guard words.count == 2, VisitorProfile.userAgent(of: words[1]) == nil else { return nil }
        return VisitorProfile.unknown(words[1])
    }
}
