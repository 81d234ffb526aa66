import ArgumentParser
import Associations
import Diagnostics
import SiteConfiguration

/// Says which links start or stop opening apps between two versions. Exit: 0 if nothing changes
/// for anybody, else 1.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Say which links start or stop opening apps.",
        discussion: """
            Each version is an apple-app-site-association file, an assetlinks.json or a \
            configuration, told apart by content; a pipe will do: \
            `waymark diff <(git show main:waymark.yaml) waymark.yaml`. Of \
            two configurations all environments are compared, or those that are named. Every \
            change comes with a link on which both versions were asked.

            Files that an assetlinks.json includes stand for both versions; what changes in one of \
            them shows when it is compared itself.
            """)

    @Argument(help: "The version before.") var old: String
    @Argument(help: "The version after.") var new: String

    @Option(name: .customLong("env"), help: "The environment to compare.")
    var environment: String?

    @Option(help: "The environment of the second version, where it is another one.")
    var newEnv: String?

    @OptionGroup var includes: IncludeOptions

    @Option(help: "How changes are printed: text or json.")
    var format = OutputFormat.text

    mutating func validate() throws {
        guard newEnv == nil || environment != nil else {
            throw ValidationError("--new-env needs --env for the version before")
        }
    }

    func run() throws {
        let before = try LinkVersion.load(old, environment: environment, includes)
        let after = try LinkVersion.load(new, environment: newEnv ?? environment, includes)
        try checkKinds(before, after)
        let reports = pairs(before, after).map(VersionDifference.init)
        let isChanged = reports.contains(where: \.isChanged)
        switch format {
        case .text: try printOutput(.lines(reports.flatMap(\.lines)))
        case .json:
            let json = JSONText.object([
                ("changed", .boolean(isChanged)), ("environments", .array(reports.map(\.json))),
            ])
            try printOutput(.json(json))
        }
        if isChanged { throw ExitCode.no }
    }

    /// Both must be of one kind; an environment can be held against a file.
    private func checkKinds(_ before: [LinkVersion], _ after: [LinkVersion]) throws {
        guard let old = before.first, let new = after.first else { return }
        let areFiles = old.name == nil && new.name == nil
        if areFiles, (old.apple == nil) != (new.apple == nil) {
            throw ValidationError(
                "one version is an apple-app-site-association file, the other an assetlinks.json")
        }
        if (old.name == nil) != (new.name == nil), before.count + after.count > 2 {
            throw ValidationError("name the environment to hold against the file: --env")
        }
    }

    /// Versions of one environment each, side by side; several are paired by name.
    private func pairs(
        _ before: [LinkVersion], _ after: [LinkVersion]
    ) -> [(old: LinkVersion?, new: LinkVersion?)] {
        if before.count == 1, after.count == 1 { return [(before.first, after.first)] }
        let names = before.map(\.name) + after.map(\.name)
        var seen = Set<String?>()
        return names.filter { seen.insert($0).inserted }.map { name in
            (before.first { $0.name == name }, after.first { $0.name == name })
        }
    }
}
