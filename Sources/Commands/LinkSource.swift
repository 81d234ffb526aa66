import ArgumentParser
import Associations
import Diagnostics
import Files
import Resolution
import Reviewing
import SiteConfiguration

/// The source of the rules that decide links.
struct LinkSource: ParsableArguments {
    @Option(
        help:
            "An apple-app-site-association file of any site, or its https URL; - is standard input."
    )
    var aasa: String?

    @Option(
        help:
            """
            An assetlinks.json of any site, or its https URL, with dynamic rules for Android 15; - is \
            standard input.
            """
    )
    var assetlinks: String?

    @OptionGroup var includes: IncludeOptions

    @OptionGroup var fetching: FetchOptions

    @Option(
        help: "A configuration, \(usualConfiguration) by default; - is standard input. Needs --env."
    )
    var config: String?

    @Option(help: "The environment of the configuration.")
    var env: String?

    mutating func validate() throws {
        let sources = [aasa, assetlinks, config].compactMap(\.self)
        guard sources.count == 1 || sources.isEmpty && env != nil else {
            throw ValidationError(
                "give one of --aasa, --assetlinks, or --env with or without --config")
        }
        for (name, file) in [("--aasa", aasa), ("--assetlinks", assetlinks)] {
            guard let file, isConfigurationName(file) else { continue }
            throw ValidationError(
                "\(name) \(quoted(file)): give a configuration as --config \(file) --env NAME")
        }
        guard includes.includes.isEmpty || assetlinks != nil else {
            throw ValidationError("--include is for --assetlinks")
        }
        guard aasa == nil && assetlinks == nil || env == nil else {
            throw ValidationError("--env is for a configuration")
        }
        guard config == nil || env != nil else { throw ValidationError("--config needs --env") }
    }

    /// Whether the rules are read from standard input.
    var isStandardInput: Bool { [aasa, assetlinks, config].contains("-") }

    /// The compiled rules; errors of the source are printed as messages.
    /// - Throws: the exit status.
    func load() throws(ExitCode) -> LinkRules {
        if let aasa {
            let reading = AssociationReading(try fetching.read(aasa), file: shownName(aasa))
            try printFaults(reading.diagnostics, isRead: reading.isRead)
            return LinkRules(matcher: reading.matcher, kind: .apple, hosts: nil)
        }
        if let assetlinks {
            let bytes = try fetching.read(assetlinks)
            let files = try AssetLinksFiles.read(bytes, name: shownName(assetlinks), includes)
            includes.warnOfUnused(files.links.readIncludes)
            return files.rules()
        }
        let source = ConfigurationOptions.given(
            config: config ?? usualConfiguration, env: env ?? "")
        let environment = try source.load()
        var all = [LinkRules]()
        for site in environment.sites {
            if let rules = site.appleRules { all.append(rules) }
            if let rules = try site.androidRules { all.append(rules) }
        }
        let listed = all.flatMap { $0.hosts ?? [] }
        for index in all.indices { all[index].listedHosts = listed }
        guard var rules = all.first else {
            printMessage(
                Diagnostic(
                    .error, .noAppleApp, at: environment.position,
                    "environment \(quoted(environment.name)) publishes no app",
                    advice: "list an app with its links under `publish`"))
            throw .no
        }
        rules.others = Array(all.dropFirst())
        return rules
    }
}

extension Site {
    /// The rules of assetlinks.json; nil if the site has none.
    /// - Throws: the exit status, after printing why a ready file cannot be read.
    var androidRules: LinkRules? {
        get throws(ExitCode) {
            guard let file = associations.assetlinks else { return nil }
            var includes = IncludeOptions()
            includes.includes = []
            // `lint` says what is wrong with a generated file, where it is written.
            var rules = try AssetLinksFiles.read(
                file, name: "assetlinks.json", includes,
                printsFaults: associations.readyAssetLinks != nil
            ).rules(androidRuleSources)
            (rules.hosts, rules.wildcards) = (answeredHosts, wildcards)
            rules.manifests = manifests
            return rules
        }
    }
}
