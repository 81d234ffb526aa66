import ArgumentParser
import Diagnostics

/// The description of a new link, in options or in JSON.
struct LinkDescriptionOptions: ParsableArguments {
    @Option(help: "The collection; may be left out if there is only one.") var collection: String?
    @Option(help: "The text in place of the collection's star; by default random.")
    var slug: String?
    @OptionGroup var content: LinkContentOptions

    /// The argument or option for each member of a new link, by its JSON Pointer.
    static let names = LinkContentOptions.names.merging([
        "/collection": "--collection", "/slug": "--slug",
    ]) { first, _ in first }

    /// They do not change later.
    private var place: LinkContentOptions.Members { [("collection", collection), ("slug", slug)] }

    /// Checks that the description is given in one form.
    func check(_ options: LinkOriginOptions) throws(ValidationError) {
        try content.check(options, besides: place)
    }

    /// - Throws: the exit status, after printing why the file cannot be used.
    func written() throws(ExitCode) -> (json: JSONText, source: JSONSource?) {
        try content.written(isNew: true, besides: place)
    }
}
