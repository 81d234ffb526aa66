import Answering
package import ArgumentParser
import Diagnostics
import EventLog
import Files
import Logging
import Origin
import Services
import SiteConfiguration
import Snapshots
import Sockets
import TLS
import URISyntax

/// Runs the origin until a signal ends it.
package struct ServeCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve an environment's association files and pages.",
        discussion: """
            TERM and INT stop gracefully: load balancers get time to notice, then requests in \
            flight are finished. A second TERM or INT, and QUIT, stop at once. HUP reloads the \
            configuration, certificates and files; if they have an error, the previous state is \
            served. Starts, reloads and stops are logged on standard error.

            Service managers are notified by sd_notify(3). They can pass sockets with the names \
            https, http and admin.
            """)

    @OptionGroup var kept: StateOptions
    @Option(
        help: """
            The address for https: ADDRESS:PORT, :PORT for all addresses, or off; :8443 by default. With \
            port 0, the system chooses a free port, and the log names it.
            """, transform: ListenAddress.init(_:))
    var https = ListenAddress.at(SocketAddress(host: nil, port: 8443))
    @Option(
        help: "The address for plain http: ADDRESS:PORT, :PORT, or off; :8080 by default.",
        transform: ListenAddress.init(_:))
    var http = ListenAddress.at(SocketAddress(host: nil, port: 8080))
    @Option(
        help: """
            The address for health checks and metrics: ADDRESS:PORT, :PORT, or off; 127.0.0.1:9090 by \
            default.
            """,
        transform: ListenAddress.init(_:))
    var admin = ListenAddress.at(SocketAddress(host: .v4([127, 0, 0, 1]), port: 9090))
    @Option(
        help: ArgumentHelp(
            "A host name that the admin listener accepts, besides addresses and localhost. "
                + "Can be repeated.",
            valueName: "host"))
    var adminHost: [String] = []
    // A negative number is a value, and gets the message about the range.
    @Option(
        parsing: .unconditional,
        help: "The number of threads that answer requests; by default one for each processor.")
    var loops: Int?
    @Option(
        help: ArgumentHelp(
            "Run as this user and group after the addresses are bound.",
            valueName: "name[:group]"))
    var user: String?
    @Flag(help: "Allow root, also on ports below 1024.")
    var allowRoot = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long to accept connections after an order to stop; overrides the limit in the "
                + "configuration.",
            valueName: "seconds"))
    var drainDelay: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long requests in flight may take after that; overrides the limit in the "
                + "configuration.",
            valueName: "seconds"))
    var drainTimeout: Int?
    @OptionGroup var eventOptions: EventOptions

    package init() {}

    private var source: ConfigurationOptions { kept.source }

    package func validate() throws {
        if let loops, !(1...loopsMax).contains(loops) {
            throw ValidationError("--loops is \(loops), must be 1 to \(loopsMax)")
        }
        for (name, seconds) in [("delay", drainDelay), ("timeout", drainTimeout)] {
            let range = Limit.drainSeconds.range
            guard let seconds, !range.contains(seconds) else { continue }
            throw ValidationError(
                "--drain-\(name) is \(seconds), must be 0 to \(range.upperBound) seconds")
        }
        guard source.path != "-" else {
            throw ValidationError(
                "serve cannot read its configuration from standard input, because a reload reads "
                    + "it again; give a file")
        }
        for host in adminHost { try checkArgument(host, HostName.init(_:)) }
        if https == .off, http == .off {
            throw ValidationError("--https and --http are both off; give one of them an address")
        }
        let named = [("--https", https), ("--http", http), ("--admin", admin)]
        for (index, (name, listen)) in named.enumerated() {
            for (other, earlier) in named[..<index] where listen.collides(with: earlier) {
                throw ValidationError(
                    "\(other) is \(earlier) and \(name) \(listen); give each its own port")
            }
        }
    }

    /// OpenSSL loads its algorithms and seeds its random generator at its first use, which is here:
    /// on another thread, while everything else is read.
    private static let ticketKeys = {
        // The process can exit while the thread runs, for example because of the command line.
        keepOpenSSLWhileExiting()
        return Background(name: "waymark-keys") {
            loadAlgorithms()
            return Result { () throws(OpenSSLError) in try TicketKeys() }
        }
    }()

    /// Begins work that needs no arguments, while the command line is parsed.
    static func beginLoading() {
        // Before any file is opened, which would get the number of a closed standard stream.
        holdSignals()
        reserveStandardStreams()
        // Before the first thread, which would have an arena of its own.
        keepMemoryReserve()
        prepareStandardError { work in
            let begun: Void? = try? startThread(name: "waymark-events") {
                // What the process renounces later holds for threads that begin after that.
                try? renounceNewPrivileges()
                work()
            }
            return begun != nil
        }
        _ = ticketKeys
    }

    package func run() throws {
        guard var supervisor = try start() else { return }
        supervisor.run()
        supervisor.main.tellLoopEvents()
    }

    /// Starts the origin. What only the start needs ends with this function: a variable of `run`
    /// would keep the first snapshot, and the files that are open for it, until the process ends.
    /// - Returns: nil if a signal has ended the start.
    private func start() throws -> Supervisor? {
        let started = Clock.monotonicMicroseconds
        let events = eventOptions.logger
        let manager = serviceManager(events)
        var main = try orFault(events) { () throws(SystemError) in
            try MainThread(manager, events)
        }
        let privileges = try Privileges(user: user, allowsRoot: allowRoot)
        let inherited = try inheritedSockets(events)
        let addresses = addresses(besides: inherited)
        try privileges.check(addresses, events)
        let (memory, memoryLimits) = (WorkMemory(), MemoryLimits())
        memory.use(memoryLimits)
        let source = SnapshotSource(
            configuration: source,
            needsTLS: addresses.https != nil || inherited.contains { $0.name == "https" },
            ticketKeys: Self.ticketKeys, setLimits: setLimits,
            certificates: kept.directory,
            report: { [events = main.loopEvents] in events.add(.service(.finding($0))) },
            memory: memory)
        // With the rights that a reload will have.
        let built = try privileges.withThoseOfTheUser(events) { main.build(source) }
        guard let first = built else { return nil }
        events.report(first.diagnostics)
        guard let snapshot = first.snapshot else { throw first.fault ?? .configurationInvalid }
        let answersHTTP = addresses.http != nil || inherited.contains { $0.name == "http" }
        try checkUsefulness(of: snapshot, first.obstacle, answersHTTP: answersHTTP, events)
        let loops = loops ?? min(availableProcessors, loopsMax)
        var limits = OriginLimits()
        limits.descriptorsMax = raiseDescriptorLimit()
        let startLimits = limits.setting(snapshot.environment.limits)
        warnAboutDescriptors(startLimits, loops, events)
        let room = memoryLimits.room()
        warnAboutMemory(room, events)
        let listeners = try orRefuse(events) { () throws(StartError) in
            try BoundListeners(
                addresses, inherited: inherited, loops: loops, unreadBytes: room?.unreadBytes)
        }
        try privileges.giveUp(events)
        // As the user that will reopen the file.
        guard try main.checkLog(of: snapshot.environment) else { return nil }
        let log = try AccessLogOutput.begin(
            snapshot.environment, loops: loops, startLimits, events, within: memoryLimits.room())
        let watchdog = Watchdog(manager, loops: loops)
        let adminHosts = try adminHost.map(HostName.init(_:))
        // What one service finds out about its servers, the others know.
        let store = snapshot.environment.store.map {
            ServedStore($0, own: kept.statePath, linkBytesMax: startLimits.linkBytesMax)
        }
        let links = try orFault(events) { () throws(SystemError) in
            try store.map { store throws(SystemError) in
                try LinkService(
                    store, version: programVersion, memory: memory, report: main.report)
            }
        }
        let console = try orFault(events) { () throws(SystemError) in
            try links.map(ConsoleService.init)
        }
        guard main.goesOn() else { return nil }
        let server = try orRefuse(events) { () throws(StartError) in
            try OriginServer.start(
                snapshot, on: listeners, limits: limits, log: log, watchdog: watchdog,
                adminHosts: adminHosts, version: programVersion, links: links,
                console: console, memory: memoryLimits,
                waking: main.workDone, report: main.loopEvents.add)
        }
        snapshot.beginPreparing(hasRoom: memoryLimits.hasRoom)
        let certificates = try orFault(events) { () throws(SystemError) in
            try addresses.https == nil && inherited.allSatisfy { $0.name != "https" }
                ? nil
                : CertificateService(
                    kept.directory, server.served, source.challenges,
                    store: store, answersHTTP: answersHTTP, version: programVersion,
                    waking: main.workDone, report: main.report)
        }
        let hostWatch = try orFault(events) { () throws(SystemError) in
            // Whoever has changed DNS does not wait for the next attempt.
            try HostWatch(
                server.served, version: programVersion, reached: { certificates?.hurry($0) },
                report: main.report)
        }
        // Nothing that a start needs can fail any more.
        let serving = announce(server, at: listeners.named, since: started, events)
        privileges.warn(events)
        main.notify(["READY=1", "STATUS=\(serving)"])
        return Supervisor(main, server, source, first, log, watchdog, certificates, hostWatch)
    }

    /// Without a certificate, the origin serves plain HTTP: association files and ACME challenges.
    /// Without plain HTTP either, it could serve nothing.
    /// - Parameter obstacle: what keeps certificates from being requested.
    private func checkUsefulness(
        of snapshot: Snapshot, _ obstacle: CertificateStateFault?, answersHTTP: Bool,
        _ events: Logger
    ) throws(ExitCode) {
        // Without plain HTTP, challenges are answered over TLS.
        guard !answersHTTP, !snapshot.canShakeHands(now: Clock.unixSeconds),
            !snapshot.requestsCertificates || obstacle != nil
        else { return }
        events.report(
            Diagnostic(
                .error, .nothingToAnswer, at: snapshot.environment.position,
                "no host of \(quoted(snapshot.environment.name)) can be served: none has a usable "
                    + "certificate, and plain HTTP is off",
                advice: "fix the errors above; with --http the origin starts without a "
                    + "certificate, and answers the challenges of an ACME client"))
        throw obstacle?.exitCode ?? snapshot.certificateFaultKind?.exitCode ?? .configurationInvalid
    }

    /// The service manager to notify, if there is one.
    private func serviceManager(_ events: Logger) -> ServiceManager? {
        do {
            return try ServiceManager.fromEnvironment()
        } catch {
            events.report(Diagnostic(lostManager: error))
            return nil
        }
    }

    /// Logs the environment and the addresses, and returns them as text.
    /// - Parameter started: the start of the process, in microseconds of the monotonic clock.
    private func announce(
        _ server: OriginServer, at named: [(name: String, address: SocketAddress)],
        since started: Int, _ events: Logger
    ) -> String {
        let name = server.snapshot.environment.name
        let positions = named.map { name, address in "\(name) \(address)" }
        let serving = "serving \(name): \(positions.joined(separator: ", "))"
        let elapsed = (Clock.monotonicMicroseconds - started) / 1000
        var members = Logger.Metadata(
            named.map { name, address in (name, .string("\(address)")) },
            uniquingKeysWith: { "\($0), \($1)" })
        members["environment"] = .string(name)
        members["milliseconds"] = .stringConvertible(elapsed)
        members["version"] = .string(programVersion)
        events.info("\(serving) (ready after \(elapsed) ms)", metadata: members)
        return serving
    }

    /// The limits of a configuration, with those of the command line.
    @Sendable private func setLimits(_ settings: inout LimitSettings) {
        // A person at a terminal waits for the end.
        let delay = settings[.drainDelaySeconds] ?? (isAtTerminal ? 0 : nil)
        settings[.drainDelaySeconds] = drainDelay ?? delay
        settings[.drainSeconds] = drainTimeout ?? settings[.drainSeconds]
    }

    /// The sockets of a service manager; each must have a known name.
    private func inheritedSockets(_ events: Logger) throws(ExitCode) -> [InheritedSocket] {
        let sockets = InheritedSocket.takeAll()
        guard let stranger = sockets.first(where: { !listenerNames.contains($0.name) }) else {
            return sockets
        }
        events.report(
            Diagnostic(
                .error, .socketName, at: nil,
                "inherited a socket named \(quoted(stranger.name))",
                advice: "FileDescriptorName= of its unit must be one of "
                    + listenerNames.joined(separator: ", ")))
        throw .configurationInvalid
    }

    /// The addresses that no service manager has bound.
    private func addresses(besides inherited: [InheritedSocket]) -> OriginAddresses {
        let names = Set(inherited.map(\.name))
        return OriginAddresses(
            https: names.contains("https") ? nil : https.address,
            http: names.contains("http") ? nil : http.address,
            admin: names.contains("admin") ? nil : admin.address)
    }

    private func orFault<Value: ~Copyable, Failure: Error & CustomStringConvertible>(
        _ events: Logger, _ body: () throws(Failure) -> Value
    ) throws(ExitCode) -> Value {
        do {
            return try body()
        } catch {
            events.report(.cannotStart(because: error))
            throw .ourFault
        }
    }

    private func orRefuse<Value>(
        _ events: Logger, _ body: () throws(StartError) -> Value
    ) throws(ExitCode) -> Value {
        do {
            return try body()
        } catch {
            events.report(error.diagnostic)
            throw error.status
        }
    }

    /// Each connection needs a descriptor. Warns if there are fewer than configured connections.
    private func warnAboutDescriptors(_ limits: OriginLimits, _ loops: Int, _ events: Logger) {
        let fitting = limits.fitting(loops: loops)
        guard fitting.connectionsMax < limits.connectionsMax else { return }
        events.report(
            Diagnostic(
                .warning, .descriptorLimit, at: nil,
                "\(limits.descriptorsMax) descriptors are allowed, which is enough for "
                    + "\(counted(fitting.connectionsMax, "connection")), not for "
                    + "\(limits.connectionsMax)",
                advice: "raise the limit: LimitNOFILE= of a unit, or ulimit -n"))
    }

    /// Warns of a limit below the floor (decision 90).
    private func warnAboutMemory(_ room: MemoryRoom?, _ events: Logger) {
        guard let room, room.limitBytes < MemoryRoom.floorBytes else { return }
        events.report(
            Diagnostic(
                .warning, .memoryLimit, at: nil,
                "the limit of memory is \(room.limitBytes >> 20) MiB, less than \(MemoryRoom.floorBytes >> 20) MiB",
                advice: "raise the limit of the container, or MemoryMax= of the unit"))
    }
}

private let listenerNames = ["https", "http", "admin"]
/// More threads than any machine has processors are a typing error.
private let loopsMax = 256
