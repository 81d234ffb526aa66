private import CLinux
internal import Glibc

/// A connected, non-blocking TCP socket.
package struct Socket: ~Copyable {
    package let descriptor: Descriptor
    /// The address of the peer.
    package let peer: PeerAddress

    init(_ descriptor: consuming Descriptor, peer: PeerAddress) {
        self.descriptor = descriptor
        self.peer = peer
    }

    /// The descriptor of a TCP socket that does not block.
    static func makeDescriptor(_ family: CInt) throws(SystemError) -> Descriptor {
        let number = waymark_tcp_socket(family)
        guard number >= 0 else { throw SystemError("socket") }
        return Descriptor(number)
    }

    /// Reads the bytes that have arrived into a part of `target`, which must not be empty.
    package borrowing func receive(into target: inout [UInt8], _ range: Range<Int>) -> Transfer {
        precondition(range.lowerBound >= 0 && range.upperBound <= target.count && !range.isEmpty)
        let number = descriptor.number
        let count = unsafe target.withUnsafeMutableBytes {
            unsafe waymark_receive(
                number, $0.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
        }
        if count > 0 { return .moved(count) }
        return count == 0 ? .ended : Transfer.failed(errno)
    }

    /// Sends as much as possible of a part of `source`, which must not be empty.
    package borrowing func send(_ source: [UInt8], _ range: Range<Int>) -> Transfer {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count && !range.isEmpty)
        let number = descriptor.number
        let count = unsafe source.withUnsafeBytes {
            unsafe waymark_send(
                number, $0.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
        }
        return count >= 0 ? .moved(count) : Transfer.failed(errno)
    }

    /// The number of bytes in the kernel that the peer has not acknowledged.
    package var untakenBytes: Int { max(0, Int(waymark_untaken(descriptor.number))) }

    /// Whether the peer has reset the connection, or it has failed in another way.
    package var isReset: Bool {
        // It waits for no event, so `poll` reports failures alone.
        var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// Closes the sending side; the peer's bytes can still be read.
    package borrowing func finishSending() { shutdown(descriptor.number, CInt(SHUT_WR)) }

    /// Makes the connection end with a reset when it is closed. Unsent bytes are discarded, and the
    /// peer sees that the response is incomplete.
    package borrowing func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        _ = unsafe setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &option, size)
    }
}

/// The other end of a connection: an IPv6 address as two words, its first octet the highest, IPv4
/// mapped into it (RFC 4291 §2.5.5.2), and a port.
package struct PeerAddress: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64
    package let port: UInt16
}

/// The result of one attempt to receive or send.
package enum Transfer: Equatable, Sendable {
    case moved(Int)
    /// Nothing can be received or sent now; the poller reports when it can.
    case blocked
    /// The peer sends nothing more.
    case ended
    /// The connection is gone (reset, timed out, unreachable).
    case lost

    fileprivate static func failed(_ number: CInt) -> Transfer {
        number == EAGAIN || number == EINTR ? .blocked : .lost
    }
}
