import Diagnostics

// What only a waymark.yaml can have wrong, and what a run says of itself.

extension Catalogue {
    private static let refused = "The configuration is refused, and none of it is served."

    /// A rule of the configuration's reader: an error, unless said otherwise.
    private static func rule(
        _ name: RuleName, _ title: String, _ wrong: String, fix: String,
        severity: Severity = .error, shows: String = refused, code: String? = nil
    ) -> CatalogueRule {
        CatalogueRule(
            name, code, severity, title, wrong: wrong, shows: shows, fix: fix,
            source: "docs/configuration.md", .documented)
    }

    static let configurationRules = [
        rule(.fileMissing, "There is no such file", "The path leads nowhere.", fix: "Mend it."),
        rule(
            .filePermission, "The file may not be read", "The system's permission is lacking.",
            fix: "Grant it to the user who runs Waymark."),
        rule(
            .fileUnreadable, "The file cannot be read",
            "It is a directory, too large to be served, or the system fails to read it.",
            fix: "Name a regular file."),
        rule(
            .controlCharacter, "A control character",
            "The text holds a character that is never shown.", fix: "Remove it."),
        rule(.emptyFile, "The file is empty", "There is no YAML in it.", fix: "Fill it."),
        rule(
            .yamlSyntax, "The text is not YAML", "A bracket, quote or indentation is wrong.",
            fix: "Mend it at the line and column named."),
        rule(
            .yamlAlias, "An anchor or alias", "They are not read: what they repeat can be huge.",
            fix: "Write the value out, or use `extends`."),
        rule(
            .yamlTag, "A tag", "Types are given by the key, not by tags.", fix: "Delete it."),
        rule(
            .nesting, "Values are nested too deep",
            "Mappings and lists stand in one another "
                + "more than 32 deep.", fix: "Remove what is not a configuration's."),
        rule(
            .severalDocuments, "A second document", "A configuration is one YAML document.",
            fix: "Write two files."),
        rule(
            .duplicateKey, "A key stands twice", "One mapping has a key two times.",
            fix: "Keep one."),
        rule(
            .unknownKey, "A key that is not known", "No such key exists in this place.",
            fix: "Mend its spelling, or remove it."),
        rule(.missingKey, "A key is missing", "The place requires it.", fix: "Add it."),
        rule(
            .unsetValue, "A key without a value", "Nothing, `null` or `~` stands behind it.",
            fix: "Give it a value, or remove it."),
        rule(
            .wrongKind, "A value of the wrong kind",
            "A text, list or mapping stands where "
                + "another of them belongs.", fix: "Write what the message names."),
        rule(
            .wrongValue, "A value that the key does not take", "Its form or number is wrong.",
            fix: "Write one of the values that the message names."),
        rule(.name, "A name of the wrong form", "Names are short and plain.", fix: "Rename it."),
        rule(
            .appIdentifier, "An app identifier of the wrong form",
            "It is App ID prefix of ten characters, full stop, bundle identifier.",
            fix: "Copy it from developer.apple.com › Identifiers."),
        rule(
            .androidIdentifier, "An Android identifier of the wrong form",
            "A package name or a SHA-256 fingerprint is none.", fix: "Copy it from Play Console."),
        rule(.hostName, "No host name", "Hosts have no scheme, port or path.", fix: "Mend it."),
        rule(
            .addressBlock, "No address",
            "A proxy is an address such as 192.0.2.1, or a block such as 10.0.0.0/8.",
            fix: "Mend it."),
        rule(.url, "No URL", "The text is no absolute http or https URL.", fix: "Mend it."),
        rule(
            .pagePath, "No page of the public directory", "Pages are named by their URL path.",
            fix: "Begin with a slash, without dots, query or fragment."),
        rule(
            .pattern, "A pattern that cannot match",
            "It does not begin with / or *, or holds what no path has.", fix: "Mend it."),
        rule(
            .unknownName, "A name that nothing bears",
            "An app, link, environment or variable is named that does not exist.",
            fix: "Mend its spelling, or define it."),
        rule(
            .duplicateName, "A name is given twice", "It is not clear which is meant.",
            fix: "Rename one."),
        rule(
            .duplicateHost, "A host is listed twice", "Each host is listed once.",
            fix: "Remove one."),
        rule(
            .duplicateApp, "Two apps with one identifier",
            "Apple reads the first entry of an identifier and drops the second.",
            fix: "Publish one of them."),
        rule(
            .extendsCycle, "An environment extends itself",
            "The chain of `extends` comes back, or is too long.", fix: "Break it."),
        rule(
            .nothingOpens, "A link, or an app, that opens nothing",
            "Its rules only exclude, or hold what `association-form: legacy` has no words for.",
            fix: "Add a rule without `exclude`, of a path alone."),
        rule(
            .nothingPublished, "An environment publishes nothing",
            "It has neither `publish` nor a ready file.", fix: "Add one."),
        rule(
            .noAppleApp, "No iOS app is published",
            "The environment serves no association file, though the configuration has iOS apps.",
            fix: "Publish one, if that is meant.", severity: .note,
            shows: "Apple's paths get 404."),
        rule(
            .unusedKey, "A key without effect",
            "Another key takes its place, or nothing is there for it.", fix: "Remove one of them.",
            severity: .warning, shows: "What the key says is not done."),
        rule(
            .dynamicComponents, "A rule that Android does not know",
            "Android's dynamic rules have neither variables nor flags, and a query as an object of "
                + "items alone: a string is passed over.",
            fix: "Write the link without them, or the app without `dynamic`."),
        rule(
            .placeholder, "A placeholder that stands for nothing",
            "Braces hold no number, or one for which a pattern has no star.", fix: "Mend it."),
        rule(
            .associationSize, "An association file too large",
            "Apple's systems read 131,072 bytes, uncompressed.", fix: "Write fewer rules.",
            code: "H07"),
        rule(.tooMany, "Too many of one kind", "A limit is reached.", fix: "Split the file."),
        rule(
            .expectationFailed, "A link test that fails",
            "An entry of `expect` states what a link opens or gets, and it does not.",
            fix: "Mend the links, or the test; `waymark match` says why.",
            shows: "The configuration is refused: `serve` does not start, a reload "
                + "keeps what was."),
    ]

    static let runRules = [
        rule(
            .tooManyFindings, "More findings than are printed",
            "Of one file 1,000 findings are shown, of a configuration 100, errors before all "
                + "others; the rest is counted. What has one cause is one finding from the fourth "
                + "place on, which names the lines of the others.",
            fix: "Mend those that are shown, and run again.", severity: .warning,
            shows: "Not all faults are named."),
        rule(
            .unusedSuppression, "A suppression that suppresses nothing",
            "`--ignore` names a rule that found nothing.", fix: "Remove the option.",
            severity: .warning, shows: "It would hide the fault when it comes."),
    ]
}
