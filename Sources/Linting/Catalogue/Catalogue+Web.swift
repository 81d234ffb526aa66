import Diagnostics

// What a configuration promises of the web.

extension Catalogue {
    private static func rule(
        _ name: RuleName, _ severity: Severity, _ title: String, _ wrong: String, shows: String,
        fix: String, source: String, _ evidence: CatalogueRule.Evidence = .documented
    ) -> CatalogueRule {
        CatalogueRule(
            name, nil, severity, title, wrong: wrong, shows: shows, fix: fix,
            source: source, evidence)
    }

    static let webRules = [
        rule(
            .landingSameHost, .warning, "Generated pages without another host to open the app on",
            "A link has a generated page, or `unmatched` is one, and there is no `open-host`.",
            shows: "On iPhones and iPads the page offers the store, and cannot offer to open the "
                + "app: a tap on a link to the page's own host stays in Safari.",
            fix: "Name a second host of the same apps as `open-host`; it is answered like the "
                + "others.",
            source: "Apple, \"Supporting universal links in your app\""),
        rule(
            .sharedOpenHost, .warning, "The `open-host` of another environment",
            "Two environments have no host in common, and one `open-host`: the second mostly has "
                + "it by `extends`.",
            shows: "A tap on “Open in app” leads from one environment to the other's host, and to "
                + "the apps that are associated with it.",
            fix: "Give each an `open-host` of its own.", source: "docs/configuration.md"),
        rule(
            .schemeMissing, .warning, "An own scheme that no app has",
            "`scheme: true` stands in an environment, none of whose apps has a `scheme`.",
            shows: "Pages do not offer it.", fix: "Add the scheme to the app, or take it out.",
            source: "docs/configuration.md"),
        rule(
            .storeMissing, .warning, "A store in which the app has no page",
            "An action is `store`, and no app that opens the link has a page in that store.",
            shows: "Visitors get what `unmatched` says.",
            fix: "Add the numeric App Store ID as `store` to the app's `ios`.",
            source: "docs/configuration.md"),
        rule(
            .campaignProvider, .warning, "A campaign without a provider",
            "`apple.campaign` is said, and no `apple.provider` beside it.",
            shows: "The App Store is told nothing: `ct` counts together with `pt` alone.",
            fix: "Add the provider token.", source: "App Store Connect Help, \"Campaign links\""),
        rule(
            .unshownPage, .note, "A page that nothing shows",
            "A link has a `page`, no `web`, no `insert`, and no environment shows a generated "
                + "page for what is unmatched.",
            shows: "Nobody sees what it says.", fix: "Give the link a `web` action.",
            source: "docs/configuration.md"),
        rule(
            .fragmentOnlyWeb, .warning, "A web action that no request reaches",
            "Each rule of the link asks for a fragment, and browsers keep the fragment to "
                + "themselves.",
            shows: "Visitors without the app get what `unmatched` says.",
            fix: "Match the path without a fragment too, in a link of its own.",
            source: "RFC 9110 §7.1"),
        rule(
            .redirectLoop, .error, "A redirect to itself",
            "A link's URL, or that of `unmatched`, leads to a host of the environment, and to a "
                + "path that gets the same redirect.",
            shows: "Browsers give up: “too many redirects”.",
            fix: "Name another host, a page or `landing`.", source: "RFC 9110 §15.4"),
        rule(
            .unpublished, .note, "An app or a link that nothing publishes",
            "No environment's `publish` names it; a link has neither `web` nor `page` besides.",
            shows: "Nothing: no file and no answer knows of it.",
            fix: "Publish it, or remove it.", source: "docs/configuration.md", .judgement),
        rule(
            .longTitle, .note, "A title that is cut off",
            "It has over 60 letters.", shows: "Search engines and previews show its beginning.",
            fix: "Say what matters first.", source: "Google, \"Influencing your title links\"",
            .judgement),
        rule(
            .longDescription, .note, "A description that is cut off",
            "It has over 160 letters.", shows: "Search engines and previews show its beginning.",
            fix: "Say what matters first.", source: "Google, \"Control your snippets\"",
            .judgement),
    ]
}
