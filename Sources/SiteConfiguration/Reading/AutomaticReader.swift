import Diagnostics
import URISyntax

/// Reads the entry of `tls` for certificates that are requested by themselves.
struct AutomaticReader {
    /// The site, of which everything else is read already.
    let site: Site
    let base: PathBase

    /// Reads the `automatic` of `tls`; nil if there is none.
    func read(_ value: Value?, into findings: inout Findings) -> AutomaticCertificates? {
        let entries = (value?.items ?? []).compactMap { $0["automatic"] }
        for entry in value?.items ?? []
        where entry["automatic"] != nil && (entry["certificate"] ?? entry["key"]) != nil {
            findings.error(
                .wrongValue, at: entry.position,
                "an entry of `tls` has both files and `automatic`",
                advice: "make two entries of it: tls: [{certificate: …, key: …}, {automatic: …}]")
        }
        guard let entry = entries.first else { return nil }
        if entries.count > 1 {
            findings.error(
                .wrongValue, at: entries[1].position,
                "`tls` has \(entries.count) entries with `automatic`, may have one",
                advice: "list all hosts in one of them, or make a site of its own of those that "
                    + "need another authority")
        }
        let dns = entry["dns"].flatMap(dnsProof)
        let hosts = (entry["hosts"]?.items ?? []).compactMap {
            certificateName($0, dns, into: &findings)
        }
        let excluded =
            (dns == nil ? site.wildcards.map { "*.\($0)" } : [])
            + site.answeredHosts.filter { !$0.hasDomain }.map(\.description)
        if entry["hosts"] == nil, let first = excluded.first, site.certificates.isEmpty {
            let more = excluded.count > 1 ? " and \(counted(excluded.count - 1, "other"))" : ""
            findings.warning(
                .certificateLacksHost, at: entry.position,
                "\(quoted(first))\(more) \(excluded.count == 1 ? "gets" : "get") no certificate by "
                    + "\(excluded.count == 1 ? "itself" : "themselves"): authorities issue none "
                    + "without records in DNS for a wildcard, and none for addresses and names "
                    + "without a domain",
                advice: "add `dns` for a wildcard, or files that cover it: tls: [{certificate: …, "
                    + "key: …}, {automatic: …}]; or leave it to an environment for development")
        }
        var automatic = authority(entry, hosts: entry["hosts"] == nil ? nil : hosts, dns)
        let others = (entry["otherwise"]?.items ?? []).filter { $0["directory"] != nil }
        if others.count > Self.othersMax {
            findings.error(
                .tooMany, at: others[Self.othersMax].position,
                "`otherwise` has \(others.count) authorities, may have \(Self.othersMax)",
                advice: "keep those that you trust most")
        }
        automatic.add(others.map { authority($0, hosts: nil, dns) })
        checkAuthorities(automatic, into: &findings)
        return automatic
    }

    /// The authority of `automatic`, or one of `otherwise`.
    private func authority(
        _ value: Value, hosts: [CertificateName]?, _ dns: AutomaticCertificates.DNSProof?
    ) -> AutomaticCertificates {
        let named = value["directory"]?.text
        let directory =
            named == "staging"
            ? AutomaticCertificates.stagingDirectory
            : named ?? AutomaticCertificates.usualDirectory
        let staging: String?
        switch value["staging"]?.text {
        case "off": staging = nil
        case let url?: staging = url
        case nil:
            staging =
                directory == AutomaticCertificates.usualDirectory
                ? AutomaticCertificates.stagingDirectory : nil
        }
        let account = value["external-account"]
        return AutomaticCertificates(
            position: value.position, email: value["email"]?.text, directory: directory,
            staging: staging, authorities: base.reference(value["authorities"]),
            profile: value["profile"]?.text,
            externalAccount: account?["id"]?.text.flatMap { id in
                base.reference(account?["key"]).map { .init(id: id, key: $0) }
            }, hosts: hosts, dns: dns)
    }

    /// Each of them is asked once, and keeps its account in a directory of its own.
    private func checkAuthorities(
        _ automatic: AutomaticCertificates, into findings: inout Findings
    ) {
        // A test authority that is there twice mostly follows from an authority that is.
        for authorities in [automatic.list, automatic.everyAuthority] {
            // What is no URL has an error already, and no name.
            let authorities = authorities.filter { (try? WebURL($0.directory)) != nil }
            var seen = Set<String>()
            let again = authorities.first { !seen.insert($0.plainName).inserted }
            guard let again else { continue }
            return findings.error(
                .duplicateName, at: again.position,
                "the authority \(quoted(again.directory)) is there twice",
                advice: "each of `automatic`, `otherwise` and their `staging` is another one")
        }
    }

    /// The most authorities of `otherwise`.
    static let othersMax = 4

    private func dnsProof(_ value: Value) -> AutomaticCertificates.DNSProof? {
        if value.text == "persistent" { return .persistent }
        return base.reference(value["program"]).map { .program($0) }
    }

    /// A host of `automatic`, or a wildcard that covers hosts of the site.
    private func certificateName(
        _ item: Value, _ dns: AutomaticCertificates.DNSProof?, into findings: inout Findings
    ) -> CertificateName? {
        guard let pattern = HostPattern(item, base, into: &findings) else { return nil }
        let name: CertificateName
        switch pattern {
        case .exact(let host): name = CertificateName(host)
        case .wildcard(let domain): name = CertificateName(domain, isWildcard: true)
        case .template: return nil
        }
        guard site.hostPatterns.contains(where: name.covers) else {
            findings.error(
                .unknownName, at: item.position,
                "\(quoted("\(pattern)")) is not one of the hosts of \(site.title), and covers none",
                advice: "automatic certificates are for its hosts: "
                    + site.hostPatterns.prefix(5).joined(separator: ", "))
            return nil
        }
        guard !name.isWildcard || dns != nil else {
            findings.error(
                .certificateLacksHost, at: item.position,
                "\(quoted("\(pattern)")) needs `dns`: authorities issue certificates for a wildcard "
                    + "only to who has set a record in DNS",
                advice: "add `dns: {program: FILE}`, or `dns: persistent` if the authority has "
                    + "dns-persist-01")
            return nil
        }
        return name
    }
}
