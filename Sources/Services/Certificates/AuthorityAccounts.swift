import Certificates
import SiteConfiguration

/// The accounts that are in use, by their authorities' names. They belong to one thread.
struct AuthorityAccounts {
    private let directory: CertificateDirectory
    private let agent: String
    private var accounts = [String: Account]()

    private struct Account {
        var authority: CertificateAuthority
        var isOutdated = false
    }

    /// - Parameter agent: for User-Agent, which authorities require (RFC 8555 §6.1).
    init(_ directory: CertificateDirectory, agent: String) {
        (self.directory, self.agent) = (directory, agent)
    }

    /// Uses an account for one step, and keeps what it has learned.
    mutating func use<Value>(
        _ automatic: AutomaticCertificates,
        _ body: (inout CertificateAuthority) throws(IssuanceFault) -> Value
    ) throws(IssuanceFault) -> Value {
        try open(automatic)
        let name = automatic.authorityName
        guard var authority = accounts[name]?.authority else {
            throw IssuanceFault(.account, .temporary, "it cannot be opened")
        }
        defer { accounts[name]?.authority = authority }
        return try body(&authority)
    }

    /// Reads an account's files, unless they are known.
    mutating func open(_ automatic: AutomaticCertificates) throws(IssuanceFault) {
        let name = automatic.authorityName
        guard accounts[name]?.isOutdated ?? true else { return }
        accounts[name] = Account(
            authority: try CertificateAuthority(automatic, directory, agent: agent))
    }

    /// Reads all files again before the next step: they may have changed.
    /// - Returns: the names of those whose settings are not among these any more.
    mutating func outdate(_ settings: Set<AutomaticCertificates>) -> [String] {
        for name in accounts.keys { accounts[name]?.isOutdated = true }
        return accounts.filter { !settings.contains($0.value.authority.automatic) }.map(\.key)
    }

    /// Reads all files again before the next step: another node has changed them.
    mutating func outdate() {
        for name in accounts.keys { accounts[name]?.isOutdated = true }
    }

    /// The answer that this machine gets when it asks for a challenge of the account itself.
    func evidence(for host: AutomaticHost, _ automatic: AutomaticCertificates) -> String? {
        accounts[automatic.authorityName]?.authority.evidence(for: host.name)
    }
}

extension AutomaticCertificates.DNSProof {
    var challenge: ChallengeType { self == .persistent ? .persistent : .dns }
}

extension AutomaticCertificates {
    /// The authorities that a certificate may come from. The record that stays for dns-persist-01 names an
    /// account, so no test authority finds its own.
    var choices: [AuthorityChoice] {
        list.map { authority in
            AuthorityChoice(
                authority.authorityName, title: authority.title,
                staging: dns == .persistent ? nil : authority.rehearsal?.authorityName)
        }
    }

    /// The settings for requests to the authority of an attempt: the first one, unless it is known.
    func settings(of attempt: AuthorityAttempt) -> AutomaticCertificates {
        authority(named: attempt.authority) ?? self
    }
}
