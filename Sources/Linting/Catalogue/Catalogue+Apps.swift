import Diagnostics

// What can be wrong with app identifiers, and with apps beside one another.

extension Catalogue {
    private static let apple = "Apple, “Supporting associated domains”"
    private static let portal = "Copy it from developer.apple.com › Identifiers."
    private static let silent = "The app opens no link, and nothing says why."

    static let appRules = [
        CatalogueRule(
            .noAppID, "I01", .error, "An entry names no app",
            wrong: "It has neither `appIDs` nor `appID`.", shows: "The entry is dead.",
            fix: "Add `appIDs`.", source: apple, .observed),
        CatalogueRule(
            .appIDWithoutPrefix, "I02", .error, "A bundle identifier without its prefix",
            wrong: "An app identifier is App ID prefix, full stop, bundle identifier.",
            shows: silent, fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDPlaceholder, "I03", .error, "A placeholder for the prefix",
            wrong: "The text comes from a template or a sample. `ABCDE12345` and other orders of "
                + "counted letters and digits, which only documentation is known to use, are a "
                + "warning.", shows: silent, fix: portal,
            source: apple, .documented),
        CatalogueRule(
            .appIDStoreNumber, "I04", .error, "An App Store number for a prefix",
            wrong: "The number of the app's page in the store is no App ID prefix.",
            shows: silent, fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDPrefix, "I05", .error, "A prefix of the wrong form",
            wrong: "An App ID prefix is ten capital letters and digits.", shows: silent,
            fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDLowerCase, "I06", .warning, "A prefix in small letters",
            wrong: "Prefixes are handed out in capitals, and compared as written.",
            shows: silent, fix: "Write it in capitals.", source: apple, .judgement),
        CatalogueRule(
            .appIDForm, "I07", .error, "An identifier of the wrong form",
            wrong: "The separator is no full stop, there is a space or a curly quote, or a part is "
                + "empty.",
            shows: silent, fix: portal, source: apple, .documented),
        CatalogueRule(
            .appIDWildcard, "I08", .error, "A star in an identifier",
            wrong: "Identifiers are no patterns.", shows: silent, fix: "List each app.",
            source: apple, .documented),
        CatalogueRule(
            .bundleWithoutDot, "I09", .note, "A bundle identifier of one word",
            wrong: "It is legal, and most such texts are cut off.", shows: "Perhaps nothing.",
            fix: "Compare it with the portal's.", source: apple, .judgement),
        CatalogueRule(
            .bothAppIDs, "I10", .warning, "appID is ignored beside appIDs",
            wrong: "Where `appIDs` stands, current systems do not look at `appID`, and this one "
                + "names an app that `appIDs` does not.",
            shows: "That app opens no link on iOS 13 "
                + "and later.", fix: "List it in `appIDs` too.", source: apple, .observed),
        CatalogueRule(
            .appIDsType, "I11", .error, "Identifiers of the wrong type",
            wrong: "`appIDs` is an array of strings, `appID` a string.",
            shows: "The entry names nobody.", fix: "Write `[\"PREFIX.bundle\"]`.",
            source: "observers of Apple's daemon", .reported),
        CatalogueRule(
            .duplicateAppID, "I12", .error, "An app has two entries",
            wrong: "Entries are kept by app; the second one of an app is dropped.",
            shows: "Its rules are never tried.", fix: "Merge the two.",
            source: "observers of Apple's daemon", .reported),
        CatalogueRule(
            .appIDMissing, "I13", .warning, "appIDs with paths and without appID",
            wrong: "`paths` are for systems before iOS 13, and those read `appID` alone. Beside "
                + "`components` no system follows them, which is a note.",
            shows: "The rules work on no old system.", fix: "Add `appID`, or write `components`.",
            source: "Apple, TN3155", .documented),
        CatalogueRule(
            .sharedURL, "I14", .warning, "Several apps claim one link",
            wrong: "Each installed app is asked by its own rules; which of two wins is not "
                + "documented. Builds of one app are meant to share: their bundle identifiers are "
                + "one, begin alike, or differ in a word such as `dev` or `staging`. Apps of one "
                + "list, which have one list of rules on purpose, are a note.",
            shows: "Links open one app on some devices and another elsewhere.",
            fix: "Give each app links of its own.", source: apple, .judgement),
        CatalogueRule(
            .missingWebcredentials, "I15", .note, "An app shares no passwords, others do",
            wrong: "It opens links and is missing under `webcredentials`, where other apps of the "
                + "file stand.", shows: "Passwords are not filled in.", fix: "List it there.",
            source: apple, .judgement),
        CatalogueRule(
            .appClipPlace, "I16", .warning, "An App Clip in the wrong place",
            wrong: "Clips are invoked through `appclips`; one stands under `applinks`.",
            shows: "The clip's card does not appear.", fix: "List clips under `appclips`.",
            source: "Apple, “Associating your App Clip with your website”", .documented),
        CatalogueRule(
            .nearIdentifier, "I17", .warning, "Two identifiers that differ in one character",
            wrong:
                "One stands for one service alone, the other for another, and they differ in one "
                + "character or in two that are swapped. Digits, which number apps, do not count.",
            shows: "One of the services works for no app.",
            fix: "Spell both as the portal does.", source: apple, .judgement),
    ]
}
