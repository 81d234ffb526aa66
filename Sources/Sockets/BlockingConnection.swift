internal import Glibc

/// A point in time after which nothing is waited for, and nothing else is sent or received.
package struct Deadline: Sendable {
    private let milliseconds: Int
    /// The time that was left when it was set, for messages.
    package let limitMilliseconds: Int

    /// This many milliseconds from now.
    /// - Parameter limit: of which they are what is left; nil if they are all of it.
    package init(in milliseconds: Int, of limit: Int? = nil) {
        limitMilliseconds = limit ?? milliseconds
        self.milliseconds = Clock.monotonicMilliseconds + milliseconds
    }

    /// The milliseconds until then; 0 if it has passed.
    package var remaining: Int { max(0, milliseconds - Clock.monotonicMilliseconds) }

    /// This deadline, or the one in so many milliseconds if that comes first.
    package func atMost(_ milliseconds: Int) -> Deadline {
        remaining <= milliseconds ? self : Deadline(in: milliseconds)
    }
}

/// A connection that waits for each step, so it is for threads that may wait, and not for loops.
package struct BlockingConnection: ~Copyable {
    private let socket: Socket

    /// Connects.
    /// - Throws: also when the deadline has passed.
    package init(to address: SocketAddress, by deadline: Deadline) throws(SystemError) {
        let descriptor = try Self.connected(to: address, by: deadline)
        socket = Socket(descriptor, peer: PeerAddress(high: 0, low: 0, port: address.port))
    }

    private static func connected(
        to address: SocketAddress, by deadline: Deadline
    ) throws(SystemError) -> Descriptor {
        let descriptor = try Socket.makeDescriptor(address.family)
        let number = descriptor.number
        guard unsafe address.withKernelForm({ unsafe connect(number, $0, $1) }) != 0 else {
            return descriptor
        }
        guard errno == EINPROGRESS else { throw SystemError("connect") }
        try wait(number, for: POLLOUT, by: deadline, "connect")
        var fault: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &fault, &size) == 0 else {
            throw SystemError("getsockopt")
        }
        guard fault == 0 else { throw SystemError("connect", number: fault) }
        return descriptor
    }

    /// Sends all bytes.
    /// - Throws: also when the deadline has passed, however fast the peer takes them.
    package borrowing func send(_ bytes: [UInt8], by deadline: Deadline) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            try Self.check(deadline, "send")
            switch socket.send(bytes, sent..<bytes.count) {
            case .moved(let more): sent += more
            case .blocked:
                try Self.wait(socket.descriptor.number, for: POLLOUT, by: deadline, "send")
            case .ended, .lost: throw SystemError("send")
            }
        }
    }

    /// The bytes that arrive next, at most 64 KiB; none at the end.
    /// - Throws: also when the deadline has passed, even if there is something to receive: a peer
    ///   that goes on sending would otherwise decide how long a caller works.
    package borrowing func receive(by deadline: Deadline) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            try Self.check(deadline, "recv")
            switch socket.receive(into: &bytes, bytes.indices) {
            case .moved(let count): return Array(bytes[..<count])
            case .ended: return []
            case .lost: throw SystemError("recv")
            case .blocked:
                try Self.wait(socket.descriptor.number, for: POLLIN, by: deadline, "recv")
            }
        }
    }

    private static func check(_ deadline: Deadline, _ call: StaticString) throws(SystemError) {
        guard deadline.remaining > 0 else { throw SystemError(call, number: ETIMEDOUT) }
    }

    private static func wait(
        _ number: CInt, for event: CInt, by deadline: Deadline, _ call: StaticString
    ) throws(SystemError) {
        while true {
            var waiting = pollfd(fd: number, events: Int16(event), revents: 0)
            let count = unsafe poll(&waiting, 1, CInt(clamping: deadline.remaining))
            if count > 0 { return }
            if count == 0 { throw SystemError(call, number: ETIMEDOUT) }
            guard errno == EINTR else { throw SystemError("poll") }
        }
    }
}
