import Associations
import Diagnostics
package import ArgumentParser
import SiteConfiguration

/// Prints what an environment serves, byte for byte. Exit: 0, 1 if it serves no such file.
package struct RenderCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Print an association file as an environment serves it.",
        discussion: """
            The bytes are those that `serve` sends, before compression. Of an environment that \
            signs its association file, it is the JSON that is signed.
            """)

    @Argument(help: "aasa or assetlinks.")
    var artifact: Artifact

    @OptionGroup var source: ConfigurationOptions

    @Option(help: "Write aasa as modern, compatible or legacy, whatever the environment says.")
    var form: Form?

    package init() {}

    package mutating func validate() throws {
        guard form == nil || artifact == .aasa else {
            throw ValidationError("--form is for aasa alone.")
        }
    }

    package func run() throws {
        let associations = try source.loadTested().associations
        guard let bytes = try bytes(of: associations) else {
            printMessage(
                "waymark: error: environment \(quoted(source.name)) serves no "
                    + artifact.fileName)
            throw ExitCode.no
        }
        print(String(decoding: bytes, as: UTF8.self), terminator: "")
    }

    private func bytes(of associations: PublishedAssociations) throws -> [UInt8]? {
        switch (artifact, form) {
        case (.assetlinks, _): return associations.assetlinks
        case (.aasa, nil): return associations.aasa
        case (.aasa, let form?):
            guard associations.aasa != nil else { return nil }
            guard let file = associations.generated else {
                printMessage(
                    "waymark: error: --form \(form) is not to be had: the environment names a "
                        + "ready file, which is served as it is")
                throw ExitCode.no
            }
            return file.serialized(as: form.value)
        }
    }
}

/// What can be rendered.
enum Artifact: String, CaseIterable, ExpressibleByArgument {
    case aasa, assetlinks

    var fileName: String {
        switch self {
        case .aasa: "apple-app-site-association"
        case .assetlinks: "assetlinks.json"
        }
    }
}

/// How an association file is written.
enum Form: String, CaseIterable, ExpressibleByArgument {
    case modern, compatible, legacy

    var value: AssociationForm {
        switch self {
        case .modern: .modern
        case .compatible: .compatible
        case .legacy: .legacy
        }
    }
}
