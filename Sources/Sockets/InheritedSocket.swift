internal import Glibc

/// A listening socket that a service manager has bound and passed to this process
/// (sd_listen_fds(3)).
package final class InheritedSocket: Sendable {
    /// Its name in the service manager: `FileDescriptorName=` of its unit.
    package let name: String
    let descriptor: Descriptor

    /// Takes over an open descriptor.
    init(name: String, number: CInt) {
        self.name = name
        descriptor = Descriptor(number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    /// The sockets that were passed to this process. A second call finds none, and neither does a
    /// child process, because this call removes the environment variables.
    package static func takeAll() -> [InheritedSocket] {
        let sockets = plan(
            process: environmentValue("LISTEN_PID"), count: environmentValue("LISTEN_FDS"),
            names: environmentValue("LISTEN_FDNAMES"), ownProcess: getpid())
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
        return sockets.map { InheritedSocket(name: $0.name, number: $0.number) }
    }

    /// The names and numbers of the descriptors in these variables; none if the variables are for
    /// another process.
    static func plan(
        process: String?, count: String?, names: String?, ownProcess: CInt
    ) -> [(name: String, number: CInt)] {
        guard let process, CInt(process) == ownProcess, let count = count.flatMap({ CInt($0) }),
            (1...countMax).contains(count)
        else { return [] }
        let names = names.map { text in
            text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        return (0..<count).map { index in
            let name = names.flatMap { Int(index) < $0.count ? $0[Int(index)] : nil }
            return (name ?? "unknown", firstNumber + index)
        }
    }

    private static let firstNumber: CInt = 3
    private static let countMax: CInt = 64
}

/// A variable of this process's environment, or nil.
package func environmentValue(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
