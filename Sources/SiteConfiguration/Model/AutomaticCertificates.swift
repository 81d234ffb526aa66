package import Diagnostics
package import URISyntax

/// The settings of certificates that are requested by themselves, by ACME (RFC 8555): the
/// authority, and others that are asked when it goes on failing.
package struct AutomaticCertificates: Hashable, Sendable {
    package let position: SourcePosition
    package let email: String?
    /// The URL of the authority's directory.
    package private(set) var directory: String
    /// The URL of the directory of its test authority; nil if there is none.
    package private(set) var staging: String?
    /// Nil trusts the system's.
    package let authorities: FileReference?
    package let profile: String?
    package let externalAccount: ExternalAccountFile?
    /// The hosts that are named; nil for all that no other certificate is for.
    package private(set) var hosts: [CertificateName]?
    /// The way in which records in DNS prove hosts; nil if they do not.
    package let dns: DNSProof?
    /// Asked in this order when this one goes on failing.
    package private(set) var others = [AutomaticCertificates]()
    /// The name of the authority that this one is asked in the place of, whose account's key it shares;
    /// nil for the first of a list.
    package private(set) var first: String?

    /// The settings without the hosts, on which a request for one host does not depend.
    package var withoutHosts: AutomaticCertificates {
        var settings = self
        settings.hosts = nil
        return settings
    }

    /// Adds the authorities that are asked when this one goes on failing.
    mutating func add(_ others: [AutomaticCertificates]) {
        let name = authorityName
        self.others = others.map { other in
            var other = other
            other.first = name
            return other
        }
    }

    /// The authorities of the list, this one first.
    package var list: [AutomaticCertificates] { [self] + others }

    /// Its test authority; nil if there is none.
    package var rehearsal: AutomaticCertificates? {
        guard let staging else { return nil }
        var test = self
        (test.directory, test.staging, test.others) = (staging, nil, [])
        test.first = first ?? authorityName
        return test
    }

    /// All authorities that may be asked, those for tests included.
    package var everyAuthority: [AutomaticCertificates] {
        list.flatMap { [$0, $0.rehearsal].compactMap(\.self) }
    }

    /// The settings for requests to the authority of a name; nil if there is none of it.
    package func authority(named name: String) -> AutomaticCertificates? {
        everyAuthority.first { $0.authorityName == name }
    }

    /// The files that it is requested with.
    package var files: [FileReference] {
        list.flatMap { [$0.authorities, $0.externalAccount?.key].compactMap(\.self) }
    }

    /// The keys of its accounts outside ACME.
    package var keys: [FileReference] { list.compactMap(\.externalAccount?.key) }

    /// The program that sets and clears TXT records; nil if there is none.
    package var program: FileReference? {
        guard case .program(let file)? = dns else { return nil }
        return file
    }

    /// A way to prove hosts by TXT records.
    package enum DNSProof: Hashable, Sendable {
        /// A program sets and clears a record for each order.
        case program(FileReference)
        /// One record stays (draft-ietf-acme-dns-persist).
        case persistent
    }

    /// An account outside ACME, whose key is in a file.
    package struct ExternalAccountFile: Hashable, Sendable {
        package let id: String
        package let key: FileReference
    }

    package static let usualDirectory = "https://acme-v02.api.letsencrypt.org/directory"
    package static let stagingDirectory =
        "https://acme-staging-v02.api.letsencrypt.org/directory"

    /// The name of the authority in paths: its directory's URL without the scheme, with `-` for
    /// characters that paths should not have; below that of the first of its list.
    package var authorityName: String { (first.map { "\($0)/otherwise/" } ?? "") + plainName }

    /// The name of the first authority of its list, with whose key all have accounts.
    package var firstName: String { first ?? plainName }

    /// Whether other authorities have accounts with the same key.
    package var sharesKey: Bool { first != nil || !others.isEmpty }

    /// The host of its directory, for people.
    package var title: String {
        let rest = directory.utf8.dropFirst("https://".utf8.count)
        return String(decoding: rest.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
    }

    /// The name without the list.
    var plainName: String {
        String(
            decoding: directory.utf8.dropFirst("https://".utf8.count).map { byte in
                let isPlain = byte.isDigit || byte.isLetter || byte == UInt8(ascii: ".")
                return isPlain ? byte : UInt8(ascii: "-")
            }, as: UTF8.self)
    }
}

extension Site {
    /// The names that automatic certificates are requested for; none without `automatic`.
    /// Authorities issue none for addresses and names without a domain, such as `localhost`, unless
    /// they are private, and none for wildcards without records in DNS. A wildcard is for the hosts
    /// that it covers, too.
    package var automaticHosts: [CertificateName] {
        guard let automatic else { return [] }
        if let hosts = automatic.hosts { return hosts }
        let hosts = answeredHosts.filter(\.hasDomain).map { CertificateName($0) }
        guard automatic.dns != nil else { return hosts }
        let wildcards = wildcards.filter(\.hasDomain).map { CertificateName($0, isWildcard: true) }
        return hosts.filter { host in !wildcards.contains { $0.covers(host.description) } }
            + wildcards
    }
}

extension HostName {
    /// Whether it is a name within a domain, and no address.
    package var hasDomain: Bool { !isAddress && description.utf8.contains(UInt8(ascii: ".")) }
}

extension Environment {
    /// The environment with the files in which the certificates of its sites' automatic hosts are
    /// kept, whether or not they are there yet, and with the thumbprints of the accounts that request
    /// them.
    /// - Parameters:
    ///   - file: the path for a host, in which a chain and its key are together.
    ///   - directory: the directory of all of them, with accounts and orders; nil if it is unknown.
    ///   - thumbprint: of the account (RFC 8555 §8.1).
    package func keepingCertificates(
        in file: (AutomaticCertificates, CertificateName) -> String, below directory: String?,
        thumbprint: (AutomaticCertificates) -> String?
    ) -> Environment {
        var environment = self
        environment.sites = sites.map { site in
            guard let automatic = site.automatic else { return site }
            let files = site.automaticHosts.map { host in
                let reference = FileReference(
                    path: file(automatic, host), position: automatic.position)
                return CertificateFiles(
                    certificate: reference, key: reference, automaticHost: host.description)
            }
            var site = site
            // A host that is named prefers the certificate that it is named for.
            site.certificates =
                automatic.hosts == nil ? site.certificates + files : files + site.certificates
            site.accountThumbprint = thumbprint(automatic)
            environment.confidentialFiles += files.map {
                ConfidentialFile(kind: .key, reference: $0.key)
            }
            return site
        }
        if let directory {
            environment.confidentialFiles.append(
                ConfidentialFile(
                    kind: .certificates,
                    reference: FileReference(path: directory, position: position)))
        }
        return environment
    }
}
