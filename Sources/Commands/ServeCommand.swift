package import ArgumentParser
import Diagnostics
import Origin
import SiteConfiguration
import Sockets

/// Runs the origin until it is told to stop.
package struct ServeCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve an environment's association files and pages.",
        discussion: """
            TERM and INT finish what is in flight and exit 0; a second one exits at once. HUP \
            reads the configuration, certificates and files again, and keeps what is served when \
            anything in them is wrong; USR1 opens the access log anew. Requests are logged on \
            standard output, unless the configuration names a file; starts, reloads and stops on \
            standard error.
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

    package init() {}

    package func validate() throws {
        if let loops, !(1...loopsMax).contains(loops) {
            throw ValidationError("--loops is \(loops), must be 1 to \(loopsMax)")
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
        Signal.hold()
        let started = Clock.monotonicMicroseconds
        var supervisor = try Supervisor(source, addresses)
        let limits = OriginLimits()
        warnAboutDescriptors(limits)
        do {
            let loops = loops ?? min(availableProcessors, loopsMax)
            let log = try AccessLogOutput.begin(
                supervisor.snapshot.environment.accessLog, loops: loops, limits)
            let server = try OriginServer.start(
                supervisor.snapshot, on: addresses, limits: limits, loops: loops, log: log)
            let elapsed = (Clock.monotonicMicroseconds - started) / 1000
            printMessage(
                "waymark: serving \(supervisor.snapshot.environment.name): "
                    + "\(describe(server.addresses)) (ready after \(elapsed) ms)")
            supervisor.run(server, log)
        } catch let error as StartError {
            throw refuse(error)
        }
    }

    private var addresses: OriginAddresses {
        OriginAddresses(https: https.address, http: http.address, admin: admin.address)
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

/// More threads than any machine has processors would be a typing mistake.
private let loopsMax = 256
