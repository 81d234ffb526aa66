import ArgumentParser
import Diagnostics
import EventLog
import Logging
import Origin
import Sockets

/// The user whose rights the origin has.
struct Privileges {
    /// Nil keeps the current user.
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
            throw ValidationError("--user is root; add --allow-root if that is intended")
        }
    }

    /// Root for a privileged port would also process every byte from strangers. On other ports,
    /// root is only a warning, for developers and containers.
    func check(_ addresses: OriginAddresses, _ events: Logger) throws(ExitCode) {
        guard Account.isRoot, account == nil, !allowsRoot else { return }
        let all = [addresses.https, addresses.http, addresses.admin].compactMap(\.self)
        guard let address = all.first(where: { (1..<1024).contains($0.port) }) else { return }
        events.report(
            Diagnostic(
                .error, .runsAsRoot, at: nil, "refusing to serve \(address) as root",
                advice: "use --user NAME to change the user after binding, start as another user "
                    + "with the capability CAP_NET_BIND_SERVICE, or use --allow-root"))
        throw .noPermission
    }

    /// Runs `body` with the rights that remain after `giveUp`. A file that only root can read is
    /// then reported now, and not when a reload cannot read it.
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

    /// Changes to the requested user, and prevents this process from gaining rights.
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
                .error, .user, at: nil, "cannot change to the user of --user: \(error)",
                advice: "only root can change the user; start as root, or as that user without "
                    + "--user"))
    }

    func warn(_ events: Logger) {
        guard Account.isRoot, !allowsRoot else { return }
        events.report(
            Diagnostic(
                .warning, .runsAsRoot, at: nil, "runs as root",
                advice: "start it as another user, or use --user NAME or --allow-root"))
    }
}
