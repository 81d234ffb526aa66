package import Answering
import Diagnostics
import Files
package import SiteConfiguration
package import TLS
import URISyntax

/// The certificates that hosts are answered with over https, and the faults of unusable ones.
///
/// A certificate that cannot be used takes away only its own hosts: each host gets the
/// first certificate of the configuration that covers it and can be used; where there is none, the
/// one that it was answered with before, as long as that is valid; else its handshakes are refused.
package struct HostCertificates: Sendable {
    /// All that the configuration names, in its order, usable or not.
    package let configured: [ConfiguredCertificate]
    /// The faults of hosts that none of them names.
    let uncovered: [BuildFault]
    /// In the order of the sites' hosts; none where no site names a certificate.
    package let hosts: [HostCertificate]
    /// For clients that name no host, or one that is not answered.
    package let standard: LoadedCertificate?
    /// The certificates that sign association files.
    let signing: [SigningCertificate]
    /// Every date that the choice depends on, at this time, in seconds since 1970.
    private let chosenAt: Int
    private let dated: [ServerCertificate]
    /// The certificate of hosts whose own is awaited; nil if there are none.
    package let placeholder: ServerCertificate?

    /// - Parameters:
    ///   - configured: the certificates of the sites, each once.
    ///   - previous: what is served until now.
    init(
        _ sites: [Site], _ ownHosts: [APIHost], _ configured: [ConfiguredCertificate],
        signing: [SigningCertificate], after previous: HostCertificates?, now: Int
    ) {
        func kept(_ loaded: LoadedCertificate?) -> LoadedCertificate? {
            loaded.flatMap { $0.certificate.isValid(at: now) ? $0 : nil }
        }
        func real(_ loaded: LoadedCertificate?) -> LoadedCertificate? {
            loaded?.certificate.number == previous?.placeholder?.number ? nil : loaded
        }
        let before = Dictionary(
            (previous?.hosts ?? []).map { ($0.name, $0.certificate) }, uniquingKeysWith: { $1 })
        // Sites mostly share all of their certificates, or have one each.
        let byFiles = Dictionary(
            configured.map { ($0.files, $0) }, uniquingKeysWith: { first, _ in first })
        let awaited = configured.first(where: \.needsPlaceholder)
        let standIn = awaited.flatMap { awaited in
            (previous?.placeholder ?? (try? ServerCertificate.placeholder(now: now)))
                .map { LoadedCertificate(files: awaited.files, certificate: $0) }
        }
        let awaitedHosts = Set(
            configured.lazy.filter(\.needsPlaceholder).compactMap(\.files.automaticHost))
        // A wildcard that is awaited covers hosts one label below it.
        func awaits(_ name: String) -> Bool {
            let dot = name.utf8.firstIndex(of: UInt8(ascii: "."))
            return awaitedHosts.contains(name)
                || dot.map { awaitedHosts.contains("*\(name[$0...])") } ?? false
        }
        var choices = [[CertificateFiles]: CertificateChoices]()
        var (hosts, uncovered) = ([HostCertificate](), [BuildFault]())
        func add(_ name: String, _ choice: CertificateChoices) {
            let usable = choice.certificate(for: name)
            let isAwaited = awaits(name)
            // What was there before is kept: a placeholder never replaces it, even if it has ended.
            let last = real(before[name] ?? nil)
            let old = usable == nil ? kept(last) ?? (isAwaited ? last : nil) : nil
            let other = usable == nil && old == nil && isAwaited ? standIn : nil
            hosts.append(
                HostCertificate(
                    name: name, certificate: usable ?? old ?? other,
                    isKept: old != nil && !isAwaited, isPlaceholder: other != nil))
        }
        for site in configured.isEmpty ? [] : sites {
            let choice =
                choices[site.certificates]
                ?? CertificateChoices(site.certificates.compactMap { byFiles[$0] })
            choices[site.certificates] = choice
            uncovered += choice.uncovered(site.hostPatterns, of: site.title)
            for name in site.hostPatterns { add(name, choice) }
        }
        if !configured.isEmpty, !ownHosts.isEmpty {
            // They belong to no site, so any site's certificate will do.
            let choice = CertificateChoices(configured)
            for key in ["api-hosts", "console"] {
                let names = ownHosts.filter { $0.key == key }.map(\.name.description)
                if !names.isEmpty { uncovered += choice.uncovered(names, of: "`\(key)`") }
                for name in names { add(name, choice) }
            }
        }
        // One for none of the hosts may stand first on purpose, but not where a host lacks its own.
        let isWhole = hosts.allSatisfy { $0.certificate != nil && !$0.isKept && !$0.isPlaceholder }
        func serves(_ loaded: LoadedCertificate) -> Bool {
            isWhole || hosts.contains { loaded.certificate.covers($0.name) }
        }
        let old = configured.isEmpty ? nil : kept(real(previous?.standard))
        standard =
            configured.first?.usable.flatMap { serves($0) ? $0 : nil } ?? old
            ?? configured.lazy.compactMap(\.usable).first(where: serves)
            ?? hosts.lazy.compactMap(\.certificate).first
        (self.configured, self.uncovered, self.hosts) = (configured, uncovered, hosts)
        (self.signing, chosenAt, placeholder) = (signing, now, standIn?.certificate)
        let all = configured.map(\.certificate) + hosts.map { $0.certificate?.certificate }
        let others =
            [standard?.certificate] + signing.map(\.configured.certificate)
            + signing.map { $0.signer?.certificate }
        var seen = Set<Int>()
        dated = (all + others).compactMap(\.self).filter { seen.insert($0.number).inserted }
    }

    /// Whether another choice would be made now although no file has changed: a date has come, or a
    /// file could not be read for a reason that may be over.
    func isOutdated(now: Int) -> Bool {
        faults.contains(where: \.isPassing)
            || dated.contains { $0.isValid(at: now) != $0.isValid(at: chosenAt) }
    }

    /// The hosts and their certificates, as the context of handshakes needs them.
    var named: [(name: String, certificate: ServerCertificate?)] {
        hosts.map { ($0.name, $0.certificate?.certificate) }
    }

    /// The differences to a choice for the same hosts.
    func changes(since before: HostCertificates) -> CertificateChanges {
        var changes = CertificateChanges()
        func compare(_ name: String, _ now: LoadedCertificate?, _ before: LoadedCertificate?) {
            guard now?.certificate.number != before?.certificate.number else { return }
            if now == nil { changes.lost.append(name) } else { changes.replaced.append(name) }
        }
        for (now, before) in zip(hosts, before.hosts) {
            compare(now.name, now.certificate, before.certificate)
        }
        if changes.isEmpty { compare("unknown names", standard, before.standard) }
        return changes
    }

    /// The faults of certificates of the configuration.
    package var faults: [BuildFault] {
        configured.flatMap(\.faults) + uncovered + signing.flatMap(\.configured.faults)
    }

    /// The end of each certificate that is used.
    var ends: [CertificateEnd] {
        var seen = Set<Int>()
        let used = hosts.map(\.certificate) + [standard] + signing.map(\.signer)
        return used.compactMap(\.self)
            .filter { $0.files.automaticHost == nil }
            .filter { seen.insert($0.certificate.number).inserted }.map(\.end)
    }

    /// The certificates that were read, for a reload to take over.
    package var known: KnownCertificates {
        KnownCertificates(configured + signing.map(\.configured))
    }
}

/// The names that are answered with other certificates than before.
package struct CertificateChanges: Sendable {
    /// Those that have another one.
    package internal(set) var replaced = [String]()
    /// Those that have none any more, so that their handshakes are refused.
    package internal(set) var lost = [String]()

    package var isEmpty: Bool { replaced.isEmpty && lost.isEmpty }
}

/// Certificates that were read before.
package struct KnownCertificates: Sendable {
    /// By the paths of certificate and key.
    private var byPaths = [[String]: ConfiguredCertificate]()
    /// By the digest of what was read.
    private(set) var byDigest = [[UInt8]: ServerCertificate]()

    init(_ configured: [ConfiguredCertificate]) {
        for one in configured {
            guard let certificate = one.certificate else { continue }
            byPaths[one.files.paths] = one
            byDigest[one.digest] = certificate
        }
    }

    /// The certificate as read from files that have not changed; nil where they must be read.
    package func unchanged(_ files: CertificateFiles) -> ConfiguredCertificate? {
        guard let before = byPaths[files.paths], !before.stamps.isEmpty else { return nil }
        let now = files.paths.map { FileStamp(of: $0) }
        return now == before.stamps.map(Optional.some) ? before : nil
    }
}

extension CertificateFiles {
    var paths: [String] { [certificate.path, key.path] }
}

/// A host, and what it is answered with over https.
package struct HostCertificate: Sendable {
    package let name: String
    /// Nil refuses its handshakes.
    package let certificate: LoadedCertificate?
    /// Whether it is of an earlier configuration, or of what a file held before.
    package let isKept: Bool
    /// Whether it is only there to be connected to, until the host's own is issued.
    package let isPlaceholder: Bool

    /// Whether clients can connect, in seconds since 1970.
    package func isUsable(at now: Int) -> Bool {
        !isPlaceholder && certificate?.certificate.isValid(at: now) == true
    }
}

// MARK: What is said of it

extension HostCertificates {
    /// The consequences of certificates' faults for hosts, and for the association file.
    /// - Parameter position: where a host is configured.
    func consequences(at position: (_ host: String) -> SourcePosition) -> [Diagnostic] {
        let withoutOne = hosts.filter { $0.certificate == nil }.map(\.name)
        var found = [Diagnostic]()
        for (position, refused) in Dictionary(grouping: withoutOne, by: position) {
            found.append(
                Diagnostic(
                    .error, .hostWithoutCertificate, at: position,
                    "\(listed(refused)) \(refused.count == 1 ? "has" : "have") no usable "
                        + "certificate; TLS handshakes for \(refused.count == 1 ? "it" : "them") "
                        + "are refused",
                    advice: "fix the certificates' errors above, or add a certificate for "
                        + (refused.count == 1 ? "the host" : "each host that none of them is for")
                        + "; waymark then loads it by itself")
            )
        }
        let kept = hosts.filter(\.isKept)
        let groups = Dictionary(grouping: kept) { host in
            KeptGroup(
                certificate: host.certificate?.certificate.number ?? 0,
                position: position(host.name))
        }
        for (key, group) in groups {
            guard let end = group[0].certificate?.end else { continue }
            found.append(
                Diagnostic(
                    .error, .certificateKept, at: key.position,
                    "\(listed(group.map(\.name))) \(group.count == 1 ? "keeps" : "keep") the "
                        + "previous certificate, which expires on \(end.date)",
                    advice: "fix the certificates' errors above; waymark then loads them by itself")
            )
        }
        for signing in signing where !signing.configured.faults.isEmpty {
            found.append(
                Diagnostic(
                    .error, .associationNotSigned,
                    at: signing.configured.files.certificate.position,
                    signing.signer == nil
                        ? "the association file is served without a signature"
                        : "the association file is signed with the previous certificate",
                    advice: "systems since iOS 9 need no signature; fix the certificate's error "
                        + "above"))
        }
        return found.inOrder
    }

    /// Hosts of one site that keep one certificate.
    private struct KeptGroup: Hashable {
        let certificate: Int
        let position: SourcePosition
    }

}

/// So many names at most, and how many more there are.
func listed(_ names: [String]) -> String {
    let rest = names.count - namesMax
    return names.prefix(namesMax).map(quoted).joined(separator: ", ")
        + (rest > 0 ? " and \(counted(rest, "other host"))" : "")
}

private let namesMax = 8
