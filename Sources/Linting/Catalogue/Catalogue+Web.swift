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
            .landingSameHost, .warning, "A generated page without `open-host`",
            "A link or `unmatched` has a generated page, and there is no `open-host`.",
            shows: "On iPhones and iPads the page offers the App Store but cannot open the app, "
                + "because Safari does not open an app for a link to the page's own host.",
            fix: "Set `open-host` to a second host that the apps are associated with. It is "
                + "served like the others.",
            source: "Apple, \"Supporting universal links in your app\""),
        rule(
            .sharedOpenHost, .warning, "The `open-host` of another environment",
            "Two environments have different hosts but the same `open-host`, usually "
                + "because one inherits it by `extends`.",
            shows: "“Open in app” leads to the other environment's host, and to the apps that "
                + "are associated with it.",
            fix: "Set a separate `open-host` in each.", source: "docs/configuration.md"),
        rule(
            .schemeMissing, .warning, "`scheme: true` without an app's scheme",
            "The environment has `scheme: true`, but none of its apps has a `scheme`.",
            shows: "Pages do not offer a scheme.",
            fix: "Add `scheme` to the app, or remove `scheme: true`.",
            source: "docs/configuration.md"),
        rule(
            .storeMissing, .warning, "An app without a page in the app store",
            "The action is `store`, but no app that opens the link has a page in that app "
                + "store, or if no app opens it, no app of the site.",
            shows: "Visitors get the response of `unmatched`.",
            fix: "Add the numeric App Store ID as `store` to the app's `ios`.",
            source: "docs/configuration.md"),
        rule(
            .deadEnd, .warning, "A generated page that leads nowhere",
            "On a system, no app that opens the link is in the app store, and the link has no URL "
                + "for the web.",
            shows: "People there read that there is no app for the link. The page has no way on.",
            fix: "Add a URL or a page to the link's `web`, for example as `desktop`; publish the "
                + "link for an app of that app store; or set `site.url`, where the page leads then.",
            source: "docs/pages.md"),
        rule(
            .campaignProvider, .warning, "A campaign without a provider",
            "There is an `apple.campaign` but no `apple.provider`.",
            shows: "The App Store does not count the campaign, because `ct` needs `pt`.",
            fix: "Add the provider token.", source: "App Store Connect Help, \"Campaign links\""),
        rule(
            .unshownPage, .note, "A page that is never shown",
            "A link has a `page`, but neither `web` nor `insert`, and no environment has "
                + "a generated page for `unmatched`.",
            shows: "The content of `page` is not shown.", fix: "Give the link a `web` action.",
            source: "docs/configuration.md"),
        rule(
            .fragmentOnlyWeb, .warning, "A web action that no request reaches",
            "Each rule of the link requires a fragment, and browsers do not send fragments.",
            shows: "Visitors without the app get the response of `unmatched`.",
            fix: "Add another link that matches the path without a fragment.",
            source: "RFC 9110 §7.1"),
        rule(
            .landingPolicy, .warning, "A policy under which generated pages do not work",
            "A Content-Security-Policy of `headers` is sent with a generated page, and allows "
                + "neither its style or script nor hashes.",
            shows: "The page has no style, or its buttons that need a script do nothing.",
            fix: "Allow them, or give the rule a `match` with other paths.",
            source: "Content Security Policy Level 3, §6.7.3"),
        rule(
            .endedLink, .note, "A link that has ended",
            "The link's `until` is over.",
            shows: "Browsers get its `after`. An app that has the link still opens it, because "
                + "association files do not change with time.",
            fix: "Remove the link, or write a later `until`.",
            source: "docs/configuration.md", .judgement),
        rule(
            .earlyLink, .note, "A link that has not begun, and that an app opens",
            "The link's `from` has not come yet, and an environment publishes the link.",
            shows: "Browsers do not get the link yet. An app that has it opens it already, because "
                + "association files do not change with time.",
            fix: "Let the app decide what it shows before, or publish the link later.",
            source: "docs/configuration.md", .judgement),
        rule(
            .timeWithoutWeb, .warning, "A beginning that has no effect",
            "The link has `from`, but no `web`, no `page` and no `until`.",
            shows: "An app opens the link at any time, and browsers get the response of "
                + "`unmatched` at any time.",
            fix: "Remove `from`, or add `web`.", source: "docs/configuration.md"),
        rule(
            .redirectLoop, .error, "A redirect to itself",
            "The URL of a link or of `unmatched` leads to a host of the environment, and "
                + "to a path with the same redirect.",
            shows: "Browsers show “too many redirects”.",
            fix: "Use another host, a page or `landing`.", source: "RFC 9110 §15.4"),
        rule(
            .localRedirect, .warning, "A redirect to the visitor's own machine",
            "The URL of a link or of `unmatched` has the host `localhost`, a name below it, or a "
                + "loopback address, and the site has other hosts.",
            shows: "Browsers look for a server on the visitor's machine, and find none.",
            fix: "Write the host on which visitors find the page.",
            source: "RFC 6761 §6.3"),
        rule(
            .relatedOriginsCount, .warning, "Related origins that browsers ignore",
            "The origins of `webauthn` have more than five different labels before their public "
                + "suffix, such as `example` in `shop.example.co.uk`.",
            shows: "Browsers take at least five labels, in the order of the list, and may ignore "
                + "origins with others: passkeys do not work there.",
            fix:
                "Use the same label under several suffixes, which counts once, or move what you need "
                + "most to the front.",
            source: "WebAuthn Level 3, \"Validating Related Origins\""),
        rule(
            .wellKnownCatchAll, .warning, "A link that answers all well-known names",
            "A pattern of a link matches everything below `/.well-known/`.",
            shows:
                "Programs take the answer to mean that what they look for exists. Password managers "
                + "that get 200 for a name that cannot exist do not use "
                + "`/.well-known/change-password`.",
            fix: "Write a pattern for each name.", source: "RFC 8615 §3"),
        rule(
            .passkeysWithoutApp, .note, "Passkeys that an app does not share",
            "The site has `webauthn` or `passkey-endpoints`, but publishes an app without the "
                + "service `webcredentials`, or without `credentials` on Android.",
            shows: "The app cannot use the passkeys and passwords of the site.",
            fix: "Add `services: [webcredentials]` to `ios`, `credentials: true` to `android`.",
            source: "Apple, \"Supporting associated domains\"; Android, \"Configure your app for "
                + "passkeys\""),
        rule(
            .permanentRedirect, .note, "A permanent redirect with an exception",
            "A link redirects with 301 or 308, and another platform gets something else, or the link "
                + "has an `until`.",
            shows: "Search engines list the other address, and take weeks to forget it.",
            fix: "Use 302 or 307, or the same action for all platforms.",
            source: "RFC 9110 §15.4.2, §15.4.9", .judgement),
        rule(
            .unpublished, .note, "An app or a link that is not published",
            "No environment lists it in `publish`, and a link also has neither `web` nor `page`.",
            shows: "It has no effect.",
            fix: "Publish it, or remove it.", source: "docs/configuration.md", .judgement),
        rule(
            .longTitle, .note, "A title that is too long",
            "It has more than 60 characters.",
            shows: "Search engines and previews show only its beginning.",
            fix: "Put the most important words first.",
            source: "Google, \"Influencing your title links\"",
            .judgement),
        rule(
            .longDescription, .note, "A description that is too long",
            "It has more than 160 characters.",
            shows: "Search engines and previews show only its beginning.",
            fix: "Put the most important words first.", source: "Google, \"Control your snippets\"",
            .judgement),
    ]
}
