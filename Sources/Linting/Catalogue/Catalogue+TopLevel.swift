import Diagnostics

// What can be wrong with the top level of an apple-app-site-association file.

extension Catalogue {
    private static let apple = "Apple, “Supporting associated domains”"

    static let topLevelRules = [
        CatalogueRule(
            .rootType, "J06", .error, "The file is no object",
            wrong: "An association file is one object with a key for each service.",
            shows: "The file is refused.", fix: "Write `{\"applinks\": {…}}`.", source: apple,
            .documented),
        CatalogueRule(
            .keyCase, "J10", .error, "A key in the wrong letter case",
            wrong: "Keys are compared exactly: `appLinks` is not `applinks`.",
            shows: "What stands under it is ignored without a word.",
            fix: "Spell the key as documented.", source: apple, .observed),
        CatalogueRule(
            .misplacedKey, "J20", .error, "A key in the wrong object",
            wrong: "Each key is read in one place: services at the top level, `details` in "
                + "`applinks`, `appIDs` and `components` in entries of `details`, `exclude` and "
                + "`caseSensitive` in components.",
            shows: "It is ignored without a word: a service is not there, or nothing is excluded.",
            fix: "Move it to the object that the finding names.", source: apple, .observed),
        CatalogueRule(
            .noService, "J11", .warning, "The file names no service",
            wrong: "None of Apple's services is among its keys.", shows: "Nothing is associated.",
            fix: "Add `applinks`, `webcredentials`, `appclips` or `activitycontinuation`.",
            source: apple, .documented),
        CatalogueRule(
            .unknownService, "J12", .note, "A key that is no service",
            wrong: "Systems pass over top-level keys that they do not know.", shows: "Nothing.",
            fix: "Remove it, or mend its spelling.", source: apple, .observed),
        CatalogueRule(
            .emptyService, "J13", .note, "A service without content",
            wrong:
                "An empty object says nothing; guides for passkeys print some. One without `apps` "
                + "that holds something else is a warning.",
            shows: "Nothing.", fix: "Remove it, or fill it.", source: apple, .judgement),
        CatalogueRule(
            .serviceType, "J17", .error, "A service of the wrong type",
            wrong: "A service is an object, and its `apps` an array of strings.",
            shows: "The service is ignored.", fix: "Write `{\"apps\": […]}`.", source: apple,
            .documented),
        CatalogueRule(
            .noDetails, "J14", .warning, "applinks without details",
            wrong: "Rules stand in `details`; without any, and with `apps` empty, no app has one.",
            shows: "No link opens an app.", fix: "Add `details`.", source: apple, .documented),
        CatalogueRule(
            .nestedDomain, "J15", .error, "A domain's name inside of applinks",
            wrong: "A file is for the host that serves it, and is not divided by hosts.",
            shows: "What stands under the name is ignored.",
            fix: "Lift its content one level, and serve each host its own file.", source: apple,
            .observed),
        CatalogueRule(
            .detailsDictionary, "J16", .warning, "details as an object",
            wrong: "Only the first iOS 9 wrote apps as keys; the order of entries is lost.",
            shows: "It still works, in an order that nobody chose.",
            fix: "Write an array of objects.", source: apple, .observed),
        CatalogueRule(
            .detailsType, "J17", .error, "details, or an entry of it, of the wrong type",
            wrong: "`details` is an array of objects.", shows: "What is no object is skipped.",
            fix: "Write `[{…}]`.", source: "observers of Apple's daemon", .reported),
        CatalogueRule(
            .appsNotEmpty, "J18", .warning, "apps of applinks is not empty",
            wrong: "The key is a relic that must hold an empty array.",
            shows: "iOS 12 and earlier refuse the file.", fix: "Write `\"apps\": []`.",
            source: apple, .documented),
        CatalogueRule(
            .appsMissing, "J19", .note, "apps is missing beside paths",
            wrong: "`paths` are for systems before iOS 13, which also ask for `apps`.",
            shows: "Those systems refuse the file.", fix: "Add `\"apps\": []`.", source: apple,
            .documented),
        CatalogueRule(
            .signedFile, "H21", .note, "The file is signed",
            wrong: "Signatures (CMS, DER) were for systems of the iOS 8 era, and are deprecated.",
            shows: "Nothing yet; support for them may end.", fix: "Serve plain JSON.",
            source: apple, .documented),
        CatalogueRule(
            .signature, "H21", .error, "The signature does not hold",
            wrong: "It is over another content, or its certificate leads to none that is trusted. "
                + "Signatures are looked at with `--check-signature` alone.",
            shows: "Systems of the iOS 8 era refuse the file; later ones may.",
            fix: "Sign the file anew, or serve plain JSON.", source: "RFC 5652 §5", .documented),
    ]
}
