import Certificates
import Files
import SiteConfiguration
import TLS

// The certificates of the nodes of a fleet: what this one reaches is in the database before it goes on.

extension CertificateWork {
    /// A challenge that other nodes have to answer, too.
    struct Spread {
        /// The change that they have to read.
        let version: Int
        /// They are waited for until then, in milliseconds of the monotonic clock.
        let until: Int
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
            // What the database has is as new as this node's: it was read just now. So a turn of one host does not cost a look
            // at the files of all.
            let isOver = isOver(file)
            guard isOver ? fleet.knows(name) : fleet.lacks(name) else { continue }
            let content = self.content(of: file, named: name)
            guard content != nil || isOver else { continue }
            contents.updateValue(content, forKey: name)
        }
        _ = keep(contents, in: fleet, now)
    }

    /// The content of a file in the directory; nil if it is of no use to the other nodes.
    private func content(of file: FleetFile, named name: String) -> [UInt8]? {
        let path = "\(directory.root)/\(name)"
        guard let content = (try? readFile(path, bytesMax: 1 << 20))?.bytes, file.accepts(content)
        else { return nil }
        guard case .certificate(let host) = file, let served = hosts[host],
            let own = try? ServerCertificate(chain: content, key: content)
        else { return content }
        return isRevoked(own, of: served) ? nil : content
    }

    /// Whether a file that is not there is not needed any more.
    private func isOver(_ file: FleetFile) -> Bool {
        switch file {
        // The authority may be looking at it, also while nobody has the turn.
        case .challenge(let host):
            orders[host] == nil && agenda.plan[host]?.record.order.order == nil
        case .orderKey(let host): agenda.plan[host]?.record.order.order == nil
        // What the database has was revoked, and whoever has written that could not remove it.
        case .certificate(let host):
            revoked.contains(host)
                || withheld[host] != nil && agenda.plan[host]?.record.isRevoked == true
        case .account, .accountURL, .limits, .record: false
        }
    }

    /// Writes what has changed of hosts and authorities.
    mutating func keep(
        _ changes: CertificateAgenda.Changes, in fleet: FleetDirectory, _ now: Moment
    ) {
        guard !changes.hosts.isEmpty || !changes.authorities.isEmpty || !revoked.isEmpty
        else { return }
        var contents = [String: [UInt8]?]()
        for (name, file) in fleet.names {
            let isMeant =
                switch file {
                case .record(let host):
                    changes.hosts.contains(host) || revoked.contains(host)
                case .orderKey(let host), .challenge(let host): changes.hosts.contains(host)
                // In one change with the record that says why it is gone.
                case .certificate(let host): revoked.contains(host)
                case .limits(let authority): changes.authorities.contains(authority)
                case .account, .accountURL: true
                }
            guard isMeant else { continue }
            let content: [UInt8]? =
                switch file {
                case .record(let host): agenda.plan[host]?.record.json
                case .limits(let authority): agenda.plan.allowances[authority]?.json
                default: self.content(of: file, named: name)
                }
            guard content != nil || isOver(file) else { continue }
            // Of an order that another node has begun.
            if case .challenge(let host) = file { challenges.remove(host) }
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
