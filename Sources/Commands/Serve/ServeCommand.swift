package import ArgumentParser
import Diagnostics
import Files
import Origin
import SiteConfiguration
import Sockets
import TLS

/// Runs the origin until it is told to stop.
package struct ServeCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve an environment's association files and pages.",
        discussion: """
            TERM and INT first let load balancers notice that the origin leaves, then finish what \
            is in flight and exit 0; a second one, and QUIT, exit at once. HUP reads the \
            configuration, certificates and files again, and keeps what is served when anything \
            in them is wrong. Starts, reloads and stops are logged on standard error.

            A service manager is told when it speaks sd_notify(3), and may hand over sockets \
            named https, http and admin.
            """)

    @OptionGroup var source: ConfigurationOptions
    @Option(help: "Where to answer https: ADDRESS:PORT, :PORT for every address, or off.")
    var https = ListenAddress.at(SocketAddress(host: nil, port: 8443))
    @Option(help: "Where to answer plain http: ADDRESS:PORT, :PORT, or off.")
    var http = ListenAddress.at(SocketAddress(host: nil, port: 8080))
    @Option(help: "Where to answer health checks: ADDRESS:PORT, :PORT, or off.")
    var admin = ListenAddress.at(SocketAddress(host: .v4([127, 0, 0, 1]), port: 9090))
    @Option(help: "Threads that answer requests; one per processor unless given.")
    var loops: Int?
    @Option(
        help: ArgumentHelp(
            "Once the addresses are bound, run as this user, and group.",
            valueName: "name[:group]"))
    var user: String?
    @Flag(help: "Run as root, ports below 1024 included.")
    var allowRoot = false
    @Option(
        help: ArgumentHelp(
            "How long to go on accepting once told to stop; else as limits of the environment say.",
            valueName: "seconds"))
    var drainDelay: Int?
    @Option(
        help: ArgumentHelp(
            "How long requests in flight may take then; else as limits of the environment say.",
            valueName: "seconds"))
    var drainTimeout: Int?

    package init() {}

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
        if https == .off, http == .off { throw ValidationError("nothing to listen on") }
        let named = [("--https", https), ("--http", http), ("--admin", admin)]
        for (index, (name, listen)) in named.enumerated() {
            for (other, earlier) in named[..<index] where listen.collides(with: earlier) {
                throw ValidationError(
                    "\(other) is \(earlier) and \(name) \(listen); give each a port of its own")
            }
        }
    }

    package func run() throws {
        let started = Clock.monotonicMicroseconds
        let manager = ServiceManager.fromEnvironment()
        var supervisor = try orFault { () throws(SystemError) in
            try Supervisor(manager)
        }
        let privileges = try Privileges(user: user, allowsRoot: allowRoot)
        let inherited = try inheritedSockets()
        let addresses = addresses(besides: inherited)
        try privileges.check(addresses)
        let source = try snapshotSource(addresses, inherited)
        let first = source.attempt()
        first.diagnostics.print()
        guard let snapshot = first.snapshot else { throw first.fault ?? .configurationInvalid }
        let limits = OriginLimits().setting(snapshot.environment.limits)
        warnAboutDescriptors(limits)
        let loops = loops ?? min(availableProcessors, loopsMax)
        let listeners = try orRefuse { () throws(StartError) in
            try BoundListeners(addresses, inherited: inherited, loops: loops)
        }
        try privileges.giveUp()
        // As the user that will have to open its file again.
        let log = try AccessLogOutput.begin(
            snapshot.environment.accessLog, loops: loops, limits)
        let server = try orRefuse { () throws(StartError) in
            try OriginServer.start(
                snapshot, on: listeners, limits: OriginLimits(), log: log,
                watchdog: Watchdog(manager, loops: loops), version: programVersion)
        }
        let elapsed = (Clock.monotonicMicroseconds - started) / 1000
        let serving = "serving \(snapshot.environment.name): \(describe(server.addresses))"
        printMessage("waymark: \(serving) (ready after \(elapsed) ms)")
        privileges.warn()
        manager?.notify("READY=1", "STATUS=\(serving)")
        supervisor.run(server, source, first, log)
    }

    private func snapshotSource(
        _ addresses: OriginAddresses, _ inherited: [InheritedSocket]
    ) throws(ExitCode) -> SnapshotSource {
        let ticketKeys = try orFault { () throws(OpenSSLError) in try TicketKeys() }
        return SnapshotSource(
            configuration: source,
            needsTLS: addresses.https != nil || inherited.contains { $0.name == "https" },
            ticketKeys: ticketKeys, setLimits: setLimits)
    }

    /// A configuration's limits, with those of the command line in their place.
    @Sendable private func setLimits(_ settings: inout LimitSettings) {
        // Whoever looks at a terminal waits for the end.
        let delay = settings[.drainDelaySeconds] ?? (isAtTerminal ? 0 : nil)
        settings[.drainDelaySeconds] = drainDelay ?? delay
        settings[.drainSeconds] = drainTimeout ?? settings[.drainSeconds]
    }

    /// The sockets of a service manager; each must be one that we know what to do with.
    private func inheritedSockets() throws(ExitCode) -> [InheritedSocket] {
        let sockets = InheritedSocket.takeAll()
        guard let stranger = sockets.first(where: { !listenerNames.contains($0.name) }) else {
            return sockets
        }
        printMessage(
            "waymark: error: inherited a socket named \(quoted(stranger.name)) [socket-name]\n"
                + "    FileDescriptorName= of its unit must be one of "
                + listenerNames.joined(separator: ", "))
        throw .configurationInvalid
    }

    /// The addresses that nobody has bound for us.
    private func addresses(besides inherited: [InheritedSocket]) -> OriginAddresses {
        let names = Set(inherited.map(\.name))
        return OriginAddresses(
            https: names.contains("https") ? nil : https.address,
            http: names.contains("http") ? nil : http.address,
            admin: names.contains("admin") ? nil : admin.address)
    }

    private func orFault<Value: ~Copyable, Failure: Error & CustomStringConvertible>(
        _ body: () throws(Failure) -> Value
    ) throws(ExitCode) -> Value {
        do {
            return try body()
        } catch {
            printMessage("waymark: error: cannot start: \(error)")
            throw .ourFault
        }
    }

    private func orRefuse<Value>(
        _ body: () throws(StartError) -> Value
    ) throws(ExitCode) -> Value {
        do {
            return try body()
        } catch {
            throw refuse(error)
        }
    }

    private func describe(_ addresses: OriginAddresses) -> String {
        [("https", addresses.https), ("http", addresses.http), ("admin", addresses.admin)]
            .compactMap { name, address in address.map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }

    /// Each connection takes a descriptor; a limit that is lower than ours is worth a word.
    private func warnAboutDescriptors(_ limits: OriginLimits) {
        let most = raiseDescriptorLimit()
        guard most < limits.connectionsMax + 64 else { return }
        printMessage(
            "waymark: warning: \(most) descriptors may be open, which is less than "
                + "\(limits.connectionsMax) connections need; raise the limit (ulimit -n)")
    }

    private func refuse(_ error: StartError) -> ExitCode {
        if let name = error.inherited {
            printMessage(
                "waymark: error: inherited socket \(quoted(name)) cannot be used: \(error.error) "
                    + "[socket-kind]\n    it must be a listening TCP socket")
            return ExitCode.cannotBind
        }
        guard let address = error.address else {
            printMessage("waymark: error: cannot start: \(error.error)")
            return ExitCode.ourFault
        }
        if error.error.isAddressInUse {
            printMessage(
                "waymark: error: \(address) is in use by another process [address-in-use]\n"
                    + "    stop that one (ss -ltnp says which it is), or listen elsewhere")
            return ExitCode.cannotBind
        }
        if error.error.isPermissionDenied {
            printMessage(
                "waymark: error: no permission to listen on \(address) [privileged-port]\n"
                    + "    ports below 1024 need CAP_NET_BIND_SERVICE; use a higher one, or map it")
            return ExitCode.noPermission
        }
        if error.error.isAddressUnavailable {
            printMessage(
                "waymark: error: no interface of this machine has the address of \(address) "
                    + "[address-not-here]\n    name one that it has (ip address), or the port alone"
            )
            return ExitCode.cannotBind
        }
        printMessage("waymark: error: cannot listen on \(address): \(error.error)")
        return ExitCode.cannotBind
    }
}

private let listenerNames = ["https", "http", "admin"]
/// More threads than any machine has processors would be a typing mistake.
private let loopsMax = 256
