import ArgumentParser
import Diagnostics
import Origin
import Services
import SiteConfiguration
import Sockets

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
        let common = Self.commonPath(beside: source.path)
        return CertificateDirectory("\(common)/\(source.name)", before: common)
    }

    /// The path of this directory.
    var statePath: String { state ?? Self.usualPath(of: source.name, beside: source.path) }

    /// The path of the directory for an environment where `--state` is not given.
    static func usualPath(of environment: String, beside configuration: String) -> String {
        "\(commonPath(beside: configuration))/\(environment)"
    }

    private static func commonPath(beside configuration: String) -> String {
        if let given = environmentValue("STATE_DIRECTORY"), !given.isEmpty {
            // There can be several; the first is the program's own.
            return String(decoding: given.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        }
        let slash = configuration.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { "\(configuration[..<$0])/var" } ?? "var"
    }

    /// Says that the running origin requests certificates of another environment, if that is so: then
    /// nobody requests those of this one.
    func warnOfOtherOrigin(_ environment: String) -> Bool {
        guard let other = directory.current.attendedEnvironment(besides: environment) else {
            return false
        }
        printMessage(
            "waymark: warning: the origin that runs with the directory \(quotedPath(directory.current.root)) "
                + "requests certificates of the environment \(quoted(other)), and none of "
                + "\(quoted(environment)); give each environment its own --state")
        return true
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
