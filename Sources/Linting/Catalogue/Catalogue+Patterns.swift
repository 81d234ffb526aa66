import Diagnostics

// What patterns say that their authors cannot have meant.

extension Catalogue {
    private static let components = "Apple, “applinks.Details.Components”"
    private static let observers = "observers of Apple's daemon"
    private static let dead = "The rule matches nothing."

    static let patternRules = [
        CatalogueRule(
            .queryStar, "R06", .warning, "A query item that may be empty or missing",
            wrong: "A missing item counts as empty, and `*` matches empty text.",
            shows: "Links without the item also match.", fix: "Write `?*`.",
            source: "Apple, WWDC 2019 session 717", .documented),
        CatalogueRule(
            .notForm, "R11", .error, "NOT that does not exclude",
            wrong: "In `paths`, exactly one space follows NOT. `!` has no meaning.",
            shows: "The paths open the app.", fix: "Write `NOT /path`.", source: observers,
            .reported),
        CatalogueRule(
            .notInComponent, "R12", .error, "NOT within a component",
            wrong: "Components exclude with a key. In their patterns, NOT is ordinary text.",
            shows: "The paths open the app.", fix: "Write `\"exclude\": true`.",
            source: "Apple, WWDC 2019 session 717", .documented),
        CatalogueRule(
            .queryInPath, "R13", .error, "A query in a path",
            wrong: "In a path, `?` matches one character. Queries are compared separately.",
            shows: "The rule matches other links than it states, usually none.",
            fix: "Write it under the key `?`.", source: components, .documented),
        CatalogueRule(
            .fragmentInPath, "R14", .error, "A fragment in a path",
            wrong: "Text after `#` is not part of the path.", shows: dead,
            fix: "Write it under the key `#`.", source: components, .documented),
        CatalogueRule(
            .hostInPath, "R15", .error, "A scheme or host in a path",
            wrong: "A file applies to the host that serves it. Patterns begin after the host.",
            shows: dead, fix: "Write only the path.", source: components, .documented),
        CatalogueRule(
            .noLeadingSlash, "R16", .warning, "A path without a leading slash",
            wrong: "It is read as if it had the slash.", shows: "None.",
            fix: "Write the slash.", source: components, .observed),
        CatalogueRule(
            .oneCharacterPath, "R17", .error, "A path of one character",
            wrong: "Systems add no slash to a single character, and every path begins with a "
                + "slash.",
            shows: dead, fix: "Write the slash.", source: observers, .reported),
        CatalogueRule(
            .doubleStar, "R18", .warning, "Two stars for every path",
            wrong: "`**` matches every path except `/`.",
            shows: "The home page stays in the browser.",
            fix: "Write `*`.", source: observers, .reported),
        CatalogueRule(
            .prefixWithoutSlash, "R19", .warning, "A prefix that ends within a word",
            wrong: "`/x*` also matches `/xyz`.", shows: "Other links open the app too.",
            fix: "Write `/x/*`, which also matches `/x`.", source: components, .judgement),
        CatalogueRule(
            .starAcrossSegments, "R21", .warning, "A star that is meant for one segment",
            wrong: "A star between slashes matches any number of segments.",
            shows: "Deeper links also open the app.",
            fix: "Exclude deeper links in an earlier rule. If this rule excludes, open them in "
                + "an earlier rule.",
            source: components, .observed),
        CatalogueRule(
            .routerSyntax, "R22", .warning, "Syntax of a router or of regular expressions",
            wrong: "Patterns have `*`, `?` and variables. All other characters are literal.",
            shows: dead, fix: "Write `*`, `?` or `$(digit)`.", source: components, .judgement),
        CatalogueRule(
            .commentSaysPrefix, "R23", .warning, "The comment promises more than the pattern",
            wrong: "It describes paths with this beginning, but the pattern has no star.",
            shows: "Deeper links stay in the browser.", fix: "Add `/*`.", source: components,
            .judgement),
        CatalogueRule(
            .unencodedPattern, "R24", .warning, "A pattern that is not percent-encoded",
            wrong: "Links are compared percent-encoded, so they contain no spaces and no "
                + "characters beyond ASCII.",
            shows: dead, fix: "Encode the pattern, or add `\"percentEncoded\": false`.",
            source: components, .observed),
        CatalogueRule(
            .encodedPattern, "R25", .warning, "An encoded pattern for decoded links",
            wrong: "With `\"percentEncoded\": false`, links are decoded and contain no escapes.",
            shows: dead, fix: "Decode the pattern.", source: components, .observed),
        CatalogueRule(
            .lowerCaseHex, "R26", .warning, "An escape in lower case",
            wrong: "Browsers write `%C3`, and the letter case of an escape matters.",
            shows: "Most forms of the link do not match.", fix: "Write it in upper case.",
            source: components, .observed),
        CatalogueRule(
            .decodedExclude, "R27", .warning, "An exclude that compares decoded links",
            wrong: "`%2F` then counts as a slash for the app, but not for the server.",
            shows: "The app and the server treat some links differently.",
            fix: "Remove `percentEncoded` from excludes.", source: components, .observed),
        CatalogueRule(
            .mixedCase, "R30", .warning, "Mixed letter case",
            wrong: "Letter case matters unless a rule says otherwise.",
            shows: "Links in another letter case open in the browser.",
            fix: "Add `\"caseSensitive\": false` if the site accepts both.",
            source: components, .documented),
        CatalogueRule(
            .manyStars, "R41", .warning, "Many stars in one pattern",
            wrong: "Matching branches at each star, and systems stop at some depth.",
            shows: "Links match slowly, or not at all.", fix: "Write several rules.",
            source: observers,
            .reported),
        CatalogueRule(
            .backslash, "R42", .warning, "A backslash",
            wrong: "Patterns have no escapes, and the effect of a backslash is not documented.",
            shows: "Systems behave differently.", fix: "Remove it.", source: observers, .reported),
        CatalogueRule(
            .pathForm, "R44", .warning, "A path that no link has",
            wrong: "Repeated slashes count as one, and segments `.` and `..` are resolved before "
                + "links are compared.",
            shows: "The rule matches nothing, or more than it states.",
            fix: "Write the path without them.", source: "RFC 3986 §5.2.4", .judgement),
        CatalogueRule(
            .markInPattern, "R46", .error, "The mark `?`, `#` or `&` in a pattern",
            wrong: "The query begins after `?`, and the fragment after `#`. `&` separates the "
                + "items of a query.", shows: dead,
            fix: "Write `\"?\": \"id=*\"`, `\"#\": \"top\"`, and an object for several items.",
            source: "RFC 3986 §3", .documented),
        CatalogueRule(
            .curlyQuotes, "R47", .error, "A curly quote in a pattern",
            wrong:
                "A word processor or a messenger has replaced quotes in the text. Around another text "
                + "of a configuration, it is a warning.",
            shows: dead, fix: "Remove them. Only straight quotes around the text are needed.",
            source: components, .judgement),
    ]
}
