import Diagnostics

// What rules say one after the other, and variables.

extension Catalogue {
    private static let components = "Apple, “applinks.Details.Components”"
    private static let variables = "Apple, “applinks.substitutionVariables”"
    private static let observers = "observers of Apple's daemon"

    static let orderRules = [
        CatalogueRule(
            .unreachableRule, "R07", .error, "A rule that is never tried",
            wrong: "The first rule that matches decides, and an earlier one takes all that this "
                + "one takes and does the opposite.",
            shows: "An exclude excludes nothing, or a link does not open.",
            fix: "Put the narrower rule first.", source: components, .documented),
        CatalogueRule(
            .catchAllNotLast, "R08", .warning, "A rule for everything before others",
            wrong: "Nothing behind a rule that matches every link is tried.",
            shows: "The later rules do nothing.", fix: "Move it to the end.", source: components,
            .documented),
        CatalogueRule(
            .catchAllAlone, "R09", .warning, "Every link opens the app",
            wrong: "Nothing is excluded: not logging in, resetting a password, unsubscribing, or "
                + "the site's interfaces. A note, unless the file names such paths elsewhere.",
            shows: "The app opens for pages that it cannot show.",
            fix: "Exclude them before the rule.", source: components, .judgement),
        CatalogueRule(
            .onlyRoot, nil, .warning, "Only the home page opens",
            wrong: "`/` is one path; `/*` takes them all.",
            shows: "Every other link stays in the browser.", fix: "Write `/*`, if all are meant.",
            source: components, .judgement),
        CatalogueRule(
            .onlyExcludes, "R10", .error, "Rules that only exclude",
            wrong: "What no rule matches stays in the browser, so nothing opens. That is so of "
                + "dynamic rules in assetlinks.json too. An empty list of rules, which may be "
                + "meant, is a warning.",
            shows: "No link opens the app.", fix: "Add a rule without `exclude`.",
            source: components, .documented),
        CatalogueRule(
            .redundantRule, "R20", .note, "A rule that changes nothing",
            wrong: "A neighbour takes the same links and does the same, as `/x` beside `/x/` or "
                + "`/x/*`; or an exclude has no rule behind it that would open.",
            shows: "Nothing.", fix: "Remove it.", source: components, .observed),
        CatalogueRule(
            .duplicateRule, "R43", .note, "A rule stands twice",
            wrong: "The second is never tried.", shows: "Nothing.", fix: "Remove it.",
            source: observers, .reported),
        CatalogueRule(
            .webLoop, "R45", .warning, "The page for the browser opens the app",
            wrong: "A link's web fallback leads to the same host, to a path that opens the app.",
            shows: "Visitors with the app never see the page.",
            fix: "Exclude the page's path, or serve it from another host.",
            source: "Apple, TN3155", .judgement),
    ]

    static let variableRules = [
        CatalogueRule(
            .undefinedVariable, "R31", .error, "A variable that nobody defines",
            wrong: "`$(name)` must be one of Apple's or of the file's, and end with `)`.",
            shows: "The rule matches nothing.", fix: "Define it, or mend its name.",
            source: observers, .reported),
        CatalogueRule(
            .variableForm, "R32", .error, "A variable's name or value of the wrong form",
            wrong: "Names hold no `$`, `(` or `)`, and values no variables.",
            shows: "The file is refused, or rules match nothing.", fix: "Rename or write it out.",
            source: variables, .documented),
        CatalogueRule(
            .emptyVariable, "R33", .warning, "A variable without values",
            wrong: "It stands for nothing, not even the empty text.",
            shows: "Rules that use it match nothing.", fix: "Add values.", source: variables,
            .judgement),
        CatalogueRule(
            .shadowedVariable, "R34", .warning, "A variable named as one of Apple's",
            wrong: "The file's meaning takes the place of Apple's.",
            shows: "Rules match other links than they say.", fix: "Rename it.",
            source: observers, .reported),
        CatalogueRule(
            .unusedVariable, "R35", .note, "A variable that nobody uses",
            wrong: "No pattern names it.", shows: "Nothing.", fix: "Remove it.",
            source: variables, .judgement),
        CatalogueRule(
            .regionVariable, "R36", .warning, "$(region) for codes that it does not have",
            wrong: "It stands for ISO codes in capitals: `GB`, not `UK` and not `gb`.",
            shows: "Links of such regions stay in the browser.",
            fix: "Add a rule for the other codes, or `\"caseSensitive\": false`.",
            source: variables, .observed),
    ]
}
