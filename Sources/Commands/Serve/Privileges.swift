import ArgumentParser
import Diagnostics
import EventLog
import Logging
import Origin
import Sockets

/// Whose rights the origin serves with.
struct Privileges {
    /// Nil stays who it is.
    private let account: Account?
    private let allowsRoot: Bool

    /// - Parameter user: `NAME` or `NAME:GROUP`.
    init(user: String?, allowsRoot: Bool) throws {
        do throws(UnknownAccount) {
            account = try user.map { text throws(UnknownAccount) in try Account(text) }
        } catch {
            throw ValidationError("--user: \(error)")
        }
        self.allowsRoot = allowsRoot
        guard account?.user != 0 || allowsRoot else {
            throw ValidationError("--user is root; add --allow-root to mean it")
        }
    }

    /// Root for the sake of a port is root for every byte that a stranger sends. On other ports,
    /// where a developer or a container happens to be root, it is worth a warning only.
    func check(_ addresses: OriginAddresses, _ events: Logger) throws(ExitCode) {
        guard Account.isRoot, account == nil, !allowsRoot else { return }
        let all = [addresses.https, addresses.http, addresses.admin].compactMap(\.self)
        guard let address = all.first(where: { (1..<1024).contains($0.port) }) else { return }
        events.report(
            Diagnostic(
                .error, .runsAsRoot, at: nil, "refusing to serve \(address) as root",
                advice: "give --user NAME, to change to once it is bound, start as another user "
                    + "that has the capability CAP_NET_BIND_SERVICE, or give --allow-root"))
        throw .noPermission
    }

    /// Runs `body` with the rights that are left once `giveUp` has been called: what could be read
    /// now, and not by a reload, would be found out when a certificate is renewed.
    func withThoseOfTheUser<Value>(
        _ events: Logger, _ body: () -> Value
    ) throws(ExitCode) -> Value {
        guard let account, Account.isRoot else { return body() }
        do throws(SystemError) {
            return try account.lend(body)
        } catch {
            report(error, events)
            throw .noPermission
        }
    }

    /// Becomes the user that was asked for, and keeps whatever this process is from becoming more.
    func giveUp(_ events: Logger) throws(ExitCode) {
        do throws(SystemError) {
            try renounceNewPrivileges()
            try account?.assume()
        } catch {
            report(error, events)
            throw .noPermission
        }
    }

    private func report(_ error: SystemError, _ events: Logger) {
        events.report(
            Diagnostic(
                .error, .user, at: nil, "cannot become the user of --user: \(error)",
                advice: "only root can; start as root, or as that user without --user"))
    }

    func warn(_ events: Logger) {
        guard Account.isRoot, !allowsRoot else { return }
        events.report(
            Diagnostic(
                .warning, .runsAsRoot, at: nil, "runs as root",
                advice: "start it as another user, give --user NAME, or --allow-root"))
    }
}
