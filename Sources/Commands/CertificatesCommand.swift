import ArgumentParser
import Diagnostics
import Files
import HTTPMessages
import Origin
import SiteConfiguration
import Sockets
import URISyntax

/// Shows, renews and revokes the certificates that an origin requests by itself.
struct CertificatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "Show, renew and revoke automatic certificates.",
        discussion: """
            They work on the files of `serve --state`, so run them as its user. A running origin \
            notices what they do.
            """,
        subcommands: [
            ListCertificatesCommand.self, RenewCertificateCommand.self,
            RevokeCertificateCommand.self,
        ])
}

/// The options of commands that work on automatic certificates.
struct StateOptions: ParsableArguments {
    @OptionGroup var source: ConfigurationOptions
    @Option(
        help: ArgumentHelp(
            "Where automatic certificates and their keys are kept; by default a directory of the "
                + "environment's name in the one that systemd gives, or in var beside the "
                + "configuration.",
            valueName: "directory"))
    var state: String?

    /// The directory of `--state`; else one of the environment's name in that of the unit
    /// (systemd.exec(5)), or in `var` beside the configuration.
    var directory: CertificateDirectory {
        if let state { return CertificateDirectory(state) }
        let common: String
        if let given = environmentValue("STATE_DIRECTORY"), !given.isEmpty {
            // There can be several; the first is the program's own.
            common = String(decoding: given.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        } else {
            let slash = source.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            common = slash.map { "\(source.path[..<$0])/var" } ?? "var"
        }
        return CertificateDirectory("\(common)/\(source.name)", before: common)
    }

    /// - Throws: the exit status, if the host gets no certificate by itself.
    func find(_ host: String, in environment: Environment) throws -> AutomaticHost {
        let hosts = environment.automaticHosts
        if let found = hosts.first(where: { $0.name.description == host.lowercased() }) {
            return found
        }
        let names = hosts.prefix(5).map(\.name.description)
        let others =
            names.isEmpty
            ? "nothing there is `automatic`" : "these do: \(names.joined(separator: ", "))"
        throw ValidationError(
            "\(quoted(host)) gets no certificate by itself in \(quoted(environment.name)); \(others)"
        )
    }
}

struct RenewCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Order a renewal of the running origin, or a first certificate at once.",
        discussion: "The origin does it within seconds, and its log says how it went.")

    @Argument(help: "The host.") var host: String
    @Flag(help: "Renew also what is younger than a day; authorities limit how often that is done.")
    var force = false
    @OptionGroup var options: StateOptions

    func run() throws {
        let environment = try options.source.load()
        let name = try options.find(host, in: environment).name
        let directory = options.directory.current
        let status = directory.statuses(of: environment).first { $0.host == name }
        if !force, let begin = status?.notBefore, begin > Clock.unixSeconds - 86_400 {
            printMessage(
                "waymark: error: the certificate of \(name) is younger than a day; renew it with "
                    + "--force")
            throw ExitCode.no
        }
        do throws(FileError) {
            try directory.orderRenewal(of: name)
        } catch {
            printMessage(
                "waymark: error: the order cannot be written: \(error); run this as the origin's "
                    + "user, with its --state")
            throw error == .noPermission ? ExitCode.noPermission : ExitCode.inputMissing
        }
        try printOutput(
            .lines([
                directory.isAttended
                    ? "ordered; the log of the origin says how it went"
                    : "ordered; no origin runs with this directory, so the next one does it"
            ]))
    }
}

struct RevokeCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a certificate whose key others have seen, and order another.",
        discussion: """
            The running origin answers with the revoked certificate until it has the other one.
            """)

    @Argument(help: "The host.") var host: String
    @Option(
        help: """
            Why: key-compromise, superseded, cessation-of-operation, or unspecified.
            """)
    var reason = RevocationReason.keyCompromise
    @OptionGroup var options: StateOptions

    func run() throws {
        let environment = try options.source.load()
        let found = try options.find(host, in: environment)
        do throws(RevocationError) {
            try options.directory.current.revoke(
                found, reason: reason.number, version: programVersion)
        } catch {
            printMessage("waymark: error: \(error)")
            throw ExitCode.no
        }
        try printOutput(.lines(["revoked; another is ordered"]))
    }
}

/// Why a certificate is revoked (RFC 5280 §5.3.1).
enum RevocationReason: String, ExpressibleByArgument, CaseIterable {
    case unspecified
    case keyCompromise = "key-compromise"
    case superseded
    case cessationOfOperation = "cessation-of-operation"

    var number: Int {
        switch self {
        case .unspecified: 0
        case .keyCompromise: 1
        case .superseded: 4
        case .cessationOfOperation: 5
        }
    }
}

extension CertificateStatus {
    var json: JSONText {
        .object([
            ("host", .string("\(host)")), ("authority", .string(authority)),
            ("not_before", .orNull(notBefore)), ("not_after", .orNull(notAfter)),
            ("renew_at", .orNull(renewAt)), ("failures", .number(failures)),
            ("last_fault", .orNull(lastFault)), ("next_try", .orNull(nextTry)),
            ("revoked", .boolean(isRevoked)), ("paused_until", .orNull(pausedUntil)),
            ("pause_reason", .orNull(pauseReason)),
        ])
    }

    func row(now: Int) -> [String] {
        func date(_ seconds: Int?) -> String {
            seconds.map { Timestamp(seconds: $0).description } ?? "-"
        }
        let hasEnded = notAfter.map { $0 <= now } ?? false
        let state: String =
            if let pausedUntil {
                (isRevoked ? "revoked; " : "") + (hasEnded ? "ended; " : "")
                    + "paused until \(date(pausedUntil)): \(pauseReason ?? "")"
            } else if let lastFault, failures > 0 {
                (isRevoked ? "revoked; " : "") + (hasEnded ? "ended; " : "")
                    + "\(counted(failures, "attempt")) failed, next on \(date(nextTry)): \(lastFault)"
            } else if isRevoked {
                "revoked; another is ordered"
            } else if notAfter != nil {
                (hasEnded ? "ended" : "valid") + (isOther ? "; issued by \(authority)" : "")
            } else {
                "none yet" + (nextTry.map { "; requested on \(date($0))" } ?? "")
            }
        return ["\(host)", date(notAfter), date(renewAt), state]
    }
}
