import Answering
import Certificates
import Diagnostics
import Files
import SiteConfiguration
import Snapshots
import TLS

// What the other nodes of a fleet have reached is copied into this node's directory.

extension CertificateWork {
    /// Takes what other nodes have changed. The node whose turn it is has nothing to read.
    mutating func follow(_ fleet: FleetDirectory, _ now: Moment) {
        guard !hosts.byName.isEmpty else { return }
        _ = takeOwnLock(now)
        if fleet.hasTurn {
            if !fleet.goOn(now) { leave() }
        } else {
            apply(fleet.follow(now), in: fleet, now)
            // Without the lock, what was read is not in the directory.
            if lock.isHeld, fleet.mustTell(now), servesAccounts { fleet.tellRead(now) }
        }
        tellFault(of: fleet)
    }

    /// Whether challenges are answered with the accounts' keys that are in the directory.
    private var servesAccounts: Bool {
        Set(hosts.byName.values.map(\.automatic)).allSatisfy { unservedAccount(of: $0) == nil }
    }

    /// The account with whose key challenges over plain HTTP are not answered yet; nil if they are.
    func unservedAccount(of automatic: AutomaticCertificates) -> String? {
        guard fleet != nil else {
            return server.snapshot.lacksAccount(of: automatic) ? automatic.authorityName : nil
        }
        let thumbprint = directory.thumbprint(of: automatic)
        let isServed = server.snapshot.sites.sites.allSatisfy { site in
            site.source.automatic?.authorityName != automatic.authorityName
                || site.source.accountThumbprint == thumbprint
        }
        return isServed ? nil : "\(automatic.authorityName) \(thumbprint ?? "")"
    }

    mutating func tellFault(of fleet: FleetDirectory) {
        let obstacle = fleet.obstacle
        let message = obstacle?.message ?? ""
        // The words of a server can be others each time.
        let kind = String(decoding: message.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        if let obstacle, kind != toldFault { report(.finding(obstacle)) }
        toldFault = kind
    }

    /// Copies changes into the directory, if it is this process's.
    mutating func apply(
        _ changes: [FleetDirectory.Change], in fleet: FleetDirectory, _ now: Moment
    ) {
        var isReread = false
        // Records say what becomes of certificates.
        let (records, others) = (
            changes.filter { $0.file.isRecord }, changes.filter { !$0.file.isRecord }
        )
        for change in records + others {
            if case .challenge(let host) = change.file {
                set(challengeOf: host, change.content, now)
            } else if lock.isHeld {
                do throws(FileError) {
                    if try copyFile(change, in: fleet, now) { isReread = true }
                } catch {
                    let settings = self.settings(of: change.file)
                    guard let position = settings?.position else { continue }
                    fleet.refuse(
                        CertificateStateFault.file(change.path, error, position).diagnostic, now)
                }
            }
        }
        if isReread { take(server.snapshot) }
        if !changes.isEmpty { server.renewals.set(agenda.plan, hosts.byName) }
    }

    private func set(challengeOf host: String, _ content: [UInt8]?, _ now: Moment) {
        guard let content else { return challenges.remove(host) }
        // A challenge that cannot be answered fails, and the order is repeated.
        try? challenges.set(
            host, keyAuthorization: String(decoding: content, as: UTF8.self), now: now.seconds)
    }

    // MARK: Copying

    /// - Returns: whether a certificate was removed.
    private mutating func copyFile(
        _ change: FleetDirectory.Change, in fleet: FleetDirectory, _ now: Moment
    ) throws(FileError) -> Bool {
        guard let content = change.content else { return remove(change) }
        guard change.file.accepts(content) else {
            tellUnusable(change)
            return false
        }
        unusable.remove(change.path)
        let own = (try? readFile(change.path, bytesMax: 1 << 20))?.bytes
        guard own != content else { return false }
        if FileStamp(of: parentDirectory(of: change.path)) == nil,
            let settings = self.settings(of: change.file)
        {
            // Of an authority that this node has not asked itself.
            try? directory.makeDirectories(of: settings)
        }
        return try take(content, change, in: fleet, now)
    }

    /// - Returns: whether a certificate was removed.
    private mutating func take(
        _ content: [UInt8], _ change: FleetDirectory.Change, in fleet: FleetDirectory,
        _ now: Moment
    ) throws(FileError) -> Bool {
        switch change.file {
        case .certificate(let host):
            guard let found = try? ServerCertificate(chain: content, key: content),
                let served = hosts[host]
            else { return false }
            guard !isRevoked(found, of: served) else {
                withheld[host] = change
                return false
            }
            // A database that was restored may have an older one. The next turn writes the newer.
            let own = HostFiles(directory, served).readCertificate()
            guard own.map({ $0.notBefore <= found.notBefore }) ?? true else {
                fleet.replace(change)
                return false
            }
            try keepFile(change.path, content)
            _ = hosts.note(found, of: host)
            agenda.follow(host, nil, found.validity)
            hasNews = true
        case .record(let host):
            guard !isOlder(content, of: host, now) else {
                fleet.replace(change)
                return false
            }
            try keepFile(change.path, content)
            agenda.follow(host, HostRecord(json: content))
            // Also where the row of the certificate could not be removed.
            var isRemoved = false
            if agenda.plan[host]?.record.isRevoked == true { isRemoved = removeRevoked(host) }
            // What was issued in the place of a revoked one is written before the record that says so.
            if let next = withheld.removeValue(forKey: host) {
                _ = try copyFile(next, in: fleet, now)
            }
            return isRemoved
        case .limits(let authority):
            let all = change.isOfWhole ? withLimits(content, of: authority, now) : content
            if all != content { fleet.replace(change) }
            try keepFile(change.path, all)
            if let automatic = hosts.settings[authority] {
                agenda.follow(directory.allowance(of: automatic), of: authority)
            }
        case .account, .accountURL:
            try keepFile(change.path, content)
            accounts.outdate()
            if case .account = change.file { hasNews = true }
        case .orderKey: try keepFile(change.path, content)
        case .challenge: break
        }
        return false
    }

    /// Whether a record of the database is older than what this node knows of the host: than its own one, or its
    /// certificate.
    private func isOlder(_ content: [UInt8], of host: String, _ now: Moment) -> Bool {
        guard let found = HostRecord(json: content), let own = agenda.plan[host]?.record else {
            return false
        }
        let issued = hosts.issued[host]?.notBefore
        return own.isLater(than: found, now: now.seconds)
            || issued.map { found.isOlder(thanCertificateFrom: $0) } == true
    }

    /// The limits of the database with those besides that this node knows.
    private func withLimits(_ content: [UInt8], of authority: String, _ now: Moment) -> [UInt8] {
        guard let own = agenda.plan.allowances[authority], let automatic = hosts.settings[authority]
        else { return content }
        let found = OrderAllowance(json: content, limit: .known(of: automatic.directory))
        let all = found.keepingLimits(of: own, now: now.seconds)
        return all.json == found.json ? content : all.json
    }

    /// Takes a removal. It is not authenticated: whoever can write the database can remove a row. So a certificate is
    /// removed only if the record of its host, which is authenticated, says that it was revoked. Files that nodes never
    /// remove, such as accounts, stay.
    /// - Returns: whether a certificate was removed.
    private mutating func remove(_ change: FleetDirectory.Change) -> Bool {
        switch change.file {
        case .orderKey: removeFile(change.path)
        case .certificate(let host):
            withheld[host] = nil
            return removeRevoked(host)
        case .account, .accountURL, .limits, .record, .challenge: break
        }
        return false
    }

    /// Removes a host's certificate if it was revoked.
    /// - Returns: whether it was.
    private mutating func removeRevoked(_ host: String) -> Bool {
        guard let served = hosts[host] else { return false }
        let files = HostFiles(directory, served)
        guard let own = files.readCertificate(), isRevoked(own, of: served) else { return false }
        removeFile(files.certificate)
        hasNews = true
        return true
    }

    /// Whether a certificate was revoked, as its record says, or an order on this node that nobody has taken yet.
    func isRevoked(_ certificate: ServerCertificate, of host: AutomaticHost) -> Bool {
        let record = agenda.plan[host.name.description]?.record
        return record?.revokes(certificateFrom: certificate.notBefore) == true
            || directory.order(for: host.name)?.revokes(certificate) == true
    }

    private mutating func tellUnusable(_ change: FleetDirectory.Change) {
        guard unusable.insert(change.path).inserted else { return }
        tell([
            Diagnostic(
                .error, .certificateState, at: settings(of: change.file)?.position,
                "\(quoted(change.path)) is not replaced by what is in the nodes' database, "
                    + "which is damaged, or of another host",
                advice:
                    "the next node that requests a certificate writes what it has; if none has one, "
                    + "waymark certificates renew HOST requests another")
        ])
    }

    /// The settings of the authority that a file is of.
    private func settings(of file: FleetFile) -> AutomaticCertificates? {
        switch file {
        case .account(let authority), .accountURL(let authority), .limits(let authority):
            hosts.settings[authority]
        case .certificate(let host), .record(let host), .orderKey(let host), .challenge(let host):
            hosts[host]?.automatic
        }
    }
}
