import ArgumentParser
import Associations
import Diagnostics
import Files
import Linting
import SiteConfiguration

/// What one version says of links: a file of somebody's, or an environment.
struct LinkVersion {
    /// The environment's name; nil for a file.
    let name: String?
    /// Nil for a file, which does not say whose it is.
    let hosts: [String]?
    let reading: AssociationReading

    /// One version for a file or a named environment, else one for each environment.
    /// - Throws: the exit status, after the reasons have been printed.
    static func load(_ path: String, environment: String?) throws(ExitCode) -> [LinkVersion] {
        let bytes = try read(path)
        guard FileKind(of: bytes, name: path) == .configuration else {
            let reading = AssociationReading(bytes, file: path)
            for diagnostic in reading.diagnostics where diagnostic.severity == .error {
                printMessage(diagnostic)
            }
            guard reading.json.isValid else { throw .configurationInvalid }
            return [LinkVersion(name: nil, hosts: nil, reading: reading)]
        }
        let (site, diagnostics) = Configuration.read(bytes, file: path)
        for diagnostic in diagnostics where diagnostic.severity == .error {
            printMessage(diagnostic)
        }
        guard let site else { throw .configurationInvalid }
        guard let environment else { return site.environments.map(LinkVersion.init) }
        guard let named = site.environment(named: environment) else {
            printMessage(site.unknownEnvironment(environment))
            throw .configurationInvalid
        }
        return [LinkVersion(named)]
    }

    private init(name: String?, hosts: [String]?, reading: AssociationReading) {
        (self.name, self.hosts, self.reading) = (name, hosts, reading)
    }

    private init(_ environment: Environment) {
        name = environment.name
        hosts = environment.answeredHosts.map { "\($0)" }
        reading = AssociationReading(
            environment.associations.aasa ?? Array("{}".utf8), file: "apple-app-site-association")
    }

    private static func read(_ path: String) throws(ExitCode) -> [UInt8] {
        do {
            return try readInput(path, bytesMax: JSONDocument.bytesMax)
        } catch {
            printMessage("\(path): error: cannot be read: \(error)")
            throw error == .missing
                ? .inputMissing : error == .noPermission ? .noPermission : .configurationInvalid
        }
    }
}
