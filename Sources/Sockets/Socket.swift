private import CLinux
internal import Glibc

/// A connected, non-blocking TCP socket.
package struct Socket: ~Copyable {
    package let descriptor: Descriptor
    /// Who connected.
    package let peer: PeerAddress

    init(_ descriptor: consuming Descriptor, peer: PeerAddress) {
        self.descriptor = descriptor
        self.peer = peer
    }

    /// Reads what has arrived into a part of `target`, which must not be empty.
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

    /// Writes what fits now of a part of `source`, which must not be empty.
    package borrowing func send(_ source: [UInt8], _ range: Range<Int>) -> Transfer {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count && !range.isEmpty)
        let number = descriptor.number
        let count = unsafe source.withUnsafeBytes {
            unsafe waymark_send(
                number, $0.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
        }
        return count >= 0 ? .moved(count) : Transfer.failed(errno)
    }

    /// How many bytes the kernel holds that the peer has not taken yet.
    package var untakenBytes: Int { max(0, Int(waymark_untaken(descriptor.number))) }

    /// Says that nothing more will be sent; what the peer still sends can be read.
    package borrowing func finishSending() { shutdown(descriptor.number, CInt(SHUT_WR)) }

    /// Lets the connection end with a reset when it is closed: what was not sent yet is dropped,
    /// and the peer sees that its answer is not whole.
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

/// What became of one attempt to move bytes.
package enum Transfer: Equatable, Sendable {
    case moved(Int)
    /// Nothing can be moved now; the poller says when.
    case blocked
    /// The peer sends nothing more.
    case ended
    /// The connection is gone (reset, timed out, unreachable).
    case lost

    fileprivate static func failed(_ number: CInt) -> Transfer {
        number == EAGAIN || number == EINTR ? .blocked : .lost
    }
}
