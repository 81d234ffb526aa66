import Diagnostics
import ArgumentParser
import Resolution
import SiteConfiguration

/// Where a site comes from: the options of every command that works on an environment.
struct ConfigurationOptions: ParsableArguments {
    @Option(name: .customLong("config"), help: "The configuration.")
    var path = "waymark.yaml"

    @Option(name: .customLong("env"), help: "The environment, by its name in the configuration.")
    var name: String

    /// The environment, once the whole configuration is without an error; findings are printed as
    /// messages, notes left out.
    /// - Throws: the exit status.
    func load() throws(ExitCode) -> (site: Site, environment: Environment) {
        let (site, diagnostics) = Configuration.load(path: path)
        for diagnostic in diagnostics where diagnostic.severity > .note { printMessage(diagnostic) }
        guard let site else {
            throw Configuration.fault(in: diagnostics)?.exitCode ?? .configurationInvalid
        }
        guard let environment = site.environment(named: name) else {
            printMessage(site.unknownEnvironment(name))
            throw .configurationInvalid
        }
        return (site, environment)
    }
}

extension ConfigurationOptions {
    /// The environment, once the configuration's link tests hold too.
    /// - Throws: the exit status.
    func loadTested() throws(ExitCode) -> Environment {
        let (site, environment) = try load()
        let failures = site.runLinkTests().flatMap(\.diagnostics)
        for failure in failures { printMessage(failure) }
        if !failures.isEmpty { throw .configurationInvalid }
        return environment
    }
}

extension Configuration.Fault {
    var exitCode: ExitCode {
        switch self {
        case .missing: .inputMissing
        case .noPermission: .noPermission
        case .invalid: .configurationInvalid
        }
    }
}

extension Site {
    /// What is said of a name that no environment bears.
    func unknownEnvironment(_ name: String) -> Diagnostic {
        let names = environments.map(\.name)
        return Diagnostic(
            .error, "unknown-name", at: SourcePlace(file: file, line: 1, column: 1),
            "there is no environment \(quoted(name))",
            advice: nearestName(to: name, among: names).map { "did you mean \(quoted($0))?" }
                ?? "the environments are \(names.joined(separator: ", "))")
    }
}
