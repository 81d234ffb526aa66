import ArgumentParser
import Associations
import Diagnostics
import Files
import Migration
import SiteConfiguration
import URISyntax

/// `waymark init --from`: reads existing files, and writes a configuration that means the same.
struct MigrationRun {
    private var migration = Migration()
    /// The files that were read.
    private var files = [String]()

    /// Directories are searched only to this depth, because a checkout has its own dependencies.
    private static let depthMax = 6
    /// What a redirect list may have at most.
    private static let bytesMax = 1 << 24

    /// Reads the files, and those in directories that have a known form.
    /// - Throws: the exit status, after printing the reason.
    init(_ paths: [String]) throws {
        for path in paths {
            if let found = try? findFiles(under: path, depthMax: Self.depthMax) {
                try readDirectory(path, found.map(\.relativePath).sorted())
            } else {
                let bytes = try readNamed(path, bytesMax: Self.bytesMax)
                guard let kind = Migration.Kind(of: bytes, path: path) else {
                    printMessage(
                        "\(shownName(path)): error: it is neither an association file nor a list of "
                            + "redirects")
                    throw ExitCode.configurationInvalid
                }
                add(bytes, kind, path)
            }
        }
        guard !files.isEmpty else {
            printMessage(
                "waymark: error: \(paths.joined(separator: ", ")): there is no association file "
                    + "and no list of redirects")
            throw ExitCode.inputMissing
        }
    }

    private mutating func readDirectory(_ directory: String, _ names: [String]) throws {
        for name in names where Self.canBeRead(name) {
            let path = "\(directory)/\(name)"
            guard let bytes = try? readFile(path, bytesMax: Self.bytesMax).bytes,
                let kind = Migration.Kind(of: bytes, path: path)
            else { continue }
            add(bytes, kind, path)
        }
    }

    /// Whether a file in a directory can be of a known kind, by its name.
    private static func canBeRead(_ path: String) -> Bool {
        let name =
            path.utf8.split(separator: UInt8(ascii: "/")).last.map {
                String(decoding: $0, as: UTF8.self).lowercased()
            } ?? ""
        let endings = [".json", ".conf", ".csv", ".htaccess"]
        return name == "_redirects" || name == "apple-app-site-association"
            || endings.contains { name.utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private mutating func add(_ bytes: [UInt8], _ kind: Migration.Kind, _ path: String) {
        printMessage("waymark: read \(shownName(path)) (\(kind.words))")
        migration.add(bytes, as: kind, file: shownName(path))
        files.append(path)
    }

    /// The hosts of the configuration: those of the command line, or those in the files.
    func hosts(_ given: [String]) -> [String] {
        let all = given.isEmpty ? migration.hosts : given
        return all.isEmpty ? [localHost] : all
    }

    /// The configuration as a text, with an environment and its host to try. What differs from the
    /// files is printed.
    /// - Throws: the exit status, after printing the reason.
    mutating func text(
        hosts: [String], certificates: (chain: String, key: String)
    ) throws -> (text: String, environment: String, host: String) {
        do throws(Migration.Unwritable) {
            let written = try migration.written(
                hosts: hosts, certificates: certificates,
                hasPage: { $0 == "/index.html" || FileStamp(of: "Public\($0)") != nil })
            printMessages(written.comments.map { "waymark: not translated: \($0)" })
            printDifferences(written.configuration)
            let all = written.configuration.environments
            let local = all.first { $0.site(of: localHost) != nil }
            return (written.text, (local ?? all[0]).name, local == nil ? hosts[0] : localHost)
        } catch {
            for finding in error.findings { printMessage(finding) }
            throw ExitCode.ourFault
        }
    }

    /// Compares each association file with what the configuration publishes, and asks the
    /// configuration for a sample of each redirect.
    private func printDifferences(_ configuration: Configuration) {
        let versions = LinkVersion.all(configuration.environments, in: ".")
        for (reading, number) in migration.appleFiles {
            let old = LinkVersion(apple: reading, android: nil)
            report(old, versions[number], reading.file)
        }
        for (reading, number) in migration.androidFiles {
            let old = LinkVersion(apple: nil, android: reading)
            report(old, versions[number], reading.file)
        }
        let failures = migration.wrongRedirects(configuration.environments[0].sites[0])
        printMessages(failures.map { "waymark: difference: \($0)" })
    }

    private func report(_ old: LinkVersion, _ new: LinkVersion, _ file: String) {
        let difference = VersionDifference((old, new))
        guard difference.isChanged else { return }
        printMessage("waymark: differences from \(file):")
        printMessages(difference.lines.map { "  \($0)" })
    }
}

extension Migration.Kind {
    fileprivate var words: String {
        switch self {
        case .apple: "apple-app-site-association"
        case .android: "assetlinks.json"
        case .netlify: "redirects of Netlify"
        case .nginx: "redirects of nginx"
        case .apache: "redirects of Apache"
        case .csv: "table of redirects"
        }
    }
}
