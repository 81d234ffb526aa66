private import CLinux
internal import Glibc

/// The service manager that started this process, which is notified of its state (sd_notify(3));
/// any thread may notify it.
package final class ServiceManager: Sendable {
    private let descriptor: Descriptor
    /// A `sockaddr_un`.
    private let address: [UInt8]

    /// - Parameter path: the manager's socket: an absolute path, or `@` and an abstract name.
    /// - Throws: an error for any other form, and if the system provides no socket.
    package init(socket path: String) throws(SystemError) {
        var name = Array(path.utf8)
        let isForm = name.count > 1 && name.count < pathBytesMax
        switch name.first {
        case UInt8(ascii: "/") where isForm: name.append(0)
        case UInt8(ascii: "@") where isForm: name[0] = 0
        default: throw SystemError("sockaddr_un", number: EINVAL)
        }
        let number = waymark_unix_datagram_socket()
        guard number >= 0 else { throw SystemError("socket") }
        descriptor = Descriptor(number)
        address = unsafe withUnsafeBytes(of: sa_family_t(AF_UNIX)) { unsafe Array($0) } + name
    }

    /// The socket in this process's environment, or nil.
    package static var namedSocket: String? {
        environmentValue("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The service manager in this process's environment, or nil.
    /// - Throws: an error if it cannot be reached.
    package static func fromEnvironment() throws(SystemError) -> ServiceManager? {
        guard let path = namedSocket else { return nil }
        return try ServiceManager(socket: path)
    }

    /// Sends assignments, such as `READY=1`, in one message, without waiting.
    /// - Throws: an error if the manager did not take them; `isTimeOver` if it is busy.
    package func notify(_ assignments: String...) throws(SystemError) { try send(assignments) }

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

    /// The interval in milliseconds at which the manager expects `WATCHDOG=1`; nil if it expects
    /// none.
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
