import Answering
import Certificates
import Diagnostics
import Files
import SiteConfiguration
import Snapshots
import Sockets
import TLS

// The certificates of the nodes of a fleet: what others have reached is copied into this node's directory, and what this
// one reaches is in the database before it goes on.

extension CertificateWork {
    /// A challenge that other nodes have to answer, too.
    struct Spread {
        /// The change that they have to read.
        let version: Int
        /// They are waited for until then, in milliseconds of the monotonic clock.
        let until: Int
    }

    // MARK: Following

    /// Takes what other nodes have changed. The node whose turn it is has nothing to read.
    mutating func follow(_ fleet: FleetDirectory, _ now: Moment) {
        guard !hosts.byName.isEmpty else { return }
        _ = takeOwnLock(now)
        if fleet.hasTurn {
            if !fleet.goOn(now) { leave() }
        } else {
            apply(fleet.follow(now), in: fleet, now)
            if fleet.mustTell, servesAccounts { fleet.tellRead(now) }
        }
        tellFault(of: fleet)
    }

    /// Whether challenges are answered with the accounts' keys that are in the directory.
    private var servesAccounts: Bool {
        hosts.byName.values.allSatisfy { unservedAccount(of: $0.automatic) == nil }
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

    private mutating func tellFault(of fleet: FleetDirectory) {
        let message = fleet.fault?.message ?? ""
        // The words of a server can be others each time.
        let kind = String(decoding: message.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        if let fault = fleet.fault, kind != toldFault { report(.finding(fault)) }
        toldFault = kind
    }

    /// Copies changes into the directory.
    private mutating func apply(
        _ changes: [FleetDirectory.Change], in fleet: FleetDirectory, _ now: Moment
    ) {
        var isReread = false
        for change in changes {
            do throws(FileError) {
                if case .challenge(let host) = change.file {
                    set(challengeOf: host, change.content, now)
                } else if lock.isHeld {
                    let before = (try? readFile(change.path, bytesMax: 1 << 20))?.bytes
                    guard before != change.content else { continue }
                    guard let content = change.content else {
                        removeFile(change.path)
                        if case .certificate = change.file { (isReread, hasNews) = (true, true) }
                        continue
                    }
                    try take(content, change, in: fleet, now)
                }
            } catch {
                let position = hosts.byName.values.first?.automatic.position
                if let position {
                    fleet.refuse(
                        CertificateStateFault.file(change.path, error, position).diagnostic, now)
                }
            }
        }
        if isReread { take(server.snapshot) }
        if !changes.isEmpty { server.renewals.set(agenda.plan, hosts.byName) }
    }

    private mutating func take(
        _ content: [UInt8], _ change: FleetDirectory.Change, in fleet: FleetDirectory,
        _ now: Moment
    ) throws(FileError) {
        switch change.file {
        case .certificate(let host):
            guard let found = try? ServerCertificate(chain: content, key: content),
                found.canServe(host)
            else {
                fleet.refuse(
                    Diagnostic(
                        .error, .certificateState, at: hosts[host]?.automatic.position,
                        "the certificate of \(host) in the nodes' database is not used: it is not for the host",
                        advice: "waymark certificates renew \(host) requests another"), now)
                return
            }
            // A database that was restored may have an older one. The next turn writes the newer.
            let own = hosts[host].flatMap { HostFiles(directory, $0).readCertificate() }
            guard own.map({ $0.notBefore <= found.notBefore }) ?? true else { return }
            try keepFile(change.path, content)
            _ = hosts.note(found, of: host)
            agenda.follow(host, nil, found.validity)
            hasNews = true
        case .record(let host):
            try keepFile(change.path, content)
            agenda.follow(host, HostRecord(json: content))
        case .limits(let authority):
            try keepFile(change.path, content)
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
    }

    private func set(challengeOf host: String, _ content: [UInt8]?, _ now: Moment) {
        guard let content else { return challenges.remove(host) }
        // A challenge that cannot be answered fails, and the order is repeated.
        try? challenges.set(
            host, keyAuthorization: String(decoding: content, as: UTF8.self), now: now.seconds)
    }

    // MARK: The turn

    /// Takes the turn.
    /// - Returns: whether this node has it.
    mutating func takeTurn(_ fleet: FleetDirectory, _ now: Moment) -> Bool {
        apply(fleet.takeTurn(now), in: fleet, now)
        // What could not be copied is not to be replaced by what is older.
        if fleet.fault != nil { fleet.endTurn() }
        tellFault(of: fleet)
        return fleet.hasTurn
    }

    /// Writes what this node has and the database lacks, such as the certificates of a node that was alone before.
    mutating func keepAll(in fleet: FleetDirectory, _ now: Moment) {
        var contents = [String: [UInt8]?]()
        for (name, file) in fleet.names {
            let content = (try? readFile("\(directory.root)/\(name)", bytesMax: 1 << 20))?.bytes
            guard content != nil || isOver(file) else { continue }
            contents.updateValue(content, forKey: name)
        }
        _ = keep(contents, in: fleet, now)
    }

    /// Whether a file that is not there is not needed any more.
    private func isOver(_ file: FleetFile) -> Bool {
        switch file {
        case .challenge(let host): orders[host] == nil
        case .orderKey(let host): agenda.plan[host]?.record.order.order == nil
        case .account, .accountURL, .limits, .certificate, .record: false
        }
    }

    /// Writes what has changed of hosts and authorities.
    mutating func keep(
        _ changes: CertificateAgenda.Changes, in fleet: FleetDirectory, _ now: Moment
    ) {
        guard !changes.hosts.isEmpty || !changes.authorities.isEmpty else { return }
        let authorities = changes.authorities.union(hosts.settings.keys)
        var contents = [String: [UInt8]?]()
        for (name, file) in fleet.names {
            let isMeant =
                switch file {
                case .record(let host), .orderKey(let host), .challenge(let host):
                    changes.hosts.contains(host)
                case .account(let authority), .accountURL(let authority), .limits(let authority):
                    authorities.contains(authority)
                case .certificate: false
                }
            guard isMeant else { continue }
            let content: [UInt8]? =
                switch file {
                case .record(let host): agenda.plan[host]?.record.json
                case .limits(let authority): agenda.plan.allowances[authority]?.json
                default: (try? readFile("\(directory.root)/\(name)", bytesMax: 1 << 20))?.bytes
                }
            guard content != nil || isOver(file) else { continue }
            contents.updateValue(content, forKey: name)
        }
        _ = keep(contents, in: fleet, now)
    }

    /// Writes a certificate that was issued, before it is served.
    /// - Returns: whether it may be served.
    mutating func keep(
        _ pem: [UInt8], of host: AutomaticHost, in fleet: FleetDirectory, _ now: Moment
    ) -> Bool {
        let name = fleet.name(of: .certificate(host: host.name.description))
        guard let name, keep([name: pem], in: fleet, now) != nil else {
            tell([CertificateFindings.late(host)])
            return false
        }
        return true
    }

    /// Removes a certificate that was revoked.
    mutating func remove(certificateOf host: AutomaticHost, in fleet: FleetDirectory) {
        guard let name = fleet.name(of: .certificate(host: host.name.description)) else { return }
        _ = keep([name: nil], in: fleet, .now)
    }

    /// Writes files into the database.
    /// - Returns: the version of the last change; nil if it is another node's turn, or nobody knows.
    private mutating func keep(
        _ contents: [String: [UInt8]?], in fleet: FleetDirectory, _ now: Moment
    ) -> Int? {
        let outcome = fleet.keep(contents, now)
        if case .kept(let version) = outcome { return version }
        leave()
        // What this node has reached on its own is not what the others have.
        if outcome == .refused { fleet.forget() }
        tellFault(of: fleet)
        return nil
    }

    // MARK: Challenges

    /// Lets the other nodes answer a challenge.
    /// - Parameter text: the key authorization of a challenge over TLS.
    mutating func spread(_ text: String?, of host: AutomaticHost, _ fleet: FleetDirectory) {
        let (name, now) = (host.name.description, Moment.now)
        var version = fleet.accountVersion
        if let text {
            let file = FleetFile.challengeName(of: name)
            guard let kept = keep([file: Array(text.utf8)], in: fleet, now) else { return }
            version = kept
        }
        // An account is known when the configuration was read again.
        let patience = text == nil ? Self.accountMilliseconds : Self.challengeMilliseconds
        spreads[name] = Spread(version: version, until: now.milliseconds + patience)
    }

    private static let challengeMilliseconds = 3_000
    private static let accountMilliseconds = 10_000

    /// Tells the authority of the challenge when the other nodes answer it.
    mutating func wait(for spread: Spread, of name: String, _ fleet: FleetDirectory) {
        let now = Moment.now
        guard now.milliseconds >= spread.until || fleet.areAllTold(spread.version, now) else {
            return agenda.wait(name, until: now.milliseconds + Self.lookMilliseconds)
        }
        spreads[name] = nil
        agenda.wait(name, until: 0)
        if let type = orders[name]?.confirm() { agenda.note(name) { $0.challenge = type } }
    }

    private static let lookMilliseconds = 100
}
