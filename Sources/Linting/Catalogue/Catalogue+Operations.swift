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
            .trustedStrangers, "Proxies that may be anybody",
            "`trusted` holds all public addresses of IPv4 or IPv6, or more of them than anybody's "
                + "proxies have: 16,777,216 (a /8) of IPv4, a /16 of IPv6.",
            shows: "Strangers choose the address that stands in the access log and that limits "
                + "hold, and are not sent to https where they say that they came by it.",
            fix: "Name the proxies' own addresses."),
        rule(
            .addressLimitBehindProxy, "A limit of addresses that holds nobody behind the proxies",
            "`connections-per-address` is set, and proxies tell their clients in a field of each "
                + "request. Their connections carry the requests of many, and are not counted.",
            shows: "One client may have as many connections as the proxy lets him.",
            fix: "Limit clients at the proxy, or let it speak the PROXY protocol."),
        rule(
            .logFileName, "An access log called like a stream",
            "`to` is `stderr`, `-` or the like, which is a file beside the configuration, or the "
                + "path of a stream, such as `/dev/stderr`.",
            shows: "A file that nobody looks for; or lines between those of the log of events, and "
                + "a start that fails under systemd.",
            fix: "`stdout`, or the path of a file."),
        rule(
            .canonicalLocalhost, "A canonical host that only one machine knows",
            "`localhost` is the first of several `hosts`.",
            shows: "`canonical`, `og:url`, the sitemap and what the app is told lead each visitor "
                + "to his own machine.",
            fix: "Put `localhost` behind the host that visitors know."),
        rule(
            .hostAddress, "A host that is an IP address",
            "`hosts` or `open-host` holds an address such as `192.0.2.1`. Associated domains of "
                + "apps are names, and `assetlinks.json` is verified for names. The machine's own "
                + "addresses, 127.0.0.1 and the like, are for trying things out.",
            shows: "No link of this host opens an app.", fix: "Write the name that links have."),
    ]
}
