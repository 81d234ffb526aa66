import Diagnostics

// What rules say one after the other, and variables.

extension Catalogue {
    private static let components = "Apple, “applinks.Details.Components”"
    private static let variables = "Apple, “applinks.substitutionVariables”"
    private static let observers = "observers of Apple's daemon"

    static let orderRules = [
        CatalogueRule(
            .unreachableRule, "R07", .error, "A rule that is never tried",
            wrong: "The first rule that matches decides. An earlier rule matches all links of "
                + "this rule and does the opposite.",
            shows: "An exclude excludes nothing, or a link does not open.",
            fix: "Put the narrower rule first.", source: components, .documented),
        CatalogueRule(
            .catchAllNotLast, "R08", .warning, "A rule for everything before others",
            wrong: "Rules after a rule that matches every link are never tried.",
            shows: "The later rules have no effect.", fix: "Move it to the end.",
            source: components,
            .documented),
        CatalogueRule(
            .catchAllAlone, "R09", .warning, "Every link opens the app",
            wrong: "Nothing is excluded: not logging in, resetting a password, unsubscribing, or "
                + "the site's APIs. A note, unless the file has such paths elsewhere.",
            shows: "The app opens for pages that it cannot show.",
            fix: "Exclude them before the rule.", source: components, .judgement),
        CatalogueRule(
            .onlyRoot, nil, .warning, "Only the home page opens",
            wrong: "`/` matches one path; `/*` matches all paths.",
            shows: "Every other link opens in the browser.",
            fix: "Write `/*` if you mean all paths.",
            source: components, .judgement),
        CatalogueRule(
            .onlyExcludes, "R10", .error, "Rules that only exclude",
            wrong: "A link that no rule matches opens in the browser, so no link opens the app. "
                + "The same applies to dynamic rules in assetlinks.json. An empty list of rules "
                + "can be intended, and is a warning.",
            shows: "No link opens the app.", fix: "Add a rule without `exclude`.",
            source: components, .documented),
        CatalogueRule(
            .redundantRule, "R20", .note, "A rule without effect",
            wrong: "A neighbouring rule matches the same links and does the same, such as `/x` "
                + "beside `/x/` or `/x/*`. Or no later rule would open the links of an exclude.",
            shows: "None.", fix: "Remove it.", source: components, .observed),
        CatalogueRule(
            .duplicateRule, "R43", .note, "A rule is repeated",
            wrong: "The second one is never tried.", shows: "None.", fix: "Remove it.",
            source: observers, .reported),
        CatalogueRule(
            .webLoop, "R45", .warning, "The page for browsers opens the app",
            wrong: "A link's web fallback is on the same host, at a path that opens the app.",
            shows: "Visitors with the app never see the page.",
            fix: "Exclude the page's path, or serve the page from another host.",
            source: "Apple, TN3155", .judgement),
    ]

    static let variableRules = [
        CatalogueRule(
            .undefinedVariable, "R31", .error, "An undefined variable",
            wrong: "`$(name)` must be one of Apple's variables or of the file's, and end with `)`.",
            shows: "The rule matches nothing.", fix: "Define it, or fix its name.",
            source: observers, .reported),
        CatalogueRule(
            .variableForm, "R32", .error, "A variable's name or value of the wrong form",
            wrong: "Names cannot contain `$`, `(` or `)`, and values cannot contain variables.",
            shows: "The file is refused, or rules match nothing.",
            fix: "Rename it, or write its values out.",
            source: variables, .documented),
        CatalogueRule(
            .emptyVariable, "R33", .warning, "A variable without values",
            wrong: "It matches nothing, not even empty text.",
            shows: "Rules that use it match nothing.", fix: "Add values.", source: variables,
            .judgement),
        CatalogueRule(
            .shadowedVariable, "R34", .warning, "A variable with the name of one of Apple's",
            wrong: "The file's values replace Apple's.",
            shows: "Rules match other links than they state.", fix: "Rename it.",
            source: observers, .reported),
        CatalogueRule(
            .unusedVariable, "R35", .note, "An unused variable",
            wrong: "No pattern uses it.", shows: "None.", fix: "Remove it.",
            source: variables, .judgement),
        CatalogueRule(
            .regionVariable, "R36", .warning, "$(region) for codes that it does not have",
            wrong: "It has the ISO codes in upper case: `GB`, not `UK` and not `gb`.",
            shows: "Links with these codes open in the browser.",
            fix: "Add a rule for the other codes, or `\"caseSensitive\": false`.",
            source: variables, .observed),
    ]
}
