import Diagnostics
import ArgumentParser
import Files
import SiteConfiguration

/// The options of every command that works on an environment of a configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(name: .customLong("config"), help: "The configuration file; - is standard input.")
    var path = usualConfiguration

    @Option(name: .customLong("env"), help: "The name of the environment.")
    var name: String

    /// The environment, if the whole configuration has no error. Findings are printed as messages,
    /// except notes.
    /// - Throws: the exit status.
    func load() throws(ExitCode) -> Environment { try loadWithOthers().environment }

    /// The same, with the environments beside it.
    func loadWithOthers() throws(ExitCode) -> (environment: Environment, others: [Environment]) {
        let reading = read()
        reading.diagnostics.printAsMessages()
        guard let environment = reading.environment else {
            throw reading.fault ?? .configurationInvalid
        }
        let others = (reading.configuration?.environments ?? []).filter { other in
            !other.name.utf8.elementsEqual(environment.name.utf8)
        }
        return (environment, others)
    }

    /// The environment, if the configuration's link tests also pass.
    /// - Throws: the exit status.
    func loadTested() throws(ExitCode) -> Environment {
        let reading = read().tested
        reading.diagnostics.printAsMessages()
        guard let environment = reading.environment, reading.fault == nil else {
            throw reading.fault ?? .configurationInvalid
        }
        return environment
    }

    /// The content of the configuration and all its errors; prints nothing.
    /// - Parameter servesOthers: whether errors of one site are no reason to refuse the others.
    func read(servesOthers: Bool = false) -> ConfigurationReading {
        let (configuration, diagnostics) = loadConfiguration(path, servesOthers: servesOthers)
        var reading = ConfigurationReading(
            configuration: configuration, environment: configuration?.environment(named: name),
            diagnostics: diagnostics,
            fault: configuration == nil ? Configuration.fault(in: diagnostics)?.exitCode : nil,
            servesOthers: servesOthers)
        if let configuration, reading.environment == nil {
            reading.diagnostics.append(configuration.unknownEnvironment(name))
            reading.fault = .configurationInvalid
        }
        return reading.withSites
    }
}

extension ConfigurationOptions {
    /// The options of a command that declares them itself, because they are optional there. This is
    /// not an initializer, because an assignment there would replace the declaration and not the
    /// value.
    static func given(config: String, env: String) -> ConfigurationOptions {
        var options = ConfigurationOptions()
        options.path = config
        options.name = env
        return options
    }
}

/// The configuration that a command reads if it is not given another.
let usualConfiguration = "waymark.yaml"

/// Reads a configuration; `-` is standard input, whose paths are relative to the working directory.
func loadConfiguration(
    _ path: String, servesOthers: Bool = false
) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
    guard path == "-" else { return Configuration.load(path: path, servesOthers: servesOthers) }
    do throws(FileError) {
        let bytes = try readInput(path, bytesMax: ConfigurationLimits.fileBytesMax)
        return Configuration.read(
            bytes, file: shownName(path), directory: ".", servesOthers: servesOthers)
    } catch {
        let position = SourcePosition(file: shownName(path), line: 1, column: 1)
        return (
            nil,
            [
                Diagnostic(
                    .error, .fileUnreadable, at: position, "standard input cannot be read: \(error)"
                )
            ]
        )
    }
}

extension [Diagnostic] {
    /// Prints them as messages, except notes, which are for `lint`.
    func printAsMessages() {
        for diagnostic in self where diagnostic.severity > .note { printMessage(diagnostic) }
    }
}

extension Configuration.Fault {
    var exitCode: ExitCode {
        switch self {
        case .missing, .unreadable: .inputMissing
        case .noPermission: .noPermission
        case .invalid: .configurationInvalid
        }
    }
}

extension Configuration {
    /// The environment with this name.
    /// - Throws: the exit status, after printing that there is none.
    func requireEnvironment(named name: String) throws(ExitCode) -> Environment {
        if let environment = environment(named: name) { return environment }
        printMessage(unknownEnvironment(name))
        throw .configurationInvalid
    }

    /// The message about a name that no environment has.
    func unknownEnvironment(_ name: String) -> Diagnostic {
        let names = environments.map(\.name)
        return Diagnostic(
            .error, .unknownName, at: SourcePosition(file: file, line: 1, column: 1),
            "there is no environment \(quoted(name))",
            advice: nearestName(to: name, among: names).map(didYouMean)
                ?? listed(names, as: "environment"))
    }
}
