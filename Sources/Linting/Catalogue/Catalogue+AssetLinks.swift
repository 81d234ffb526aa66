import Diagnostics

// What can be wrong with assetlinks.json.

extension Catalogue {
    private static let google = "Google, “Digital Asset Links” and its compatibility suite"
    private static let android = "Google, “Dynamic App Links”"
    private static let unverified =
        "The app is not verified, and links open a dialog or the browser."

    static let assetLinksRules = [
        CatalogueRule(
            .assetlinksRoot, "K01", .error, "The file is not an array",
            wrong: "An asset links file is one array of statements.", shows: unverified,
            fix: "Write `[ ]` around the statements.", source: google, .documented),
        CatalogueRule(
            .statementShape, "K04", .error, "A statement without relation or target",
            wrong: "A statement is an object with a `relation` array and a `target` object.",
            shows: "It is reported and skipped. Other statements count.", fix: "Add them.",
            source: google, .documented),
        CatalogueRule(
            .relationForm, "K05", .error, "A relation of the wrong form",
            wrong: "A relation is a kind, a slash and a detail, in lower case letters, digits, "
                + "`_` and `.`. A relation that resembles a known one is a warning.",
            shows: "The statement is rejected, or grants an unknown permission.",
            fix: "Write `delegate_permission/common.handle_all_urls`.", source: google, .observed),
        CatalogueRule(
            .noHandleAllURLs, "K06", .warning, "The app may not open links",
            wrong: "A statement lets the app share sign-in, but none grants "
                + "`delegate_permission/common.handle_all_urls`. This can be intended, and is a "
                + "warning.", shows: unverified,
            fix: "Add the relation.", source: google, .documented),
        CatalogueRule(
            .targetNamespace, "K07", .error, "An unknown kind of target",
            wrong: "`namespace` is `android_app` or `web`.", shows: "The statement is rejected.",
            fix: "Write one of these.", source: google, .observed),
        CatalogueRule(
            .targetSite, "K07", .error, "A site that is not an origin",
            wrong:
                "`site` is a scheme, a host and a port, without user information, path, "
                + "query or fragment. For Google, a trailing slash is a path.",
            shows: "The statement is rejected.", fix: "Write `https://host`.", source: google,
            .observed),
        CatalogueRule(
            .packageName, "K08", .error, "A package name of the wrong form",
            wrong: "It is missing, empty, or not a Java package name.", shows: unverified,
            fix: "Copy the application ID from the app's build.", source: google, .observed),
        CatalogueRule(
            .fingerprints, "K09", .error, "No fingerprints",
            wrong: "`sha256_cert_fingerprints` must be an array with at least one fingerprint.",
            shows: unverified,
            fix: "Add the fingerprint of each signing key.", source: google, .observed),
        CatalogueRule(
            .fingerprintForm, "K10", .error, "A fingerprint of the wrong form",
            wrong: "A SHA-256 fingerprint is 32 pairs of hexadecimal digits with colons. 20 "
                + "pairs are a SHA-1.", shows: unverified,
            fix: "Copy the SHA-256 from Play Console › App integrity.", source: google, .observed),
        CatalogueRule(
            .fingerprintCase, "K11", .warning, "A fingerprint in lower case",
            wrong: "Google's tests reject it as malformed.", shows: unverified,
            fix: "Write it in upper case.",
            source: google, .observed),
        CatalogueRule(
            .fingerprintPlaceholder, "K12", .error, "A placeholder for a fingerprint",
            wrong: "Words, or digits in a regular order, come from a template. Decimal digits, "
                + "which test keys have, and the example of Google's documentation are a warning.",
            shows: unverified,
            fix: "Copy the SHA-256 from Play Console › App integrity.", source: google,
            .documented),
        CatalogueRule(
            .publicSigningKey, "K12", .warning, "A signing key that everybody has",
            wrong: "The private key is public: React Native's debug key, which each new project "
                + "has, or Android's test key.",
            shows: "Whoever likes can sign an app of this package's name, which Android then opens "
                + "your links with.",
            fix: "Publish it for development only. Sign with a key of your own, and list that.",
            source: "React Native, template of new projects; Android Open Source Project, “Sign "
                + "builds for release”",
            .judgement),
        CatalogueRule(
            .oneFingerprint, "K13", .note, "Only one signing key",
            wrong: "Google Play usually signs builds with another key than the developer's. If "
                + "one key signs all builds, one fingerprint is enough; this is a note.",
            shows: "Links work in local builds but not in builds of the store, or the reverse.",
            fix: "List both keys.", source: "Google, “Verify App Links”", .judgement),
        CatalogueRule(
            .noStatements, "K14", .error, "An empty list",
            wrong: "A list without statements revokes every grant. Usually a setting was "
                + "missing.", shows: unverified,
            fix: "List the apps, or answer 404 at the file's path.", source: google,
            .observed),
        CatalogueRule(
            .include, "K15", .warning, "An include",
            wrong: "Each include needs a fetch, of which there are few, and redirects are not "
                + "followed. Android devices follow no include within an included file. An "
                + "include that is not https, or that is beside `target` or `relation`, is an "
                + "error.",
            shows: "Statements in the included file may not be found.",
            fix: "Write the statements into the file, or give the included file to `lint` with "
                + "`--include URL=FILE`.", source: google, .observed),
        CatalogueRule(
            .dynamicRuleForm, "K16", .error, "A dynamic rule of the wrong form",
            wrong: "`relation_extensions` has an object for a relation of the statement, and in "
                + "it `dynamic_app_link_components`, an array of objects. Their keys are `/`, "
                + "`?`, `#`, `exclude` and `comments`. Apple's flags and variables do not "
                + "exist, and a query is an object. A rule that has an unknown key, but none of "
                + "`/`, `?` and `#`, matches every link.",
            shows: "The rule is ignored, or matches other links than it states.",
            fix: "Write objects such as `{\"/\": \"/buy/*\"}`.", source: android, .documented),
        CatalogueRule(
            .dynamicOrder, "K16", .warning, "Dynamic rules without effect",
            wrong: "They restrict the links in the app's manifest. The first rule that matches "
                + "decides, and rules after a rule that matches everything are never tried.",
            shows: "Links open the app, or the browser, contrary to the rule.",
            fix: "Put narrower rules first, and a rule that excludes everything last.",
            source: android, .documented),
        CatalogueRule(
            .duplicateStatement, "K17", .note, "A repeated statement",
            wrong: "Two statements grant the same relations to one app, with the same dynamic "
                + "rules, or with other rules for the same key.",
            shows: "None if the rules are the same. If they are not, it is not documented which "
                + "of them apply to the key.",
            fix: "List all fingerprints in one statement, unless builds with another key have "
                + "other dynamic rules.", source: google, .judgement),
        CatalogueRule(
            .platformsDiffer, "K18", .warning, "iOS and Android open different links",
            wrong: "The association file and the dynamic rules of assetlinks.json disagree about "
                + "a path.", shows: "A link opens the app only on one platform.",
            fix: "Generate both from one configuration.", source: android, .judgement),
    ]
}
