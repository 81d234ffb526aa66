internal import Glibc

/// The service manager that started this process, told of what happens here (sd_notify(3)); any
/// thread may tell it.
package final class ServiceManager: Sendable {
    private let descriptor: Descriptor
    /// A `sockaddr_un`.
    private let address: [UInt8]

    /// - Parameter path: the manager's socket: an absolute path, or `@` and an abstract name.
    /// - Throws: for anything else, and where the system gives no socket to speak with it.
    package init(socket path: String) throws(SystemError) {
        var name = Array(path.utf8)
        let isForm = name.count > 1 && name.count < pathBytesMax
        switch name.first {
        case UInt8(ascii: "/") where isForm: name.append(0)
        case UInt8(ascii: "@") where isForm: name[0] = 0
        default: throw SystemError("sockaddr_un", number: EINVAL)
        }
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw SystemError("socket") }
        descriptor = Descriptor(number)
        address = unsafe withUnsafeBytes(of: sa_family_t(AF_UNIX)) { unsafe Array($0) } + name
    }

    /// The socket that this process's environment names; nil where it names none.
    package static var namedSocket: String? {
        environmentValue("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The one that this process's environment names, if any.
    /// - Throws: when it cannot be spoken with.
    package static func fromEnvironment() throws(SystemError) -> ServiceManager? {
        guard let path = namedSocket else { return nil }
        return try ServiceManager(socket: path)
    }

    /// Sends assignments, such as `READY=1`, in one message, and does not wait for the manager.
    /// - Throws: when the manager did not take them; `isTimeOver` of a manager that is busy.
    package func notify(_ assignments: String...) throws(SystemError) {
        try send(assignments)
    }

    func send(_ assignments: [String]) throws(SystemError) {
        let message = Array(assignments.joined(separator: "\n").utf8)
        let sent = unsafe address.withUnsafeBytes { bytes in
            let target = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return unsafe sendto(
                descriptor.number, message, message.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT),
                target, socklen_t(bytes.count))
        }
        guard sent == message.count else { throw SystemError("sendto") }
    }

    /// How often the manager wants to hear `WATCHDOG=1` from this process, in milliseconds; nil
    /// where it does not.
    package static var watchdogMilliseconds: Int? {
        let process = environmentValue("WATCHDOG_PID").map { CInt($0) }
        guard process == nil || process == getpid(),
            let microseconds = environmentValue("WATCHDOG_USEC").flatMap({ Int($0) }),
            microseconds >= 1000
        else { return nil }
        return microseconds / 1000
    }
}

/// The length of `sun_path`.
private let pathBytesMax = 108
