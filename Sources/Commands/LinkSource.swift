import ArgumentParser
import Associations
import Diagnostics
import Files
import SiteConfiguration

/// The source of the rules that decide links.
struct LinkSource: ParsableArguments {
    @Option(help: "An apple-app-site-association file of any site; - is standard input.")
    var aasa: String?

    @Option(help: "An assetlinks.json of any site, with dynamic rules for Android 15.")
    var assetlinks: String?

    @OptionGroup var includes: IncludeOptions

    @Option(help: "A configuration; needs --env.")
    var config: String?

    @Option(help: "The environment of the configuration.")
    var env: String?

    mutating func validate() throws {
        let sources = [aasa, assetlinks, config].compactMap(\.self)
        guard sources.count == 1 else {
            throw ValidationError("give one of --aasa, --assetlinks, or --config with --env")
        }
        guard includes.includes.isEmpty || assetlinks != nil else {
            throw ValidationError("--include is for --assetlinks")
        }
        try checkPair(config: config, env: env)
    }

    /// The compiled rules; errors of the source are printed as messages.
    /// - Throws: the exit status.
    func load() throws(ExitCode) -> LinkRules {
        if let aasa {
            let reading = AssociationReading(try readNamed(aasa), file: aasa)
            try printFaults(reading.diagnostics, isRead: reading.isRead)
            return LinkRules(matcher: reading.matcher, kind: .apple, hosts: nil)
        }
        if let assetlinks {
            let bytes = try readNamed(assetlinks)
            let files = try AssetLinksFiles(bytes, name: assetlinks, includes)
            includes.warnOfUnused(files.links.readIncludes)
            return files.rules
        }
        let source = ConfigurationOptions.given(config: config ?? "", env: env ?? "")
        let environment = try source.load()
        let site = environment.sites[0]
        guard let bytes = site.associations.aasa else {
            printMessage(
                Diagnostic(
                    .error, .noAppleApp, at: environment.position,
                    "environment \(quoted(environment.name)) publishes no iOS app, and so no "
                        + "apple-app-site-association",
                    advice: "for Android's rules: waymark render assetlinks --config … --env … | "
                        + "waymark match --assetlinks - URL"))
            throw .no
        }
        return site.linkRules(bytes)
    }
}

extension Site {
    /// The rules of the site's association file.
    func linkRules(_ file: [UInt8]) -> LinkRules {
        LinkRules(
            matcher: AssociationReading(file, file: "apple-app-site-association").matcher,
            kind: .apple, hosts: answeredHosts, wildcards: wildcards,
            names: associations.generated == nil ? [:] : ruleNames)
    }

    /// The names of generated rules by their JSON pointers: the link, and the rule's position in
    /// the configuration.
    fileprivate var ruleNames: [String: String] {
        var names = [String: String]()
        for (entry, publication) in publications.filter({ $0.app.ios != nil && !$0.links.isEmpty })
            .enumerated()
        {
            let rules = publication.links.flatMap { link in
                link.components.indices.map { (link: link, index: $0) }
            }
            for (number, rule) in rules.enumerated() {
                let pointer = "/applinks/details/\(entry)/components/\(number)"
                let position =
                    rule.link.positions.indices.contains(rule.index)
                    ? ", \(rule.link.positions[rule.index].whole)" : ""
                names[pointer] = "link \(quoted(rule.link.key))\(position)"
            }
        }
        return names
    }
}
