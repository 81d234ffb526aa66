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
        let reading = read()
        reading.diagnostics.printAsMessages()
        guard let site = reading.site, let environment = reading.environment else {
            throw reading.fault ?? .configurationInvalid
        }
        return (site, environment)
    }

    /// The environment, once the configuration's link tests hold too.
    /// - Throws: the exit status.
    func loadTested() throws(ExitCode) -> Environment {
        let reading = read().tested
        reading.diagnostics.printAsMessages()
        guard let environment = reading.environment, reading.fault == nil else {
            throw reading.fault ?? .configurationInvalid
        }
        return environment
    }

    /// What is in the configuration, and everything that is wrong with it; nothing is printed.
    func read() -> ConfigurationReading {
        let (site, diagnostics) = Configuration.load(path: path)
        var reading = ConfigurationReading(
            site: site, environment: site?.environment(named: name), diagnostics: diagnostics,
            fault: Configuration.fault(in: diagnostics)?.exitCode)
        if let site, reading.environment == nil {
            reading.diagnostics.append(site.unknownEnvironment(name))
            reading.fault = .configurationInvalid
        }
        return reading
    }
}

/// A configuration as far as it could be read.
struct ConfigurationReading {
    let site: Site?
    /// The environment that was asked for, if there is one.
    let environment: Environment?
    var diagnostics: [Diagnostic]
    /// Why it cannot be used.
    var fault: ExitCode?

    /// The same, its link tests made.
    var tested: ConfigurationReading {
        var tested = self
        let failures = (site?.runLinkTests() ?? []).flatMap(\.diagnostics)
        tested.diagnostics += failures
        if !failures.isEmpty { tested.fault = fault ?? .configurationInvalid }
        return tested
    }
}

extension ConfigurationOptions {
    /// The options of a command that spells them itself, because they are optional there. No
    /// initializer: there an assignment would make another definition, not a value.
    static func given(config: String, env: String) -> ConfigurationOptions {
        var options = ConfigurationOptions()
        options.path = config
        options.name = env
        return options
    }
}

extension [Diagnostic] {
    /// Prints them as messages, but for the notes, which `lint` is for.
    func printAsMessages() {
        for diagnostic in self where diagnostic.severity > .note { printMessage(diagnostic) }
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
    /// The environment of this name.
    /// - Throws: the exit status, once it has been said that none bears it.
    func requireEnvironment(named name: String) throws(ExitCode) -> Environment {
        if let environment = environment(named: name) { return environment }
        printMessage(unknownEnvironment(name))
        throw .configurationInvalid
    }

    /// What is said of a name that no environment bears.
    func unknownEnvironment(_ name: String) -> Diagnostic {
        let names = environments.map(\.name)
        return Diagnostic(
            .error, .unknownName, at: SourcePosition(file: file, line: 1, column: 1),
            "there is no environment \(quoted(name))",
            advice: nearestName(to: name, among: names).map(didYouMean)
                ?? listed(names, as: "environment"))
    }
}
