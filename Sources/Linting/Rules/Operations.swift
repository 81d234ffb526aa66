import Diagnostics
import SiteConfiguration
import URISyntax

// Settings of an environment for proxies, limits and logs that are probably not intended.

extension Environment {
    var operationsFindings: [Diagnostic] {
        trustedStrangers
            + [addressLimitBehindProxy, countryFileBehindProxy, logFileName].compactMap(\.self)
    }

    /// Sites may share a directory, but a directory within another's is probably one site's alone.
    var nestedPublic: [(site: Site, finding: Diagnostic)] {
        var owners = [[Substring]: Site]()
        for site in sites {
            let directory = parts(of: site.publicDirectory.path)
            if owners[directory] == nil { owners[directory] = site }
        }
        return sites.compactMap { site -> (Site, Diagnostic)? in
            let own = parts(of: site.publicDirectory.path)
            let outer = own.indices.lazy.compactMap { owners[Array(own[..<$0])] }.first
            guard let outer else { return nil }
            let finding = Diagnostic(
                .warning, .nestedPublic, at: site.publicDirectory.position,
                "the public directory of \(site.title), \(quoted(site.publicDirectory.path)), is "
                    + "in that of \(outer.title), \(quoted(outer.publicDirectory.path)), whose hosts "
                    + "serve its files, too",
                advice: "put the directories beside each other")
            return (site, finding)
        }
    }

    /// The names in a path, without `.` and with `..` resolved.
    private func parts(of path: String) -> [Substring] {
        var parts = [Substring]()
        for part in path.split(separator: "/") where part != "." {
            if part == "..", parts.last.map({ $0 != ".." }) == true {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    /// A trusted proxy decides which client address is used in the log, for limits, and for
    /// redirects to https.
    private var trustedStrangers: [Diagnostic] {
        proxies.excesses.map { excess in
            let family = excess.isV4 ? "IPv4" : "IPv6"
            let what = excess.isV4 ? "public IPv4 addresses" : "public IPv6 networks (/48)"
            let whose = excess.block.map { "\(quoted($0)) of \"trusted\"" } ?? "\"trusted\""
            return Diagnostic(
                .warning, .trustedStrangers,
                at: proxies.position ?? position,
                excess.isWhole
                    ? "\(whose) holds every public \(family) address, so that any client can "
                        + "choose its address"
                    : "\(whose) includes strangers, who can choose the client address: together "
                        + "\(inDigits(excess.count)) \(what) are trusted",
                advice: "list the proxies' own addresses; the access log, the limits and the "
                    + "redirect to https rely on what they report")
        }
    }

    private var addressLimitBehindProxy: Diagnostic? {
        guard proxies.shareConnections, let header = proxies.header,
            let position = limits.position(of: .connectionsPerAddress)
        else { return nil }
        return Diagnostic(
            .warning, .addressLimitBehindProxy, at: position,
            "\"connections-per-address\" has no effect behind a trusted proxy: clients in "
                + "\(quoted(header.rawValue)) share its connections, which have no such limit",
            advice: "limit clients at the proxy, or use the PROXY protocol (protocol: proxy)")
    }

    /// The client of a request is the proxy, unless it says in a field or before the connection who is behind it.
    private var countryFileBehindProxy: Diagnostic? {
        guard case .file(let file) = countries, proxies.hideClients else { return nil }
        return Diagnostic(
            .warning, .countryFileBehindProxy, at: file.position,
            "each visit through a trusted proxy has the country of the proxy: \"proxies\" has neither "
                + "\"header\" nor \"protocol\", so that nobody says who is behind it",
            advice:
                "set `proxies.header` to the field in which the proxy writes clients' addresses, "
                + "or `protocol: proxy`; or count the country that the proxy names: "
                + "`countries: {header: CF-IPCountry}`")
    }

    /// Only `stdout` is a stream; any other word is a file beside the configuration.
    private var logFileName: Diagnostic? {
        guard accessLog.form != .off, let file = accessLog.file,
            let fault = LogFileName(file.path)
        else { return nil }
        let (fact, advice) =
            switch fault {
            case .file:
                (
                    "\(quoted(file.path)) is a file, not a stream",
                    "write stdout; standard error is for the event log"
                )
            case .errors:
                (
                    "the access log goes to standard error and mixes with the event log",
                    "write stdout, or a file; under systemd standard error is a socket, and cannot "
                        + "be opened"
                )
            case .output:
                (
                    "the access log opens standard output by its path",
                    "write stdout; under systemd it is a socket, and cannot be opened"
                )
            }
        return Diagnostic(.warning, .logFileName, at: file.position, fact, advice: advice)
    }
}

extension Site {
    var operationsFindings: [Diagnostic] { [canonicalLocalhost, hostAddress].compactMap(\.self) }

    /// If it is the only host, this is a developer's machine. Before other hosts, it is probably a
    /// mistake.
    private var canonicalLocalhost: Diagnostic? {
        guard let first = hosts.first, first.description == "localhost", hosts.count > 1 else {
            return nil
        }
        return Diagnostic(
            .warning, .canonicalLocalhost, at: hostsPosition ?? position,
            "the first host, \"localhost\", is the canonical host, which pages, the sitemap and "
                + "the app get",
            advice: "list \(quoted(hosts[1].description)) first")
    }

    /// The machine's own address is for experiments.
    private var hostAddress: Diagnostic? {
        guard
            let host = answeredHosts.first(where: {
                $0.isAddress && !$0.description.utf8.starts(with: "127.".utf8)
            })
        else { return nil }
        return Diagnostic(
            .warning, .hostAddress, at: hostsPosition ?? position,
            "host \(quoted(host.description)) is an IP address, which no app can have as an "
                + "associated domain",
            advice: "write the host name of the links")
    }
}

/// A path that was meant to be a stream, or leads to one.
private enum LogFileName {
    case file
    case errors, output

    init?(_ path: String) {
        switch path {
        case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2": self = .errors
        case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": self = .output
        default:
            let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String($0) ?? "" }
            guard let name,
                ["stderr", "stdout", "-", "syslog", "journal"].contains(name.lowercased())
            else { return nil }
            self = .file
        }
    }
}
