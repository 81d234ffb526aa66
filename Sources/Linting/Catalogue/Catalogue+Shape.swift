import Diagnostics

// What can be wrong with the shape of rules: most of it opens more than it says.

extension Catalogue {
    private static let details = "Apple, “applinks.Details”"
    private static let components = "Apple, “applinks.Details.Components”"
    private static let observers = "observers of Apple's daemon"
    private static let hijack = "The app opens every link of the host."

    static let shapeRules = [
        CatalogueRule(
            .noRules, "R01", .error, "An entry without rules",
            wrong: "It has neither `components` nor `paths`, and such an entry takes every URL.",
            shows: hijack, fix: "Add rules; `[{\"/\": \"*\"}]` says the same on purpose.",
            source: observers, .reported),
        CatalogueRule(
            .pathsType, "R02", .error, "Rules that are no array",
            wrong: "`\"paths\": \"*\"` is no list of rules, and counts as none.", shows: hijack,
            fix: "Write `[ ]` around it.", source: observers, .reported),
        CatalogueRule(
            .componentType, "R03", .error, "A component that is no object",
            wrong: "A string or number among components is a rule that looks at nothing.",
            shows: hijack, fix: "Write `{\"/\": \"/path\"}`.", source: observers, .reported),
        CatalogueRule(
            .partType, "R04", .error, "A part of the wrong type",
            wrong:
                "`/` and `#` are strings, `?` a string or an object; anything else asks nothing.",
            shows: "The rule matches more than it says.", fix: "Write a string.",
            source: observers, .reported),
        CatalogueRule(
            .queryValueType, "R05", .error, "A query item's pattern is no string",
            wrong: "One such value makes the whole `?` disappear, the other items with it.",
            shows: "The rule matches any query.", fix: "Put the value in quotes.",
            source: components, .observed),
        CatalogueRule(
            .unknownComponentKey, "R28", .warning, "A key that is not read",
            wrong: "Unknown keys are passed over, misspelt ones too. A component without any other "
                + "key matches every link: that is an error. Of services and of entries of "
                + "`details` those keys are named that are nearly a known one.",
            shows: "The rule is looser than it says, or does nothing.", fix: "Mend the spelling.",
            source: components, .observed),
        CatalogueRule(
            .flagType, "R29", .warning, "A flag that is no boolean",
            wrong: "Strings, numbers and null are made into booleans in unexpected ways.",
            shows: "A rule excludes, or does not, against its looks.",
            fix: "Write `true` or `false`.", source: observers, .reported),
        CatalogueRule(
            .variablesInDetails, "R37", .error, "Variables inside of details",
            wrong: "`substitutionVariables` is read in `applinks` only.",
            shows: "Rules that use them match nothing.", fix: "Move it up.", source: observers,
            .reported),
        CatalogueRule(
            .variableType, "R32", .error, "Variables of the wrong type",
            wrong: "`substitutionVariables` is an object of arrays of strings.",
            shows: "Rules that use them match nothing.", fix: "Write `{\"name\": [\"value\"]}`.",
            source: "Apple, “applinks.substitutionVariables”", .documented),
        CatalogueRule(
            .defaultsPart, "R38", .warning, "defaults with a pattern or exclude",
            wrong: "Every rule that does not say otherwise inherits it.",
            shows: "Rules match other links than they say.",
            fix: "Keep `caseSensitive` and `percentEncoded` alone there.", source: components,
            .observed),
        CatalogueRule(
            .pathsDisagree, "R39", .warning, "paths and components differ",
            wrong: "Systems before iOS 13 follow `paths`, later ones `components`. It is looked at "
                + "where old systems see the app: with `appID`, and `apps` in `applinks`.",
            shows: "A link opens the app on some systems only.",
            fix: "Write both from one source, or drop `paths`.", source: details, .documented),
        CatalogueRule(
            .singularAppID, "R40", .warning, "appID with components",
            wrong: "Apple shows `appIDs` with `components` and `appID` with `paths`. The mixture "
                + "works on iOS 13 and later.", shows: "Nothing on current systems.",
            fix: "Write `appIDs`.", source: "Apple, TN3155", .documented),
    ]
}
