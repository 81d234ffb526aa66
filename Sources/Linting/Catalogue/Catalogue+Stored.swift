import Diagnostics

// What is found in links that are made while the origin runs: the API names these rules in its
// problems.

extension Catalogue {
    private static func rule(
        _ name: RuleName, _ title: String, _ wrong: String, fix: String,
        severity: Severity = .error, shows: String = "The link is not made, or not changed."
    ) -> CatalogueRule {
        CatalogueRule(
            name, nil, severity, title, wrong: wrong, shows: shows, fix: fix,
            source: "docs/smart-links.md", .documented)
    }

    static let storedRules = [
        rule(
            .noStore, "A collection without a store",
            "A link has `stored`, and the environment has no `store`.",
            fix: "Add `store: var/links.db` to the environment.", severity: .warning,
            shows: "No stored link is found; browsers get 404."),
        rule(
            .sharedStore, "An environment with the store of another",
            "An environment inherits `store` by `extends`.",
            fix: "Give the environment a `store` of its own. If the two are never served on one "
                + "machine, write the same path in it.", severity: .warning,
            shows: "Who tries something out there makes, changes and deletes links of the other."),
        rule(
            .openDestinations, "A collection whose links may lead anywhere",
            "`destinations` of a collection is `*`.",
            fix: "List the hosts to which its links lead.", severity: .warning,
            shows:
                "With a token, somebody can make links on your domain that lead to any site. Mail "
                + "filters then list the domain, and its links are lost for everybody."),
        rule(
            .linkStore, "The store of links",
            "The file or database cannot be opened, read or written.",
            fix: "Follow the message. Waymark tries again by itself.",
            shows: "Links are answered as they were last known; changes get 503."),
        rule(
            .databaseFile, "A file of the way to the database that cannot be used",
            "The file of `store-password` is missing, empty, has several lines or may not be read by this user; or a file "
                + "that the URL of the database names with `sslrootcert`, `sslcert` or `sslkey` is missing, may not be read, "
                + "has no certificate, or is a key that others can read. Only `lint --env` looks; of the "
                + "URL's files it warns, because the machine that serves may have them.",
            fix:
                "Put the file on each node, where the message says, and let Waymark's user read it: "
                + "`install -m 600 -o waymark /dev/null FILE` makes an empty one.",
            shows:
                "The node does not connect to the database, and says so in its log: it answers links that it knew before, and "
                + "makes none."),
        rule(
            .databaseLibrary, "PostgreSQL's client library cannot be loaded",
            "`store` is a database, and libpq, which Waymark loads for it, is not installed or is older than version 14. "
                + "Only `lint --env` looks, and warns, because the machine that serves may have it.",
            fix: "Install it on each node: the package `libpq5` of Debian and Ubuntu, or the image "
                + "`waymark:VERSION-postgresql`.", severity: .warning,
            shows:
                "The node does not connect to the database, and says so in its log: it answers links that it knew before, and "
                + "makes none."),
        rule(
            .slugForm, "A slug that cannot be used",
            "A slug has 1 to 64 letters, digits, `-`, `_`, `~` and, within, full stops.",
            fix: "Choose another slug, or leave it out: Waymark chooses one."),
        rule(
            .slugTaken, "A slug that is taken",
            "Another link of the collection has it, or had it and was deleted: printed codes would "
                + "lead elsewhere. Unless the collection has `case: exact`, letter case does not "
                + "distinguish slugs.",
            fix: "Choose another slug."),
        rule(
            .slugReserved, "A slug that programs request by themselves",
            "Browsers, search engines and scanners request such names without a link.",
            fix: "Choose another slug."),
        rule(
            .slugShadowed, "A slug whose URL has another answer",
            "A public file, a reserved path or an earlier link of the configuration has the URL.",
            fix: "Choose another slug, or change the configuration."),
        rule(
            .tableForm, "Content that is not a table of links",
            "A quote is not closed, the lines end in different ways, a cell has no heading, or the "
                + "file is no text. Nothing behind such a place is read.",
            fix: "Save the table as CSV UTF-8, and import it again."),
        rule(
            .nothingToImport, "An import of nothing", "The file is empty, or has only a heading.",
            fix: "Look whether it is the file that was meant."),
        rule(
            .externalIDTaken, "An external identifier that is taken",
            "Another link has it, and it identifies one.",
            fix: "Change that link: PUT /v1/links/by-external-id/ID."),
        rule(
            .destinationForm, "A destination that is no URL",
            "It must be an http or https URL without user name, at most 2,048 bytes.",
            fix: "Write the URL as a browser's address bar has it."),
        rule(
            .destinationNotAllowed, "A destination that the collection does not allow",
            "The host, port or path is not in `destinations` of the collection, without which "
                + "anybody with a token could lead visitors anywhere.",
            fix: "Lead elsewhere, or add the host to `destinations`."),
        rule(
            .destinationLoop, "A destination that is a stored link",
            "Browsers would be led from one stored link to another, or in a circle.",
            fix: "Lead to the destination of that link."),
    ]
}
