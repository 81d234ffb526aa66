import Glibc
import Testing

/// A port that was free a moment ago.
package func freePort() throws -> Int {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    return try boundPort(number)
}

/// Binds a socket to a free port of this machine.
package func boundPort(_ number: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
        }
    }
    try #require(isBound)
    return Int(UInt16(bigEndian: address.sin_port))
}
