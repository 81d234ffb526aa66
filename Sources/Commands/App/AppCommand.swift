import AppFiles
import ArgumentParser
import Associations
import Diagnostics
import Linting
import Services
import SiteConfiguration

/// Compares what apps declare with what a site publishes. Exit status: as `lint`.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Compare what an app declares with what its site publishes.",
        discussion: """
            A file is an .ipa, .app, .xcarchive, .entitlements, .mobileprovision, .apk, .aab, \
            AndroidManifest.xml, key store or certificate; its content shows which. In another directory, these and the \
            Xcode projects that use them are looked for. The verdict for each app is `agrees`, `differs`, or `cannot be known` with the \
            file that has the answer. docs/app.md describes what is compared. With --live, the hosts that \
            the app declares are asked, as `check` asks them. Without a site's half, the command says what the apps \
            declare, and prints the files that their hosts have to serve.
            """)

    @Argument(help: ArgumentHelp("The files and directories of apps.", valueName: "file"))
    var files: [String] = []

    @Option(help: "A configuration, \(usualConfiguration) by default. Needs --env.")
    var config: String?

    @Option(help: "The environment of the configuration.")
    var env: String?

    @Option(help: "The site's apple-app-site-association file, in place of a configuration.")
    var aasa: String?

    @Option(help: "The site's assetlinks.json file, in place of a configuration.")
    var assetlinks: String?

    @Flag(help: "Ask the hosts that the app declares, in place of a configuration.")
    var live = false

    @OptionGroup var fetching: FetchOptions

    @Option(
        help: """
            The app that files of source are of: its name in the configuration, its application \
            identifier (iOS), or its application ID (Android).
            """)
    var app: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password of a key store. Can be repeated: each is tried.",
            valueName: "file"))
    var passwordFile: [String] = []

    @Option(help: "The format of the verdicts and findings: text, json, sarif or github.")
    var format = LintFormat.text

    @Option(help: "The lowest severity that gives exit status 1: error, warning or note.")
    var failOn = LintCommand.Threshold.error

    @Option(help: "Hide the findings of a rule, given by its name or code. Can be repeated.")
    var ignore: [String] = []

    @Option(help: "Describe a rule, given by its name or code, and exit.")
    var explain: String?

    func validate() throws {
        try checkRules(ignore + [explain].compactMap(\.self))
        guard explain == nil else { return }
        guard !files.isEmpty else { throw ValidationError("give the files of an app") }
        guard !files.contains("-") else {
            throw ValidationError(
                "files of apps are read where they are needed, so - cannot be one")
        }
        let isOfFiles = aasa != nil || assetlinks != nil
        guard [isOfFiles, env != nil, live].count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "give the site's half once: --env with or without --config, or --aasa and --assetlinks, or "
                    + "--live")
        }
        guard passwordFile.count <= AppFileLimits.passwordsMax else {
            throw ValidationError(
                "--password-file is given \(passwordFile.count) times, may be given "
                    + "\(AppFileLimits.passwordsMax) times")
        }
        guard live || !fetching.isUsed else {
            throw ValidationError(
                "--connect, --authorities, --allow-private and --proxy need --live")
        }
        guard config == nil || env != nil else { throw ValidationError("--config needs --env") }
    }

    func run() throws {
        if let explain { return try printExplanation(of: explain) }
        let known = live ? nil : try comparison()
        var run = AppRun(passwords: try passwords())
        Progress.showing("reading", counting: "files", of: files.count) { progress in
            for file in files {
                run.read(file)
                progress.advance()
            }
        }
        var comparison = try known ?? LiveHalves(fetching).comparison(run.hosts, claimed(among: []))
        var (found, sources) = (run.agreements(&comparison), run.sources)
        if !isAlone, run.unread.isEmpty, !found.contains(where: \.isOfApp) {
            found.append(comparison.agreement(ofNothingIn: files[0]))
            sources.leaveOut(files[0])
        }
        if !isAlone { printLeftOut(run.readFiles, comparison) }
        let rules = Set(ignore.flatMap { Catalogue.rules(called: $0).map(\.name) })
        for word in ignore
        where !found.flatMap(\.findings).contains(where: { finding in
            Catalogue.rules(called: word).contains { $0.name == finding.rule }
        }) {
            printMessage(
                Diagnostic(
                    .warning, .unusedSuppression, at: nil, "--ignore \(word) suppresses nothing",
                    advice: "remove it"))
        }
        let agreements = found.map { $0.without { rules.contains($0.rule) } }
        let declared = isAlone ? DeclaredHalf(run.readFiles) : nil
        try printOutput(format.text(agreements, sources: sources, declared))
        if let status = run.unread.first { throw status }
        if agreements.contains(where: { agreement in
            agreement.findings.contains {
                $0.severity >= failOn.severity && (declared?.isShown($0) ?? true)
            }
        }) {
            throw ExitCode.no
        }
    }

    /// Whether no half of a site is given.
    private var isAlone: Bool { aasa == nil && assetlinks == nil && env == nil && !live }

    private func passwords() throws -> [[UInt8]] {
        var passwords = [[UInt8]]()
        for path in passwordFile {
            let file = FileReference(
                path: path, position: SourcePosition(file: path, line: 1, column: 1))
            do throws(SecretFileFault) {
                passwords.append(Array(try readSecret(file).utf8))
            } catch {
                printMessages([
                    "waymark: error: the file \(quotedPath(path)) \(error.reason)",
                    "    write the password of the key store into it, on one line",
                ])
                throw ExitCode.inputMissing
            }
        }
        return passwords
    }

    private func comparison() throws -> AppComparison {
        guard let env else {
            let apple: AssociationReading?
            if let aasa {
                let reading = AssociationReading(try readNamed(aasa), file: shownName(aasa))
                printOfSite(Linter.lint(reading), all: "lint \(shownName(aasa))")
                if !reading.isRead { throw ExitCode.configurationInvalid }
                apple = reading
            } else {
                apple = nil
            }
            let android = try assetlinks.map { path in
                let links = PublishedAssetLinks(
                    .init(try readNamed(path), name: shownName(path)), includes: [:])
                for file in links.files {
                    printOfSite(
                        Linter.lint(AssetLinksReading(file.json, file: file.name), with: links),
                        all: "lint \(shownName(path))")
                }
                return links
            }
            return AppComparison([SiteHalf(apple, android)], claimed: try claimed(among: []))
        }
        let (environment, others) = try ConfigurationOptions.given(
            config: config ?? usualConfiguration, env: env
        ).loadWithOthers()
        let elsewhere = others.flatMap(\.sites).flatMap(\.publications).map(\.app).flatMap { app in
            [app.ios?.id.bundleIdentifier, app.android?.package.description].compactMap(\.self)
        }
        return AppComparison(
            environment.sites.map { SiteHalf($0) },
            claimed: try claimed(among: environment.sites.flatMap(\.apps)),
            elsewhere: Set(elsewhere))
    }

    /// The value of `--app`.
    private func claimed(among apps: [App]) throws(ValidationError) -> ClaimedApp {
        guard let app else { return ClaimedApp() }
        if let known = apps.first(where: { app.isScalarwise($0.key) }) {
            return ClaimedApp(
                ios: known.ios?.id.description, clip: known.ios?.clip?.description,
                android: known.android?.package.description)
        }
        if let identifier = try? AppIdentifier(app) {
            return ClaimedApp(ios: identifier.description)
        }
        if let package = try? AndroidPackage(app) {
            return ClaimedApp(android: package.description)
        }
        let names = Array(Set(apps.map(\.key))).sorted()
        throw ValidationError(
            "--app \(quoted(app)): it is no app of the configuration and no identifier"
                + (names.isEmpty ? "" : "; \(listed(names, as: "app"))"))
    }
}
