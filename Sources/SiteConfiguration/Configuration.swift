package import Diagnostics
private import Files

/// A configuration without errors: all errors of a `waymark.yaml` are reported before a value of
/// this type exists.
package struct Configuration: Sendable {
    /// The configuration file, as the user named it.
    package let file: String
    /// In the order of the file; never empty.
    package let environments: [Environment]
    /// All apps and links, of all sites.
    package let apps: [App]
    package let links: [Link]
    /// The link tests that the file carries.
    package let expectations: [Expectation]

    /// The environment of this very name, or nil.
    package func environment(named name: String) -> Environment? {
        environments.first { $0.name == name }
    }
}

// MARK: - Reading

extension Configuration {
    /// Reads the file at `path` and the files that it names. `configuration` is nil if any diagnostic is an
    /// error. Diagnostics are in the order of their positions. `fault(in:)` distinguishes a missing
    /// file from an invalid one.
    /// - Parameter servesOthers: whether errors of one site are no reason to refuse the others
    ///   (`Environment.refusedSites`).
    package static func load(path: String, servesOthers: Bool = false) -> (
        configuration: Configuration?, diagnostics: [Diagnostic]
    ) {
        do throws(FileError) {
            let content = try readFile(path, bytesMax: ConfigurationLimits.fileBytesMax)
            return read(
                content.bytes, file: path, directory: directory(of: path),
                servesOthers: servesOthers)
        } catch {
            var findings = Findings()
            let position = SourcePosition(file: path, line: 1, column: 1)
            switch error {
            case .tooLarge(let bytes, let limit):
                findings.error(
                    .fileSize, at: position, "file has \(bytes) bytes, may have \(limit)")
            case .missing:
                findings.error(
                    .fileMissing, at: position, error.words(at: path),
                    advice: error.linkCure(at: path)
                        ?? "give the path of a configuration; waymark init creates one")
            case .noPermission:
                findings.error(
                    .filePermission, at: position, "no permission to read the file",
                    advice: "give the user that runs waymark read permission, for example through "
                        + "a group")
            default:
                findings.error(.fileUnreadable, at: position, "the file cannot be read: \(error)")
            }
            return (nil, findings.sorted(file: path))
        }
    }

    /// Reads a configuration in memory.
    /// - Parameters:
    ///   - file: the file name of the positions.
    ///   - directory: the directory to which its paths are relative.
    package static func read(
        _ bytes: [UInt8], file: String, directory: String, servesOthers: Bool = false
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        var reader = ConfigurationReader(file: file, directory: directory)
        let configuration = reader.read(bytes)
        let isUsable = !reader.findings.hasErrors
        var findings = reader.findings
        findings.add(reader.siteFindings)
        let isRefused = servesOthers ? !isUsable : findings.hasErrors
        return (isRefused ? nil : configuration, findings.sorted(file: file))
    }

    /// The directory to which the paths of the configuration at `path` are relative.
    package static func directory(of path: String) -> String {
        let bytes = Array(path.utf8)
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }

    /// Reads a configuration in memory, whose paths are relative to its own directory.
    /// - Parameter file: its path, or another name; paths are then relative to the working
    ///   directory.
    package static func read(
        _ bytes: [UInt8], file: String
    ) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
        guard bytes.count <= ConfigurationLimits.fileBytesMax else {
            var findings = Findings()
            findings.error(
                .fileSize, at: SourcePosition(file: file, line: 1, column: 1),
                "file has \(bytes.count) bytes, may have \(ConfigurationLimits.fileBytesMax)")
            return (nil, findings.sorted(file: file))
        }
        return read(bytes, file: file, directory: directory(of: file))
    }

    /// The reason why a configuration could not be loaded; it sets the exit status of commands.
    package enum Fault: Sendable {
        case missing, unreadable, noPermission, invalid
    }

    /// The fault that the diagnostics of `load` represent; nil if none is an error.
    package static func fault(in diagnostics: [Diagnostic]) -> Fault? {
        let errors = diagnostics.filter { $0.severity == .error }
        if errors.contains(where: { $0.rule == .fileMissing }) { return .missing }
        // A directory, which has no other error.
        if errors.map(\.rule) == [.fileUnreadable] { return .unreadable }
        if errors.contains(where: { $0.rule == .filePermission }) { return .noPermission }
        return errors.isEmpty ? nil : .invalid
    }
}
