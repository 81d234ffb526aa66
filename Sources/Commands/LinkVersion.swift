import ArgumentParser
import Associations
import Diagnostics
import Files
import Linting
import SiteConfiguration

/// The links of one version: an association file, or an environment.
struct LinkVersion {
    /// The environment's name; nil for a file.
    let name: String?
    /// Nil for a file, whose hosts are not known.
    let hosts: [String]?
    /// Nil if there is no such file.
    let apple: AssociationReading?
    let android: AssetLinksReading?

    /// One version for a file or a named environment, or one for each environment.
    /// - Throws: the exit status, after printing the reasons.
    static func load(
        _ path: String, environment: String?, _ includes: IncludeOptions
    ) throws(ExitCode) -> [LinkVersion] {
        let bytes = try readNamed(path)
        switch FileKind(of: bytes, name: path) {
        case .association:
            let file = AssociationReading(bytes, file: path)
            try printFaults(file.diagnostics, isRead: file.json.isValid)
            return [LinkVersion(name: nil, hosts: nil, apple: file, android: nil)]
        case .assetLinks:
            let files = try AssetLinksFiles(bytes, name: path, includes)
            for url in files.links.missingIncludes {
                printMessage(
                    Diagnostic(
                        .warning, .include, at: SourcePosition(file: path, line: 1, column: 1),
                        "the changes also depend on \(quoted(url)), which was not given",
                        advice: "give the file with --include URL=FILE"))
            }
            return [LinkVersion(name: nil, hosts: nil, apple: nil, android: files.reading)]
        case .configuration: break
        }
        let (configuration, diagnostics) = Configuration.read(bytes, file: path)
        for diagnostic in diagnostics where diagnostic.severity == .error {
            printMessage(diagnostic)
        }
        guard let configuration else { throw .configurationInvalid }
        guard let environment else { return configuration.environments.map(LinkVersion.init) }
        return [LinkVersion(try configuration.requireEnvironment(named: environment))]
    }

    private init(
        name: String?, hosts: [String]?, apple: AssociationReading?, android: AssetLinksReading?
    ) {
        (self.name, self.hosts, self.apple, self.android) = (name, hosts, apple, android)
    }

    private init(_ environment: Environment) {
        name = environment.name
        hosts = environment.answeredHosts.map { "\($0)" }
        let associations = environment.sites[0].associations
        apple = associations.aasa.map {
            AssociationReading($0, file: "apple-app-site-association")
        }
        android = associations.assetlinks.map { AssetLinksReading($0, file: "assetlinks.json") }
    }
}
