internal import Glibc

/// Connects to `address`, sends `request`, and returns everything that arrives until the peer
/// closes. It waits, so it is for commands and not for loops.
/// - Parameter seconds: the limit for each step: connecting, sending, and each piece received.
package func sendAndReceive(
    _ request: [UInt8], to address: SocketAddress, seconds: Int, bytesMax: Int
) throws(SystemError) -> [UInt8] {
    let number = socket(address.family, CInt(SOCK_STREAM.rawValue), 0)
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
    let connection = Socket(
        descriptor, peer: PeerAddress(high: 0, low: 0, port: address.port))
    var sent = 0
    while sent < request.count {
        guard case .moved(let more) = connection.send(request, sent..<request.count) else {
            throw SystemError("send")
        }
        sent += more
    }
    var answer = [UInt8](repeating: 0, count: min(bytesMax, 65_536))
    var count = 0
    while count < bytesMax {
        if count == answer.count {
            answer += [UInt8](repeating: 0, count: min(count, bytesMax - count))
        }
        switch connection.receive(into: &answer, count..<answer.count) {
        case .moved(let more): count += more
        case .ended: return Array(answer[..<count])
        case .blocked, .lost: throw SystemError("recv")
        }
    }
    return answer
}
