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
            wrong: "It has neither `components` nor `paths`. Such an entry matches every URL.",
            shows: hijack, fix: "Add rules. If every link is meant, write `[{\"/\": \"*\"}]`.",
            source: observers, .reported),
        CatalogueRule(
            .pathsType, "R02", .error, "Rules that are not an array",
            wrong: "`\"paths\": \"*\"` is not a list of rules, and counts as no rules.",
            shows: hijack,
            fix: "Write `[ ]` around it.", source: observers, .reported),
        CatalogueRule(
            .componentType, "R03", .error, "A component that is not an object",
            wrong: "A string or a number among the components is a rule without a part to compare.",
            shows: hijack, fix: "Write `{\"/\": \"/path\"}`.", source: observers, .reported),
        CatalogueRule(
            .partType, "R04", .error, "A part of the wrong type",
            wrong:
                "`/` and `#` are strings, and `?` is a string or an object. A value of "
                + "another type is ignored.",
            shows: "The rule matches more than it says.", fix: "Write a string.",
            source: observers, .reported),
        CatalogueRule(
            .queryValueType, "R05", .error, "A query item's pattern is not a string",
            wrong: "Systems then ignore the whole `?`, including its other items.",
            shows: "The rule matches any query.", fix: "Put the value in quotes.",
            source: components, .observed),
        CatalogueRule(
            .unknownComponentKey, "R28", .warning, "An unknown key",
            wrong: "Unknown keys are ignored, including misspelt ones. A component without any "
                + "other key matches every link; that is an error. In services and entries of "
                + "`details`, only keys that resemble a known key are reported.",
            shows: "The rule matches more than it says, or has no effect.",
            fix: "Fix the spelling.",
            source: components, .observed),
        CatalogueRule(
            .flagType, "R29", .warning, "A flag that is not a boolean",
            wrong: "Strings, numbers and null are converted to booleans in unexpected ways.",
            shows: "A rule excludes, or does not exclude, contrary to how it looks.",
            fix: "Write `true` or `false`.", source: observers, .reported),
        CatalogueRule(
            .variablesInDetails, "R37", .error, "Variables within details",
            wrong: "`substitutionVariables` is only read in `applinks`.",
            shows: "Rules that use them match nothing.", fix: "Move it to `applinks`.",
            source: observers,
            .reported),
        CatalogueRule(
            .variableType, "R32", .error, "Variables of the wrong type",
            wrong: "`substitutionVariables` is an object of arrays of strings.",
            shows: "Rules that use them match nothing.", fix: "Write `{\"name\": [\"value\"]}`.",
            source: "Apple, “applinks.substitutionVariables”", .documented),
        CatalogueRule(
            .defaultsPart, "R38", .warning, "defaults with a pattern or exclude",
            wrong: "Every rule without this key inherits it.",
            shows: "Rules match other links than they state.",
            fix: "Keep only `caseSensitive` and `percentEncoded` in `defaults`.",
            source: components,
            .observed),
        CatalogueRule(
            .pathsDisagree, "R39", .warning, "paths and components differ",
            wrong: "Systems before iOS 13 follow `paths`, and later systems `components`. This "
                + "is checked if older systems read the entry: with `appID`, and `apps` in "
                + "`applinks`.",
            shows: "A link opens the app on some systems only.",
            fix: "Generate both from one source, or remove `paths`.", source: details, .documented),
        CatalogueRule(
            .singularAppID, "R40", .warning, "appID with components",
            wrong: "Apple documents `appIDs` with `components`, and `appID` with `paths`. The "
                + "mixture works on iOS 13 and later.", shows: "None on current systems.",
            fix: "Write `appIDs`.", source: "Apple, TN3155", .documented),
    ]
}
