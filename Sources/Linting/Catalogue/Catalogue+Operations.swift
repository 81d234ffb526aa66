import Diagnostics

// What an environment says to those who run it.

extension Catalogue {
    private static func rule(
        _ name: RuleName, _ title: String, _ wrong: String, shows: String, fix: String
    ) -> CatalogueRule {
        CatalogueRule(
            name, nil, .warning, title, wrong: wrong, shows: shows, fix: fix,
            source: "docs/configuration.md", .documented)
    }

    static let operationsRules = [
        rule(
            .trustedStrangers, "Trusted proxies that can be strangers",
            "`trusted` contains all public addresses of IPv4 or IPv6, or more than any "
                + "operator's proxies have: 16,777,216 (a /8) of IPv4, a /16 of IPv6.",
            shows: "Strangers can choose the address in the access log and for limits, and can "
                + "avoid the redirect to https.",
            fix: "List the proxies' own addresses."),
        rule(
            .addressLimitBehindProxy,
            "A limit on addresses that has no effect behind the proxies",
            "`connections-per-address` is set, but the proxies report clients in a field "
                + "of each request. A proxy's connection carries requests of many clients, and "
                + "is not counted.",
            shows: "A client can have as many connections as the proxy allows.",
            fix: "Limit clients at the proxy, or use the PROXY protocol."),
        rule(
            .countryFileBehindProxy, "A country file that sees only the proxies",
            "`countries` has a `file`, and `proxies` trusts addresses, but has neither `header` nor "
                + "`protocol`. The client of a request is then the proxy that sends it.",
            shows: "Each visit through a proxy is counted for the country of the proxy, or as "
                + "`unknown` if its address is a private one.",
            fix: "Set `proxies.header` or `protocol: proxy`, or let the proxy name the country "
                + "(`countries.header`)."),
        rule(
            .logFileName, "An access log with the name of a stream",
            "`to` is `stderr`, `-` or a similar name, which is a file beside the "
                + "configuration, or it is the path of a stream, such as `/dev/stderr`.",
            shows: "Lines go to an unexpected file, or mix with the event log, and a start fails "
                + "under systemd.",
            fix: "Write `stdout`, or the path of a file."),
        rule(
            .canonicalLocalhost, "`localhost` as the canonical host",
            "`localhost` is the first of several `hosts`.",
            shows: "`canonical`, `og:url`, the sitemap and the banner's URL lead visitors to "
                + "their own machine.",
            fix: "List the public host before `localhost`."),
        rule(
            .hostAddress, "A host that is an IP address",
            "`hosts` or `open-host` contains an address such as `192.0.2.1`. Associated "
                + "domains are names, and `assetlinks.json` is verified for names. Addresses of "
                + "the machine itself, such as 127.0.0.1, are accepted for tests.",
            shows: "No link of this host opens an app.", fix: "Write the host name of the links."),
        rule(
            .nestedPublic, "Public files of one site within those of another",
            "`public` of a site is a directory in the `public` of another site of the same "
                + "environment.",
            shows: "The hosts of the other site serve its files, too, under a longer path.",
            fix: "Put the directories beside each other."),
    ]
}
