import Diagnostics

// What can be wrong with app identifiers, and with apps beside one another.

extension Catalogue {
    private static let apple = "Apple, “Supporting associated domains”"
    private static let portal = "Copy it from developer.apple.com › Identifiers."
    private static let silent = "The app opens no link, and no error is shown."

    static let appRules = [
        CatalogueRule(
            .noAppID, "I01", .error, "An entry names no app",
            wrong: "It has neither `appIDs` nor `appID`.", shows: "The entry has no effect.",
            fix: "Add `appIDs`.", source: apple, .observed),
        CatalogueRule(
            .appIDWithoutPrefix, "I02", .error, "A bundle identifier without its prefix",
            wrong: "An app identifier is the App ID prefix, a full stop, and the bundle "
                + "identifier.",
            shows: silent, fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDPlaceholder, "I03", .error, "A placeholder for the prefix",
            wrong: "The text comes from a template or an example. Prefixes such as `ABCDE12345`, "
                + "with letters and digits in order, are only known from documentation, and are "
                + "a warning.", shows: silent, fix: portal,
            source: apple, .documented),
        CatalogueRule(
            .appIDStoreNumber, "I04", .error, "An App Store number as prefix",
            wrong: "The number of the app's page in the App Store is not an App ID prefix.",
            shows: silent, fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDPrefix, "I05", .error, "A prefix of the wrong form",
            wrong: "An App ID prefix is ten capital letters and digits.", shows: silent,
            fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDLowerCase, "I06", .warning, "A prefix in lower case",
            wrong: "Prefixes are upper case, and compared exactly.",
            shows: silent, fix: "Write it in upper case.", source: apple, .judgement),
        CatalogueRule(
            .appIDForm, "I07", .error, "An identifier of the wrong form",
            wrong: "The separator is not a full stop, there is a space or a curly quote, or a "
                + "part is empty.",
            shows: silent, fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDWildcard, "I08", .error, "A star in an identifier",
            wrong: "Identifiers are not patterns.", shows: silent, fix: "List each app.",
            source: apple, .documented),
        CatalogueRule(
            .bundleWithoutDot, "I09", .note, "A bundle identifier of one word",
            wrong: "It is legal, but most such texts are incomplete.", shows: "Possibly none.",
            fix: "Compare it with the identifier on developer.apple.com.", source: apple, .judgement
        ),
        CatalogueRule(
            .bothAppIDs, "I10", .warning, "appID is ignored beside appIDs",
            wrong: "Current systems ignore `appID` beside `appIDs`, and this `appID` is an app "
                + "that `appIDs` does not list.",
            shows: "That app opens no link on iOS 13 "
                + "and later.", fix: "Also list it in `appIDs`.", source: apple, .observed),
        CatalogueRule(
            .appIDsType, "I11", .error, "Identifiers of the wrong type",
            wrong: "`appIDs` is an array of strings, `appID` a string.",
            shows: "The entry applies to no app.", fix: "Write `[\"PREFIX.bundle\"]`.",
            source: "observers of Apple's daemon", .reported),
        CatalogueRule(
            .duplicateAppID, "I12", .error, "An app has two entries",
            wrong: "Systems keep one entry for each app, and ignore the second.",
            shows: "Its rules are never tried.", fix: "Merge the two.",
            source: "observers of Apple's daemon", .reported),
        CatalogueRule(
            .appIDMissing, "I13", .warning, "appIDs with paths and without appID",
            wrong: "`paths` are for systems before iOS 13, which read only `appID`. Beside "
                + "`components`, no system reads them; this is a note.",
            shows: "The rules work on no system before iOS 13.",
            fix: "Add `appID`, or write `components`.",
            source: "Apple, TN3155", .documented),
        CatalogueRule(
            .sharedURL, "I14", .warning, "Several apps claim one link",
            wrong: "Each installed app has its own rules, and Apple does not document which app "
                + "wins. Builds of one app can share links: their bundle identifiers are equal, "
                + "begin alike, or differ in a word such as `dev` or `staging`. Apps in one "
                + "list share their rules on purpose, and are a note.",
            shows: "Links open one app on some devices, and another app on others.",
            fix: "Give each app its own links.", source: apple, .judgement),
        CatalogueRule(
            .missingWebcredentials, "I15", .note, "An app shares no passwords, but others do",
            wrong: "It opens links, but `webcredentials`, which lists other apps of the file, "
                + "does not list it.", shows: "Passwords are not filled in.",
            fix: "List it in `webcredentials`.",
            source: apple, .judgement),
        CatalogueRule(
            .appClipPlace, "I16", .warning, "An App Clip under applinks",
            wrong: "App Clips are invoked through `appclips`, but `applinks` lists one.",
            shows: "The App Clip's card does not appear.", fix: "List App Clips under `appclips`.",
            source: "Apple, “Associating your App Clip with your website”", .documented),
        CatalogueRule(
            .nearIdentifier, "I17", .warning, "Two identifiers that differ in one character",
            wrong:
                "Each is listed for only one service, and they differ in one character, "
                + "or in two that are swapped. Differences in digits, which number apps, do "
                + "not count.",
            shows: "One of the services works for no app.",
            fix: "Spell both as on developer.apple.com.", source: apple, .judgement),
    ]
}
