internal import Glibc

/// A connection that waits for each step, so it is for commands and not for loops.
package struct BlockingConnection: ~Copyable {
    private let socket: Socket

    /// - Parameter seconds: the limit for each step: connecting, sending, and each piece received.
    package init(to address: SocketAddress, seconds: Int) throws(SystemError) {
        let number = Glibc.socket(address.family, CInt(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw SystemError("socket") }
        let descriptor = Descriptor(number)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0,
            unsafe setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0
        else { throw SystemError("setsockopt") }
        guard unsafe address.withKernelForm({ unsafe connect(number, $0, $1) }) == 0 else {
            throw SystemError("connect")
        }
        socket = Socket(descriptor, peer: PeerAddress(high: 0, low: 0, port: address.port))
    }

    /// Sends all bytes.
    package borrowing func send(_ bytes: [UInt8]) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            guard case .moved(let more) = socket.send(bytes, sent..<bytes.count) else {
                throw SystemError("send")
            }
            sent += more
        }
    }

    /// The bytes that arrive next, at most 64 KiB; none at the end.
    package borrowing func receive() throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        switch socket.receive(into: &bytes, bytes.indices) {
        case .moved(let count): return Array(bytes[..<count])
        case .ended: return []
        case .blocked, .lost: throw SystemError("recv")
        }
    }
}

/// Connects to `address`, sends `request`, and returns everything that arrives until the peer
/// closes, or more than `bytesMax` have arrived.
/// - Parameter seconds: the limit for each step: connecting, sending, and each piece received.
package func sendAndReceive(
    _ request: [UInt8], to address: SocketAddress, seconds: Int, bytesMax: Int
) throws(SystemError) -> [UInt8] {
    let connection = try BlockingConnection(to: address, seconds: seconds)
    try connection.send(request)
    var answer = [UInt8]()
    while answer.count <= bytesMax {
        let piece = try connection.receive()
        if piece.isEmpty { break }
        answer += piece
    }
    return answer
}
