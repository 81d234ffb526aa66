import ArgumentParser
import Diagnostics
import Files
import Migration
import Pages
import Resolution
import SiteConfiguration
import Sockets
import TLS
import URISyntax

/// Writes what a new site needs on this machine: a commented configuration, a first page, and
/// development certificates. Existing files are kept.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a starter configuration and development certificates.",
        discussion: """
            Creates waymark.yaml, its JSON Schema and Public/index.html unless they exist, and in \
            the certificate directory a development CA (dev-ca.pem) and a certificate for this machine (dev.pem). \
            A certificate that is still valid for every host is kept. Private keys are readable \
            only by their owner. To test, trust dev-ca.pem in a client; never publish it.

            With --from, the configuration means the same as existing files: \
            apple-app-site-association, assetlinks.json, redirects of nginx (return, rewrite), \
            Apache (Redirect, RedirectMatch, RewriteRule), Caddy (redir), Netlify (_redirects), \
            Vercel (vercel.json) and Firebase Hosting (firebase.json), or a CSV table of path, \
            destination and status. Of an app (.ipa, .app, .xcarchive, .apk, .aab, .entitlements, \
            .xcodeproj, AndroidManifest.xml, a key store or certificate) it takes identifiers, fingerprints, hosts and paths. \
            Of a directory, it takes every file that is one of these. What \
            has no equal becomes a comment with file and line. What differs is printed. The exit \
            status is 1 if anything is missing or differs.

            With --theme, it only writes the templates of the built-in landing page, as a start \
            for your own theme.
            """)

    @Option(
        name: .customLong("certificates"),
        help: ArgumentHelp(
            "The directory for certificates and keys; certs beside --config, or here, by default.",
            valueName: "certificates"))
    var certificatesOption: String?
    @Option(name: .customLong("host"), help: "A host for the certificate. Can be repeated.")
    var hosts: [String] = []
    @Flag(help: "Create no configuration and no page.") var certificatesOnly = false
    @Option(help: "Use the hosts of this configuration.") var config: String?
    @Option(help: "Use only the hosts of this environment.") var env: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Write a configuration that means the same as these files or directories.",
            valueName: "file"))
    var from: [String] = []

    @Option(help: "Write the templates of the built-in landing page into this directory.")
    var theme: String?

    func validate() throws {
        for host in hosts {
            if let url = try? WebURL(host) {
                throw ValidationError("\(quoted(host)) is a URL; write its host: \(url.host)")
            }
            if (try? HostName(host)) == nil, let name = hostWithin(host) {
                // A port is of an address, and not of the certificate's host.
                let bare = name.utf8.prefix { $0 != UInt8(ascii: ":") }
                throw ValidationError(
                    "\(quoted(host)) is no host; write \(String(decoding: bare, as: UTF8.self))")
            }
            try checkArgument(host, HostName.init(_:))
            guard try !HostName(host).isAddress else {
                throw ValidationError(
                    "\(quoted(host)) is an address; give the host name of the links, and let it "
                        + "resolve to this address")
            }
        }
        guard env == nil || config != nil || certificatesOnly else {
            throw ValidationError("--env chooses hosts of --config, or for --certificates-only")
        }
        guard !from.contains(where: \.isEmpty) else {
            throw ValidationError("--from is empty; name a file or a directory")
        }
        guard from.isEmpty || !certificatesOnly && config == nil && theme == nil else {
            throw ValidationError(
                "--from writes a configuration: it goes with --host and --certificates alone")
        }
    }

    private var certificates: String {
        if let certificatesOption { return certificatesOption }
        let directory = config.map(Configuration.directory(of:)) ?? "."
        return directory == "." ? "certs" : "\(directory)/certs"
    }

    func run() throws {
        if let theme { return try writeTheme(theme) }
        if !from.isEmpty { return try migrate() }
        try writeCertificates(for: try allHosts())
        guard !certificatesOnly else { return }
        let all = hosts.isEmpty ? ["localhost"] : hosts
        try writeStarter(starterConfiguration(all, certificates))
        printNextSteps(all[0], "dev")
    }

    /// Writes a configuration that means the same as existing files.
    private func migrate() throws {
        guard !exists("waymark.yaml") else {
            printMessage(
                "waymark: error: waymark.yaml exists, and is not replaced; rename it, or run this in "
                    + "another directory, and copy what you need")
            throw ExitCode.no
        }
        var migration = try MigrationRun(from, hosts: hosts)
        let written = try migration.written(
            hosts: hosts.isEmpty ? migration.hosts : hosts,
            certificates: ("\(certificates)/dev.pem", "\(certificates)/dev.key"))
        guard written.hasContent else {
            printMessage("waymark: error: nothing could be translated, so nothing was written")
            throw ExitCode.no
        }
        try writeCertificates(for: unique(written.hosts + Self.ownNames))
        try writeStarter(written.text, hasPage: !migration.answersRoot)
        printNextSteps(written.host, written.environment, written.triedPath)
        guard !migration.isIncomplete else {
            printMessage(
                "waymark: waymark.yaml lacks what is listed above as not translated, and differs "
                    + "where that is said")
            throw ExitCode.no
        }
    }

    /// - Parameter path: of an association file.
    private func printNextSteps(
        _ host: String, _ environment: String, _ path: String = Router.applePaths[0]
    ) {
        printMessages([
            "waymark: next: edit waymark.yaml, then waymark lint waymark.yaml, then "
                + "waymark serve --env \(environment)",
            "waymark: and try it: curl --cacert \(certificates)/dev-ca.pem "
                + "--resolve \(host):8443:127.0.0.1 https://\(host):8443\(path)",
        ])
    }

    private static let ownNames = ["localhost", "127.0.0.1", "::1"]

    private func unique(_ names: [String]) -> [String] {
        var seen = Set<String>()
        return names.filter { seen.insert($0).inserted }
    }

    /// The hosts of the command line, and this machine's own names.
    private func allHosts() throws -> [String] {
        var all = hosts
        // An existing configuration's hosts are added to others, unless it cannot be read or only
        // certificates are written.
        let isAsked =
            hosts.isEmpty
            || !certificatesOnly && Configuration.load(path: "waymark.yaml").configuration != nil
        let existing =
            env != nil || isAsked && exists(usualConfiguration) ? usualConfiguration : nil
        if let config = config ?? existing { all += try hosts(of: config) }
        return unique(all + Self.ownNames)
    }

    private func exists(_ path: String) -> Bool { FileStamp(of: path) != nil }

    private func hosts(of path: String) throws -> [String] {
        let (configuration, diagnostics) = Configuration.load(path: path)
        guard let configuration else {
            for diagnostic in diagnostics { printMessage(diagnostic) }
            throw Configuration.fault(in: diagnostics)?.exitCode ?? .configurationInvalid
        }
        let environments =
            try env.map { [try configuration.requireEnvironment(named: $0)] }
            ?? configuration.environments
        return environments.flatMap(\.sites).flatMap(\.hostPatterns)
            + environments.flatMap(\.ownHosts).map { "\($0.name)" }
    }

    /// Existing files of a theme are kept. No styles are written, because a theme's styles are
    /// added to the built-in ones.
    private func writeTheme(_ directory: String) throws {
        try writing(directory) { () throws(FileError) in try createDirectory(directory) }
        for file in Theme.builtInFiles where file.name != "style.css" {
            let path = "\(directory)/\(file.name)"
            try create(path, file.text)
        }
    }

    // MARK: Certificates

    private func writeCertificates(for hosts: [String]) throws {
        let now = Clock.unixSeconds
        try writing(certificates) { () throws(FileError) in try createDirectory(certificates) }
        let authority = try loadOrMakeAuthority(now)
        if let current = try readPair("dev"), isGood(current, for: hosts, now) {
            return say("kept", "dev.pem")
        }
        let issued = try authority.issue(for: hosts, now: now)
        try replace("dev.key", issued.key, mode: 0o600)
        try replace("dev.pem", issued.certificate, mode: 0o644)
        say("wrote", "dev.pem")
    }

    private func loadOrMakeAuthority(_ now: Int) throws -> DevelopmentAuthority {
        if let pair = try readPair("dev-ca"), pair.certificate.notAfter > now + renewalSeconds {
            say("kept", "dev-ca.pem")
            return try DevelopmentAuthority(certificate: pair.chain, key: pair.key)
        }
        let authority = try DevelopmentAuthority(now: now)
        try replace("dev-ca.key", try authority.keyPEM(), mode: 0o600)
        try replace("dev-ca.pem", try authority.certificatePEM(), mode: 0o644)
        // A certificate of an earlier authority does not work with this one.
        removeFile("\(certificates)/dev.pem")
        say("wrote", "dev-ca.pem")
        return authority
    }

    private typealias Pair = (certificate: ServerCertificate, chain: [UInt8], key: [UInt8])

    /// Nil if there is none, or none that is usable.
    /// - Throws: the exit status if it cannot be read. It is not replaced then, because browsers
    ///   may trust this authority.
    private func readPair(_ name: String) throws(ExitCode) -> Pair? {
        guard let chain = try readIfThere("\(certificates)/\(name).pem"),
            let key = try readIfThere("\(certificates)/\(name).key"),
            let certificate = try? ServerCertificate(chain: chain, key: key)
        else { return nil }
        return (certificate, chain, key)
    }

    private func readIfThere(_ path: String) throws(ExitCode) -> [UInt8]? {
        do {
            return try readFile(path, bytesMax: pemBytesMax).bytes
        } catch {
            if error == .missing { return nil }
            throw report(error, of: path)
        }
    }

    private func isGood(_ pair: Pair, for hosts: [String], _ now: Int) -> Bool {
        let names = hosts.filter { !$0.utf8.contains(UInt8(ascii: ":")) && $0 != "127.0.0.1" }
        return pair.certificate.notAfter > now + renewalSeconds
            && names.allSatisfy(pair.certificate.covers)
    }

    private func replace(_ name: String, _ bytes: [UInt8], mode: UInt32) throws {
        let path = "\(certificates)/\(name)"
        try writing(path) { () throws(FileError) in try replaceFile(path, bytes, mode: mode) }
    }

    private func say(_ verb: String, _ name: String) {
        printMessage("waymark: \(verb) \(certificates)/\(name)")
    }

    // MARK: Starter

    /// - Parameter hasPage: whether to write a first page, which comes before a link to `/`.
    private func writeStarter(_ configuration: String, hasPage: Bool = true) throws {
        try create("waymark.yaml", configuration)
        try create("waymark.schema.json", ConfigurationSchema.text)
        try writing("Public") { () throws(FileError) in try createDirectory("Public") }
        if hasPage { try create("Public/index.html", starterPage) }
    }

    private func create(_ path: String, _ text: String) throws {
        let isNew = try writing(path) { () throws(FileError) in
            try createFile(path, Array(text.utf8), mode: 0o644)
        }
        printMessage("waymark: \(isNew ? "wrote" : "kept") \(path)")
    }
}

private let pemBytesMax = 1 << 20
/// A certificate with less than a week left is renewed.
private let renewalSeconds = 7 * 86400

private func starterConfiguration(_ hosts: [String], _ certificates: String) -> String {
    let (chain, key) = (yamlText("\(certificates)/dev.pem"), yamlText("\(certificates)/dev.key"))
    return """
        # yaml-language-server: $schema=waymark.schema.json
        #
        # The configuration of a Waymark origin. Every key is described in docs/configuration.md of
        # Waymark's repository; `waymark lint waymark.yaml` says what is wrong.
        version: 1

        apps:                      # who may open links
          example:
            ios:
              # App ID prefix, full stop, bundle identifier: developer.apple.com › Identifiers
              id: ABCDE12345.com.example.app
            # android:
            #   package: com.example.app
            #   sha256: ["…"]      # every signing key; Play's first

        links:                     # what is linked to; the first match decides
          items:
            match: /items/*
            exclude: /items/internal/*

        environments:
          dev:
            hosts: [\(hosts.map(yamlText).joined(separator: ", "))]
            tls: {certificate: \(chain), key: \(key)}
            publish:               # app -> links: what the association files say
              example: [items]
            unmatched: not-found   # or a page of Public/, or a URL
            robots: closed
          # prod:                  # then `waymark init --certificates-only` for a trial
          #   extends: dev
          #   hosts: [links.example.com]
          #   robots: open

        expect:                    # link tests: `waymark test` runs them
          - {url: "https://\(hosts[0])/items/1", env: dev, opens: [example]}

        """
}

private let starterPage = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>It works</title>
    <p>This page is <code>Public/index.html</code>.</p>
    </html>

    """

extension Migration.Written {
    /// The path of an association file that its host answers.
    fileprivate var triedPath: String {
        let tried = configuration.environments.first { $0.name == environment }
        let associations = (tried?.site(of: host) ?? tried?.sites.first)?.associations
        let hasAppleFile = associations?.aasa != nil || associations?.assetlinks == nil
        return hasAppleFile ? Router.applePaths[0] : Router.assetLinksPath
    }
}
