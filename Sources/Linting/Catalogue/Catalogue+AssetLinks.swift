import Diagnostics

// What can be wrong with assetlinks.json.

extension Catalogue {
    private static let google = "Google, “Digital Asset Links” and its compatibility suite"
    private static let android = "Google, “Dynamic App Links”"
    private static let unverified = "The app is not verified: links open a dialog or the browser."

    static let assetLinksRules = [
        CatalogueRule(
            .assetlinksRoot, "K01", .error, "The file is no array",
            wrong: "An asset links file is one array of statements.", shows: unverified,
            fix: "Write `[ ]` around the statements.", source: google, .documented),
        CatalogueRule(
            .statementShape, "K04", .error, "A statement without relation or target",
            wrong: "A statement is an object with a `relation` array and a `target` object.",
            shows: "It is reported and skipped; its neighbours count.", fix: "Add them.",
            source: google, .documented),
        CatalogueRule(
            .relationForm, "K05", .error, "A relation of the wrong form",
            wrong: "A relation is kind, slash and detail, in small letters, digits, `_` and `.`. "
                + "One that is nearly a known one is a warning.",
            shows: "The statement is rejected, or grants what nobody asks for.",
            fix: "Write `delegate_permission/common.handle_all_urls`.", source: google, .observed),
        CatalogueRule(
            .noHandleAllURLs, "K06", .warning, "The app may not open links",
            wrong: "A statement lets it share sign-in, and none grants "
                + "`delegate_permission/common.handle_all_urls`. An app may mean that: hence a "
                + "warning.", shows: unverified,
            fix: "Add the relation.", source: google, .documented),
        CatalogueRule(
            .targetNamespace, "K07", .error, "A target of an unknown kind",
            wrong: "`namespace` is `android_app` or `web`.", shows: "The statement is rejected.",
            fix: "Write one of the two.", source: google, .observed),
        CatalogueRule(
            .targetSite, "K07", .error, "A site that is no origin",
            wrong:
                "`site` is scheme, host and port, without login, path, query or fragment. Google "
                + "takes a last slash for a path.",
            shows: "The statement is rejected.", fix: "Write `https://host`.", source: google,
            .observed),
        CatalogueRule(
            .packageName, "K08", .error, "A package name of the wrong form",
            wrong: "It is missing, empty, or no name in Java's sense.", shows: unverified,
            fix: "Copy the application ID from the app's build.", source: google, .observed),
        CatalogueRule(
            .fingerprints, "K09", .error, "No fingerprints",
            wrong: "`sha256_cert_fingerprints` is an array with one at least.", shows: unverified,
            fix: "Add the fingerprint of each signing key.", source: google, .observed),
        CatalogueRule(
            .fingerprintForm, "K10", .error, "A fingerprint of the wrong form",
            wrong: "A SHA-256 is 32 pairs of hexadecimal digits with colons; one of 20 pairs is a "
                + "SHA-1.", shows: unverified,
            fix: "Copy the SHA-256 from Play Console › App integrity.", source: google, .observed),
        CatalogueRule(
            .fingerprintCase, "K11", .warning, "A fingerprint in small letters",
            wrong: "Google's tests call it malformed.", shows: unverified, fix: "Write capitals.",
            source: google, .observed),
        CatalogueRule(
            .fingerprintPlaceholder, "K12", .error, "A placeholder for a fingerprint",
            wrong: "Digits in a pattern, or words, come from a template. Decimal ones, with which "
                + "tests sign, are a warning.", shows: unverified,
            fix: "Copy the SHA-256 from Play Console › App integrity.", source: google,
            .documented),
        CatalogueRule(
            .oneFingerprint, "K13", .note, "Only one signing key",
            wrong: "Play signs builds with a key of its own, often another than the developer's. "
                + "Where one key signs all, one is enough: hence a note.",
            shows: "Links work in local builds and not in those of the store, or the reverse.",
            fix: "List both keys.", source: "Google, “Verify App Links”", .judgement),
        CatalogueRule(
            .noStatements, "K14", .error, "An empty list",
            wrong: "A list without statements takes every grant back; mostly a setting was not "
                + "set.", shows: unverified, fix: "List the apps, or answer 404.", source: google,
            .observed),
        CatalogueRule(
            .include, "K15", .warning, "An include",
            wrong: "Each costs a fetch of a small budget, and is not followed through a redirect; "
                + "Android devices follow none within an included file. One that is not https is "
                + "an error, and so is one beside `target` or `relation`.",
            shows: "Statements behind it may not be found.",
            fix: "Write the statements into the file, or give the included one to `lint` as "
                + "`--include URL=FILE`.", source: google, .observed),
        CatalogueRule(
            .dynamicRuleForm, "K16", .error, "A dynamic rule of the wrong form",
            wrong: "`relation_extensions` has an object for a relation of the statement, in it "
                + "`dynamic_app_link_components`, an array of objects. Their keys are `/`, `?`, "
                + "`#`, `exclude` and `comments`; flags and variables of Apple's are not known, "
                + "and a query is an object. A rule without any of `/`, `?` and `#`, but with an "
                + "unknown key, matches every link.",
            shows: "The rule is lost, or takes other links than it says.",
            fix: "Write objects such as `{\"/\": \"/buy/*\"}`.", source: android, .documented),
        CatalogueRule(
            .dynamicOrder, "K16", .warning, "Dynamic rules without effect",
            wrong: "They narrow what the app's manifest claims, the first that matches decides, "
                + "and what stands behind a rule for everything is never tried.",
            shows: "Links open, or stay in the browser, against the rule.",
            fix: "Put narrower rules first, and one that excludes everything last.",
            source: android, .documented),
        CatalogueRule(
            .duplicateStatement, "K17", .note, "Two statements that say the same",
            wrong: "They grant one app the same relations.", shows: "Nothing.",
            fix: "List all fingerprints in one statement.", source: google, .judgement),
        CatalogueRule(
            .platformsDiffer, "K18", .warning, "iOS and Android open different links",
            wrong: "The association file and the dynamic rules of assetlinks.json disagree about "
                + "a path.", shows: "A link opens the app on one platform only.",
            fix: "Generate both from one configuration.", source: android, .judgement),
    ]
}
