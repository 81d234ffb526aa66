import ArgumentParser
import Associations
import Diagnostics
import Files
import Linting
import Reviewing
import SiteConfiguration

/// Shows what changes for visitors and apps between two versions. Exit status: 0 if nothing changes,
/// else 1.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changes: which links open apps, and what browsers get.",
        discussion: """
            Each version is an apple-app-site-association file, an assetlinks.json or a \
            configuration. Its content shows which. A version can be a pipe: \
            `waymark diff <(git show main:waymark.yaml) waymark.yaml`. For two configurations, \
            all environments are compared, or the ones that you name. Every change of a link has \
            an example, which both versions decided differently. A host to which links did not \
            lead before comes first.

            Two configurations are also compared in what browsers and programs get: responses, \
            landing pages, the content of pages, and settings. Public files are not compared.

            Included files of an assetlinks.json apply to both versions. To see a change in an \
            included file, compare that file itself.
            """)

    @Argument(help: "The old version: a file or an https URL; - for either is standard input.")
    var old: String
    @Argument(help: "The new version; \(usualConfiguration) by default.")
    var new = usualConfiguration

    @Option(name: .customLong("env"), help: "The environment to compare.")
    var environment: String?

    @Option(help: "The environment of the new version, if it has another name.")
    var newEnv: String?

    @Option(
        name: .customLong("as"),
        help:
            "The kind of both versions: aasa, assetlinks or config. By default, their content shows it."
    )
    var kind: FileKind?

    @OptionGroup var fetching: FetchOptions
    @OptionGroup var includes: IncludeOptions

    @Option(
        help: """
            The format of the changes: text, json, github (annotations) or markdown (a comment on \
            a pull request).
            """)
    var format = DiffFormat.text

    mutating func validate() throws {
        guard old != "-" || new != "-" else {
            throw ValidationError("standard input can be read once")
        }
        guard newEnv == nil || environment != nil else {
            throw ValidationError("--new-env needs --env, the environment of the old version")
        }
    }

    func run() throws {
        let reports = try Progress.showing("reading \(shownName(old))") { progress in
            let before = try LinkVersion.load(
                old, as: kind, environment: environment, includes, fetching)
            progress.goOn("reading \(shownName(new))")
            let after = try LinkVersion.load(
                new, as: kind, environment: newEnv ?? environment, includes, fetching)
            try checkKinds(before, after)
            let comparison = VersionComparison(before, after, areNamed: environment != nil)
            progress.goOn("comparing", counting: "sites", of: comparison.pairs.count)
            return comparison.differences(publicFiles: \.publicPaths) { progress.advance() }
        }
        let isChanged = reports.contains(where: \.isChanged)
        switch format {
        case .text: try printOutput(.lines(reports.flatMap(\.lines)))
        case .json:
            let json = JSONText.object([
                ("changed", .boolean(isChanged)), ("environments", .array(reports.map(\.json))),
            ])
            try printOutput(.json(json))
        case .github:
            let file = shownName(new)
            try printOutput(
                .commands(reports.flatMap { $0.entries.map { $0.workflowCommand(file) } }))
        case .markdown: try printOutput(.markdown(MarkdownReview(reports).lines))
        }
        if isChanged { throw ExitCode.no }
    }

    /// Checks that both are of one kind; an environment can be compared with a file.
    private func checkKinds(_ before: [LinkVersion], _ after: [LinkVersion]) throws {
        guard let old = before.first, let new = after.first else { return }
        let areFiles = old.name == nil && new.name == nil
        if areFiles, (old.apple == nil) != (new.apple == nil) {
            throw ValidationError(
                "one version is an apple-app-site-association file, the other an assetlinks.json")
        }
        if (old.name == nil) != (new.name == nil), before.count + after.count > 2 {
            throw ValidationError("use --env to choose the environment to compare with the file")
        }
    }
}

/// The format of differences.
enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, github, markdown
}

extension Site {
    /// The paths of its public files; nil if they cannot be found.
    var publicPaths: [String]? {
        let files = try? findPublicFiles()
        return files?.map(\.relativePath)
    }
}
