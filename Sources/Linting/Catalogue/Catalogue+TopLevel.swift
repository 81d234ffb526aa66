import Diagnostics

// What can be wrong with the top level of an apple-app-site-association file.

extension Catalogue {
    private static let apple = "Apple, “Supporting associated domains”"

    static let topLevelRules = [
        CatalogueRule(
            .rootType, "J06", .error, "The file is not an object",
            wrong: "An association file is one object with a key for each service.",
            shows: "The file is refused.", fix: "Write `{\"applinks\": {…}}`.", source: apple,
            .documented),
        CatalogueRule(
            .keyCase, "J10", .error, "A key in the wrong letter case",
            wrong: "Keys are compared exactly: `appLinks` is not `applinks`.",
            shows: "Its value is silently ignored.",
            fix: "Use the documented spelling.", source: apple, .observed),
        CatalogueRule(
            .misplacedKey, "J20", .error, "A key in the wrong object",
            wrong: "Each key is read in only one object: services at the top level, `details` in "
                + "`applinks`, `appIDs` and `components` in entries of `details`, `exclude` and "
                + "`caseSensitive` in components.",
            shows: "It is silently ignored: a service is missing, or nothing is excluded.",
            fix: "Move it to the object in the message.", source: apple, .observed),
        CatalogueRule(
            .noService, "J11", .warning, "The file names no service",
            wrong: "It has no key for any of Apple's services.", shows: "Nothing is associated.",
            fix: "Add `applinks`, `webcredentials`, `appclips` or `activitycontinuation`.",
            source: apple, .documented),
        CatalogueRule(
            .unknownService, "J12", .note, "A key that is not a service",
            wrong: "Systems ignore unknown keys at the top level.", shows: "None.",
            fix: "Remove it, or fix its spelling.", source: apple, .observed),
        CatalogueRule(
            .emptyService, "J13", .note, "A service without content",
            wrong:
                "An empty object has no effect; guides for passkeys show some. An object "
                + "without `apps` but with other keys is a warning.",
            shows: "None.", fix: "Remove it, or add its content.", source: apple, .judgement),
        CatalogueRule(
            .serviceType, "J17", .error, "A service of the wrong type",
            wrong: "A service is an object, and its `apps` an array of strings.",
            shows: "The service is ignored.", fix: "Write `{\"apps\": […]}`.", source: apple,
            .documented),
        CatalogueRule(
            .noDetails, "J14", .warning, "applinks without details",
            wrong: "Rules are in `details`. Without `details`, and with an empty `apps`, no app "
                + "has a rule.",
            shows: "No link opens an app.", fix: "Add `details`.", source: apple, .documented),
        CatalogueRule(
            .nestedDomain, "J15", .error, "A domain name within applinks",
            wrong: "A file applies to the host that serves it, and has no parts for other hosts.",
            shows: "The value of this key is ignored.",
            fix: "Move its content up one level, and serve a file on each host.", source: apple,
            .observed),
        CatalogueRule(
            .detailsDictionary, "J16", .warning, "details as an object",
            wrong: "Only the first iOS 9 had apps as keys. An object does not keep the order of "
                + "entries.",
            shows: "It still works, but in an arbitrary order.",
            fix: "Write an array of objects.", source: apple, .observed),
        CatalogueRule(
            .detailsType, "J17", .error, "details, or an entry of it, of the wrong type",
            wrong: "`details` is an array of objects.",
            shows: "Values that are not objects are skipped.",
            fix: "Write `[{…}]`.", source: "observers of Apple's daemon", .reported),
        CatalogueRule(
            .appsNotEmpty, "J18", .warning, "apps of applinks is not empty",
            wrong: "The key is obsolete, and must have an empty array.",
            shows: "iOS 12 and earlier refuse the file.", fix: "Write `\"apps\": []`.",
            source: apple, .documented),
        CatalogueRule(
            .appsMissing, "J19", .note, "apps is missing beside paths",
            wrong: "`paths` are for systems before iOS 13, which also require `apps`.",
            shows: "Those systems refuse the file.", fix: "Add `\"apps\": []`.", source: apple,
            .documented),
        CatalogueRule(
            .signedFile, "H21", .note, "The file is signed",
            wrong: "Signatures (CMS, DER) are for systems of the iOS 8 era, and are deprecated.",
            shows: "No effect yet; support for signatures may end.", fix: "Serve plain JSON.",
            source: apple, .documented),
        CatalogueRule(
            .signature, "H21", .error, "The signature is not valid",
            wrong: "It is for other content, or no trusted certificate has issued its "
                + "certificate. `lint` checks signatures only with `--check-signature`.",
            shows: "Systems of the iOS 8 era refuse the file; later ones may.",
            fix: "Sign the file again, or serve plain JSON.", source: "RFC 5652 §5", .documented),
    ]
}
