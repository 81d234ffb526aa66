import Diagnostics

// What patterns say that their authors cannot have meant.

extension Catalogue {
    private static let components = "Apple, “applinks.Details.Components”"
    private static let observers = "observers of Apple's daemon"
    private static let dead = "The rule matches nothing."

    static let patternRules = [
        CatalogueRule(
            .queryStar, "R06", .warning, "A query item that may be anything",
            wrong: "A missing item counts as an empty one, and `*` matches the empty text.",
            shows: "Links without the item match too.", fix: "Write `?*`.",
            source: "Apple, WWDC 2019 session 717", .documented),
        CatalogueRule(
            .notForm, "R11", .error, "NOT that excludes nothing",
            wrong: "In `paths`, NOT is followed by exactly one space; `!` means nothing.",
            shows: "The paths open the app.", fix: "Write `NOT /path`.", source: observers,
            .reported),
        CatalogueRule(
            .notInComponent, "R12", .error, "NOT inside a component",
            wrong: "Components exclude with a key; NOT is ordinary text in their patterns.",
            shows: "The paths open the app.", fix: "Write `\"exclude\": true`.",
            source: "Apple, WWDC 2019 session 717", .documented),
        CatalogueRule(
            .queryInPath, "R13", .error, "A query in a path",
            wrong: "In a path `?` stands for one character; queries are compared apart.",
            shows: "The rule matches other links than it says, mostly none.",
            fix: "Write it under the key `?`.", source: components, .documented),
        CatalogueRule(
            .fragmentInPath, "R14", .error, "A fragment in a path",
            wrong: "What follows a `#` is no part of the path.", shows: dead,
            fix: "Write it under the key `#`.", source: components, .documented),
        CatalogueRule(
            .hostInPath, "R15", .error, "A scheme or host in a path",
            wrong: "A file is for the host that serves it; patterns begin behind the host.",
            shows: dead, fix: "Write the path alone.", source: components, .documented),
        CatalogueRule(
            .noLeadingSlash, "R16", .warning, "A path without its first slash",
            wrong: "It is read as if the slash stood there.", shows: "Nothing.",
            fix: "Write the slash.", source: components, .observed),
        CatalogueRule(
            .oneCharacterPath, "R17", .error, "A path of one character",
            wrong: "Single characters get no slash, and every path begins with one.",
            shows: dead, fix: "Write the slash.", source: observers, .reported),
        CatalogueRule(
            .doubleStar, "R18", .warning, "Two stars for everything",
            wrong: "`**` takes every path but `/`.", shows: "The home page stays in the browser.",
            fix: "Write `*`.", source: observers, .reported),
        CatalogueRule(
            .prefixWithoutSlash, "R19", .warning, "A prefix that ends in the middle of a word",
            wrong: "`/x*` takes `/xyz` too.", shows: "Links open the app that are not meant.",
            fix: "Write `/x/*`, which takes `/x` as well.", source: components, .judgement),
        CatalogueRule(
            .starAcrossSegments, "R21", .warning, "A star for one segment",
            wrong: "A star between slashes takes any number of segments.",
            shows: "Links open the app that lie deeper than meant.",
            fix: "Exclude what lies deeper in a rule before it; before an exclude, open it.",
            source: components, .observed),
        CatalogueRule(
            .routerSyntax, "R22", .warning, "A router's or regular expression's syntax",
            wrong: "Patterns know `*`, `?` and variables, and take all else literally.",
            shows: dead, fix: "Write `*`, `?` or `$(digit)`.", source: components, .judgement),
        CatalogueRule(
            .commentSaysPrefix, "R23", .warning, "The comment says more than the pattern",
            wrong: "It speaks of paths that begin so, and the pattern has no star.",
            shows: "Deeper links stay in the browser.", fix: "Add `/*`.", source: components,
            .judgement),
        CatalogueRule(
            .unencodedPattern, "R24", .warning, "A pattern that is not encoded",
            wrong: "Links are compared percent-encoded, so spaces and other letters never occur.",
            shows: dead, fix: "Encode the pattern, or add `\"percentEncoded\": false`.",
            source: components, .observed),
        CatalogueRule(
            .encodedPattern, "R25", .warning, "An encoded pattern for decoded links",
            wrong: "With `percentEncoded` false links are decoded, and escapes never occur.",
            shows: dead, fix: "Decode the pattern.", source: components, .observed),
        CatalogueRule(
            .lowerCaseHex, "R26", .warning, "An escape in small letters",
            wrong: "Browsers write `%C3`, and the case of an escape counts.",
            shows: "Most spellings of the link do not match.", fix: "Write capitals.",
            source: components, .observed),
        CatalogueRule(
            .decodedExclude, "R27", .warning, "An exclude that compares decoded links",
            wrong: "`%2F` then counts as a slash, for the app and not for the server.",
            shows: "Links are excluded, or not, that the server sees otherwise.",
            fix: "Leave `percentEncoded` away in excludes.", source: components, .observed),
        CatalogueRule(
            .mixedCase, "R30", .warning, "Capital and small letters",
            wrong: "Letter case counts unless a rule says otherwise.",
            shows: "Links in other letter case stay in the browser.",
            fix: "Add `\"caseSensitive\": false` where the site answers both.",
            source: components, .documented),
        CatalogueRule(
            .manyStars, "R41", .warning, "Many stars in one pattern",
            wrong: "Matching branches at each star, and systems give up at some depth.",
            shows: "Links match slowly, or not.", fix: "Write several rules.", source: observers,
            .reported),
        CatalogueRule(
            .backslash, "R42", .warning, "A backslash",
            wrong: "Patterns have no escapes, and what a backslash does is not documented.",
            shows: "Systems differ.", fix: "Leave it out.", source: observers, .reported),
        CatalogueRule(
            .pathForm, "R44", .warning, "A path that no link has",
            wrong: "Double slashes are taken for one, and segments of dots are resolved before "
                + "links are compared.", shows: "The rule matches nothing, or more than it says.",
            fix: "Write the path clean.", source: "RFC 3986 §5.2.4", .judgement),
        CatalogueRule(
            .markInPattern, "R46", .error, "The mark before a query or fragment in its pattern",
            wrong: "The query is what follows the `?`, and the fragment what follows the `#`; `&` "
                + "stands between the items of a query.", shows: dead,
            fix: "Write `\"?\": \"id=*\"`, `\"#\": \"top\"`, and an object for several items.",
            source: "RFC 3986 §3", .documented),
        CatalogueRule(
            .curlyQuotes, "R47", .error, "A curly quote in a pattern",
            wrong: "A word processor or a messenger has put quotes of its own into the text.",
            shows: dead, fix: "Remove them: straight quotes stand around a text, none in it.",
            source: components, .judgement),
    ]
}
