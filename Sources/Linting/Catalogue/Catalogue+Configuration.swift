import Diagnostics

// What only a waymark.yaml can have wrong, and what a run says of itself.

extension Catalogue {
    private static let refused = "The configuration is refused."

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
        rule(
            .fileMissing, "The file does not exist", "There is no file at the path.",
            fix: "Fix it."),
        rule(
            .filePermission, "No permission to read the file",
            "The user who runs Waymark has no permission to read it.",
            fix: "Give that user the permission."),
        rule(
            .fileUnreadable, "The file cannot be read",
            "It is a directory or too large, or reading it fails.",
            fix: "Name a regular file."),
        rule(
            .controlCharacter, "A control character",
            "The text contains a character that is not shown.", fix: "Remove it."),
        rule(
            .emptyFile, "The file is empty", "It contains no YAML.",
            fix: "Add the configuration."),
        rule(
            .yamlSyntax, "The text is not YAML", "A bracket, quote or indentation is wrong.",
            fix: "Fix it at the position of the finding."),
        rule(
            .yamlAlias, "An anchor or alias",
            "They are not supported, because they can expand to a huge text.",
            fix: "Write the value out, or use `extends`."),
        rule(
            .yamlTag, "A tag", "The key determines the type, so tags are not supported.",
            fix: "Delete it."),
        rule(
            .nesting, "Values are nested too deep",
            "Mappings and lists are nested more than 32 levels deep.",
            fix: "Remove values that do not belong in a configuration."),
        rule(
            .severalDocuments, "A second document", "A configuration is one YAML document.",
            fix: "Write two files."),
        rule(
            .duplicateKey, "A key is repeated", "One mapping has the key twice.",
            fix: "Keep one."),
        rule(
            .unknownKey, "An unknown key", "This mapping has no such key.",
            fix: "Mend its spelling, or remove it."),
        rule(.missingKey, "A key is missing", "This mapping requires it.", fix: "Add it."),
        rule(
            .unsetValue, "A key without a value", "Its value is empty, `null` or `~`.",
            fix: "Add a value, or remove the key."),
        rule(
            .wrongKind, "A value of the wrong kind",
            "It is a text, a list or a mapping, but the key takes another of these.",
            fix: "Write the kind of value in the message."),
        rule(
            .wrongValue, "A value that the key does not accept",
            "Its form or its number is wrong.",
            fix: "Write one of the values in the message."),
        rule(
            .name, "A name of the wrong form",
            "Names have up to 64 letters, digits, `.`, `-` and `_`.", fix: "Rename it."),
        rule(
            .appIdentifier, "An app identifier of the wrong form",
            "It is the App ID prefix of ten characters, a full stop, and the bundle identifier.",
            fix: "Copy it from developer.apple.com › Identifiers."),
        rule(
            .androidIdentifier, "An Android identifier of the wrong form",
            "A package name or a SHA-256 fingerprint is malformed.",
            fix: "Copy it from Play Console."),
        rule(.hostName, "Not a host name", "A host has no scheme, port or path.", fix: "Fix it."),
        rule(
            .addressBlock, "Not an address",
            "A proxy is an address such as 192.0.2.1, or a block such as 10.0.0.0/8.",
            fix: "Fix it."),
        rule(
            .url, "Not a URL",
            "The text is not an absolute http or https URL, or has a `%` that begins no escape, of which "
                + "there is a warning.", fix: "Fix it."),
        rule(
            .pagePath, "Not a path of a page", "A page is written as its URL path.",
            fix: "Begin with a slash, without dots, query or fragment."),
        rule(
            .pattern, "A pattern that cannot match",
            "It does not begin with / or *, or contains text that no path has.", fix: "Fix it."),
        rule(
            .unknownName, "A name that is not defined",
            "The app, link, environment or variable does not exist.",
            fix: "Fix its spelling, or define it."),
        rule(
            .duplicateName, "A name is used twice", "Each name must be unique.",
            fix: "Rename one of them."),
        rule(
            .duplicateHost, "A host is listed twice", "A host can be listed once.",
            fix: "Remove one of them."),
        rule(
            .duplicateApp, "Two apps with one identifier",
            "Apple reads the first entry of an identifier and ignores the second.",
            fix: "Publish one of them."),
        rule(
            .extendsCycle, "An environment extends itself",
            "The chain of `extends` is a cycle, or too long.",
            fix: "Remove one of the `extends`."),
        rule(
            .nothingOpens, "A link or an app without effect",
            "Its rules only exclude, or cannot be expressed in `association-form: legacy`.",
            fix: "Add a rule without `exclude` that has only a path."),
        rule(
            .nothingPublished, "An environment publishes nothing",
            "It has neither `publish` nor a ready file.", fix: "Add one."),
        rule(
            .noAppleApp, "No iOS app is published",
            "The environment has no association file, although the configuration has iOS apps.",
            fix: "Publish an app if the environment needs one.", severity: .note,
            shows: "Apple's paths get 404."),
        rule(
            .unusedKey, "A key without effect",
            "Another key overrides it, or it does not apply.", fix: "Remove one of them.",
            severity: .warning, shows: "The key is ignored."),
        rule(
            .dynamicComponents, "A rule that Android does not support",
            "Android's dynamic rules have neither variables nor flags. A query must be an "
                + "object, because a string is ignored.",
            fix: "Remove these from the link, or remove `dynamic` from the app."),
        rule(
            .placeholder, "A placeholder without a value",
            "The braces contain no number, or a number for which the pattern has no star. A "
                + "warning: the URL has a placeholder of another program, such as `:splat` or "
                + "`$1`, which is ordinary text.",
            fix: "Write the URL in the message."),
        rule(
            .headerField, "A response header field that cannot be set",
            "`headers` names an association file or a field that the origin derives itself, or "
                + "the name or value has the wrong form. The message says why. A warning: clients "
                + "ignore a part of the value, such as `max-age=1d` or `self` without quotes.",
            fix: "Follow the message; docs/configuration.md lists the fields."),
        rule(
            .associationSize, "An association file that is too large",
            "Apple's systems read 131,072 bytes, uncompressed.", fix: "Write fewer rules.",
            code: "H07"),
        rule(
            .tooMany, "Too many of one kind", "A limit is exceeded.",
            fix: "Split the configuration."),
        rule(
            .expectationFailed, "A failing link test",
            "An entry of `expect` states which apps a link opens or which response it "
                + "gets, and the result is different.",
            fix: "Fix the links or the test. `waymark match` shows the reason.",
            shows: "The configuration is refused: a start fails, and a reload keeps the previous "
                + "state."),
    ]

    static let runRules = [
        rule(
            .tooManyFindings, "More findings than are shown",
            "For an association file 1,000 findings are shown, and for a configuration "
                + "100, errors first. The others are only counted. Three findings with the same "
                + "cause are shown, and the others are one finding with their lines.",
            fix: "Fix the shown errors, and run `lint` again.", severity: .warning,
            shows: "Not all errors are shown."),
        rule(
            .unusedSuppression, "A suppression that suppresses nothing",
            "`--ignore` names a rule that found nothing.", fix: "Remove the option.",
            severity: .warning, shows: "It would hide a later fault."),
    ]
}
