import ArgumentParser
import Diagnostics
import Files
import HTTPClient
import LiveCheck
import Origin
import Services
import SiteConfiguration
import Sockets
import TLS
import URISyntax

/// Checks live hosts as fetchers of association files do. Exit status: 0 if links open apps there;
/// 1 if something is broken; 69 if no host could be asked.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask a live site as Apple and Google do, and name what is broken.",
        discussion: """
            Checks DNS, each address, TLS, both association files, and the copies of Apple's CDN \
            and Google's service, and names the first cause with its cure. Apple's CDN is asked \
            only if the file can be fetched directly, because it keeps failures for an hour.
            """)

    @Argument(help: "Hosts, such as www.example.com or www.example.com:8443.")
    var hosts = [String]()

    @Option(
        name: .customLong("config"),
        help: "A configuration, to check the hosts of --env and compare their files with it.")
    var path: String?

    @Option(name: .customLong("env"), help: "The name of the environment.")
    var environment: String?

    @Flag(
        help: """
            There is an iOS app, and without --android no Android app: what is expected where no \
            configuration says it.
            """)
    var ios = false

    @Flag(help: "There is an Android app, and without --ios no iOS app.")
    var android = false

    @OptionGroup var fetching: FetchOptions

    @Option(help: "Apple's CDN: a URL, or off.", transform: ServiceOption.init(_:))
    var apple: ServiceOption?

    @Option(help: "Google's service: a URL, or off.", transform: ServiceOption.init(_:))
    var google: ServiceOption?

    @Flag(help: "Let warnings count: the exit status is 1.")
    var strict = false

    @Flag(help: "Let it count if Apple's CDN does not have the live file: the exit status is 1.")
    var requireCDN = false

    @Flag(
        name: .customLong("always-ask-cdn"),
        help: """
            Ask Apple's CDN also if the file cannot be fetched directly. It keeps a failure for about an \
            hour.
            """)
    var alwaysAskCDN = false

    @Option(
        help: """
            Ask again until Apple's CDN has the live file, at most so long: 90s, 30m or 2h. The exit \
            status is 1 if it has not.
            """, transform: TimeSpan.init(_:))
    var wait: TimeSpan?

    @Option(
        help: """
            Ask again after each such time, such as 5m, and print what has changed, until the process is \
            ended.
            """, transform: TimeSpan.init(_:))
    var every: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Write the results as metrics of Prometheus into this file, for a collector of text files.",
            valueName: "file"))
    var textfile: String?

    @Option(help: "The format of the results: text, json, github or junit.")
    var format = Format.text

    /// The format of the results.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, github, junit
    }

    mutating func validate() throws {
        guard (path == nil) == (environment == nil) else {
            throw ValidationError("--config and --env belong together")
        }
        guard path == nil || !(ios || android) else {
            throw ValidationError(
                "the configuration says which apps there are; --ios and --android are for hosts "
                    + "without --config")
        }
        guard path != nil || !hosts.isEmpty else {
            throw ValidationError("no host was given, and no --config with --env")
        }
        for host in hosts {
            let known = try LiveHost(host)
            let name = known.name.description
            guard
                !known.isWithin || fetching.allowPrivate
                    || fetching.connect.contains(where: { $0.host == name })
            else {
                throw ValidationError(
                    "\(quoted(name)) is no name of the public internet; add --allow-private to check "
                        + "it all the same")
            }
        }
        guard apple?.isOff != true || (wait == nil && !requireCDN && !alwaysAskCDN) else {
            throw ValidationError("--wait, --require-cdn and --always-ask-cdn need Apple's CDN")
        }
        guard every == nil || wait == nil else {
            throw ValidationError("--every and --wait cannot be used together")
        }
        guard every == nil || format == .text || format == .json else {
            throw ValidationError("--every prints text or json")
        }
    }

    func run() throws {
        let client = try fetching.client()
        var services = LiveServices()
        if let apple { services.apple = apple.address }
        if let google { services.google = google.address }
        let surveyor = Surveyor(
            client, services, agent: "Waymark/\(programVersion)", asksAppleAlways: alwaysAskCDN)
        guard let pause = try? Wakeup() else { throw ExitCode.ourFault }
        var hosts = try targets()
        try checkOverrides(hosts, services)
        if let every { return try repeatForever(every, surveyor, hosts, pause) }
        let reports = Progress.showing("asking") { progress in
            ask(&hosts, surveyor, pause, progress)
        }
        try write(textfile, hosts)
        switch format {
        case .text: try printOutput(.lines(reports.flatMap(\.lines)))
        case .json: try printOutput(.json(.array(reports.map(\.json))))
        case .github: try printOutput(.commands(reports.flatMap(\.commands)))
        case .junit: try printOutput(.xml(JUnitReport(reports).root))
        }
        if let status = status(of: reports) { throw status }
    }

    /// Asks all hosts, and with `--wait` again until Apple's CDN has the live files.
    private func ask(
        _ hosts: inout [CheckedHost], _ surveyor: Surveyor, _ pause: Wakeup, _ progress: Progress
    ) -> [HostReport] {
        let end = Clock.monotonicMilliseconds + (wait?.seconds ?? 0) * 1_000
        while true {
            progress.goOn("asking", counting: "hosts", of: hosts.count)
            let reports = hosts.indices.map { index in
                defer { progress.advance() }
                return hosts[index].check(by: surveyor, asksAlways: true)
            }
            let left = end - Clock.monotonicMilliseconds
            guard left > 0, !reports.allSatisfy(\.isCurrentAtApple) else { return reports }
            // What is wrong with the site itself does not pass by itself.
            guard !reports.contains(where: \.isBrokenHere) else { return reports }
            // Before its copy has expired, Apple's CDN does not look for another.
            let rest = hosts.compactMap(\.secondsToNextCopy).min() ?? 0
            let seconds = max(Self.pauseSeconds.lowerBound, min(rest, Self.pauseSeconds.upperBound))
            let current = reports.count(where: \.isCurrentAtApple)
            progress.goOn(
                "Apple's CDN has the live file of \(current) of \(hosts.count) hosts; asking again in "
                    + "\(min(left / 1_000, seconds)) s, for \(left / 1_000) s at most")
            pause.wait(atMost: min(left, seconds * 1_000))
        }
    }

    /// Asks again and again, and prints what has changed, until a signal ends the process.
    private func repeatForever(
        _ every: TimeSpan, _ surveyor: Surveyor, _ first: [CheckedHost], _ pause: Wakeup
    ) throws {
        var hosts = first
        while true {
            let began = Clock.monotonicMilliseconds
            for index in hosts.indices {
                let before = hosts[index].last?.report
                let report = hosts[index].check(by: surveyor)
                guard before.map(report.isSame) != true else { continue }
                switch format {
                case .json: try printOutput(.jsonLine(report.json))
                case .text, .github, .junit: try printOutput(.lines(report.lines))
                }
            }
            let next = began + every.seconds * 1_000
            try write(textfile, hosts, next: Clock.unixSeconds + every.seconds)
            while case let left = next - Clock.monotonicMilliseconds, left > 0 {
                pause.wait(atMost: left)
            }
            // A configuration with errors is said, and does not end the watch.
            guard var changed = try? targets() else { continue }
            for index in changed.indices {
                let name = changed[index].name
                guard let known = hosts.first(where: { $0.name == name }) else { continue }
                changed[index].goOn(from: known)
            }
            hosts = changed
        }
    }

    private func write(_ path: String?, _ hosts: [CheckedHost], next: Int? = nil) throws(ExitCode) {
        guard let path else { return }
        let bytes = hosts.map { CheckEntry($0, next: next) }.exposition
        try writing(path) { () throws(FileError) in try replaceFile(path, bytes, mode: 0o644) }
    }

    /// Refuses a --connect that nothing would use.
    private func checkOverrides(_ hosts: [CheckedHost], _ services: LiveServices) throws {
        let others = [services.apple, services.google].compactMap { $0?.host }
        let used = Set(hosts.map(\.name) + others)
        guard let unused = fetching.connect.first(where: { !used.contains($0.host) }) else {
            return
        }
        throw ValidationError(
            "--connect is for \(quoted(unused.host)), which is not checked; "
                + listed(hosts.prefix(5).map(\.name), as: "checked host"))
    }

    /// The hosts, with the files that the configuration generates for them.
    private func targets() throws(ExitCode) -> [CheckedHost] {
        var seen = Set<String>()
        let named = hosts.compactMap { try? LiveHost($0) }
            .filter { seen.insert("\($0.name):\($0.port)").inserted }
        guard let path, let environment else {
            let expected = ios || android ? ExpectedFiles(hasApple: ios, hasAndroid: android) : nil
            return named.map { CheckedHost($0.name.description, port: $0.port, expected: expected) }
        }
        let loaded = try ConfigurationOptions.given(config: path, env: environment).load()
        guard !named.isEmpty else {
            return loaded.withSites(loaded.answeredHosts).map(CheckedHost.init)
        }
        return zip(named, loaded.withSites(named.map(\.name))).map { host, known in
            CheckedHost(
                host.name.description, port: host.port,
                expected: known.site.map(ExpectedFiles.init))
        }
    }

    /// Between two questions to Apple's CDN.
    private static let pauseSeconds = 30...3_600

    /// Nil for 0.
    private func status(of reports: [HostReport]) -> ExitCode? {
        if reports.contains(where: { $0.verdict == .broken }) { return .no }
        if strict, reports.contains(where: { $0.verdict == .warning }) { return .no }
        if requireCDN || wait != nil, reports.contains(where: { !$0.isCurrentAtApple }) {
            return .no
        }
        return reports.allSatisfy { $0.verdict == .unchecked } ? .unreachable : nil
    }
}

/// The address of a service, or `off` for one that is not asked.
struct ServiceOption: Sendable {
    let address: ServiceAddress?

    var isOff: Bool { address == nil }

    init(_ text: String) throws {
        if text == "off" {
            address = nil
            return
        }
        guard let url = try? WebURL(text), url.path.utf8.count <= 1 else {
            throw ValidationError("\(quoted(text)) is neither a URL without a path, nor off")
        }
        address = ServiceAddress(isSecure: url.isSecure, host: url.host.description, port: url.port)
    }
}

/// A time span of the command line: a number with its unit.
struct TimeSpan: Sendable {
    let seconds: Int

    init(_ text: String) throws {
        let units = [("s", 1), ("m", 60), ("h", 3_600)]
        let digits = text.utf8.dropLast()
        guard let unit = units.first(where: { text.utf8.last == $0.0.utf8.first }),
            !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(Substring(digits))), number > 0, number <= 100_000
        else { throw ValidationError("\(quoted(text)) is no time span, such as 90s, 30m or 2h") }
        seconds = number * unit.1
    }
}
