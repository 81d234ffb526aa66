import ArgumentParser
import Diagnostics
import JSONSyntax
import SiteConfiguration

/// The members of a link that can be changed, in options or in JSON.
struct LinkContentOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The URL to which browsers are led.", valueName: "destination"))
    var destination: String?

    @Option(help: "The title of the landing page and of previews.") var title: String?
    @Option(name: .customLong("description"), help: "The text below the title.") var text: String?
    @Option(help: "The URL of the page's picture.") var image: String?
    @Option(name: .customLong("tag"), help: "A tag for your colleagues; can be repeated.")
    var tags: [String] = []
    @Option(help: "A note for your colleagues.") var note: String?
    @Option(help: "When browsers get the link first, such as 2027-01-01T00:00:00Z.")
    var from: String?
    @Option(help: "When browsers get it no more.") var until: String?
    @Option(name: .customLong("external-id"), help: "Another system's name for the link.")
    var externalID: String?

    @Option(
        name: .customLong("json"),
        help: ArgumentHelp(
            "A file with the link as JSON, as in docs/smart-links.md; - is standard input. It is "
                + "in place of the destination and the other options.", valueName: "file"))
    var path: String?

    /// Members of a link that have an option, with its value.
    typealias Members = [(key: String, value: String?)]

    /// Options that are members of a link with the same value, by their names.
    private var members: Members {
        [
            ("destination", destination), ("note", note), ("from", from), ("until", until),
            ("externalId", externalID),
        ]
    }

    private var pageMembers: Members {
        [("title", title), ("description", text), ("image", image)]
    }

    private var hasOptions: Bool {
        !tags.isEmpty || (members + pageMembers).contains { $0.value != nil }
    }

    /// Whether nothing is described.
    var isEmpty: Bool { path == nil && !hasOptions }

    /// Checks that the description is given in one form.
    /// - Parameter others: of the link, besides these.
    func check(_ options: LinkOriginOptions, besides others: Members = []) throws(ValidationError) {
        guard let path else { return }
        guard !hasOptions, others.allSatisfy({ $0.value == nil }) else {
            throw ValidationError(
                "the link is described by --json or by a destination and options, not by both")
        }
        guard path != "-" || !options.readsStandardInput else {
            throw ValidationError("standard input is either the link or the token")
        }
    }

    /// - Parameters:
    ///   - isNew: whether an empty value is left out; otherwise it removes what the link has.
    ///   - others: of the link, besides these.
    /// - Throws: the exit status, after printing why the file cannot be used.
    func written(
        isNew: Bool, besides others: Members = []
    ) throws(ExitCode) -> (json: JSONText, source: JSONSource?) {
        if let path {
            let source = try JSONSource(path)
            return (source.json.written, source)
        }
        func values(_ members: Members) -> [(key: String, value: JSONText)] {
            members.compactMap { key, value in
                guard let value, !(isNew && value.isEmpty) else { return nil }
                return (key, value.isEmpty ? .null : .string(value))
            }
        }
        var all = values(others + members)
        let page = values(pageMembers)
        if !page.isEmpty { all.append(("page", .object(page))) }
        let tags = tags.filter { !$0.isEmpty }
        if !tags.isEmpty {
            all.append(("tags", .strings(tags)))
        } else if !self.tags.isEmpty, !isNew {
            all.append(("tags", .null))
        }
        return (.object(all), nil)
    }

    /// The argument or option for each member of a link, by its JSON Pointer.
    static let names = [
        "/destination": "destination",
        "/page/title": "--title", "/page/description": "--description", "/page/image": "--image",
        "/tags": "--tag", "/note": "--note", "/from": "--from", "/until": "--until",
        "/externalId": "--external-id",
    ]
}
