import ArgumentParser
import Associations
import Diagnostics
private import JSONSyntax
import Linting
import Reviewing
import SiteConfiguration

extension LinkVersion {
    /// One version for a file or a named environment, or one for each environment.
    /// - Throws: the exit status, after printing the reasons.
    static func load(
        _ path: String, as kind: FileKind?, environment: String?, _ includes: IncludeOptions,
        _ fetching: FetchOptions
    ) throws(ExitCode) -> [LinkVersion] {
        let bytes = try fetching.read(path)
        switch kind ?? FileKind(of: bytes, name: path) {
        case .association:
            let file = AssociationReading(bytes, file: path)
            try printFaults(file.diagnostics, isRead: file.json.isValid)
            return [LinkVersion(apple: file, android: nil)]
        case .assetLinks:
            let files = try AssetLinksFiles.read(bytes, name: path, includes)
            for url in files.links.missingIncludes {
                printMessage(
                    Diagnostic(
                        .warning, .include, at: SourcePosition(file: path, line: 1, column: 1),
                        "the changes also depend on \(quoted(url)), which was not given",
                        advice: "give the file with --include URL=FILE"))
            }
            return [LinkVersion(apple: nil, android: files)]
        case .configuration: break
        }
        let (configuration, diagnostics) = Configuration.read(bytes, file: path)
        for diagnostic in diagnostics where diagnostic.severity == .error {
            printMessage(diagnostic)
        }
        guard let configuration else { throw .configurationInvalid }
        let environments =
            try environment.map { name throws(ExitCode) in
                [try configuration.requireEnvironment(named: name)]
            } ?? configuration.environments
        return all(environments, in: Configuration.directory(of: path))
    }
}
