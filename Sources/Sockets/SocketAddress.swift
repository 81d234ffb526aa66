internal import Glibc

/// An IPv4 or IPv6 address and a port: `127.0.0.1:8080`, `[::1]:8080` or `:8080` (all addresses of
/// this host, both families).
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    /// Nil for all addresses of this host.
    package let host: Host?
    package let port: UInt16

    /// An address's octets in network order.
    package enum Host: Hashable, Sendable {
        case v4([UInt8])
        case v6([UInt8])
    }

    package init(host: Host?, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Nil unless `text` has one of the forms above; names are not resolved.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])
        else { return nil }
        let name = text[..<colon]
        if name.isEmpty || name == "*" {
            self.init(host: nil, port: port)
        } else if name == "localhost" {
            self.init(host: .v4([127, 0, 0, 1]), port: port)
        } else if name.hasPrefix("["), name.hasSuffix("]") {
            guard let bytes = parseAddress(AF_INET6, String(name.dropFirst().dropLast()), 16) else {
                return nil
            }
            self.init(host: .v6(bytes), port: port)
        } else {
            guard let bytes = parseAddress(AF_INET, String(name), 4) else { return nil }
            self.init(host: .v4(bytes), port: port)
        }
    }

    package var description: String {
        switch host {
        case nil: ":\(port)"
        case .v4(let bytes): "\(printAddress(AF_INET, bytes)):\(port)"
        case .v6(let bytes): "[\(printAddress(AF_INET6, bytes))]:\(port)"
        }
    }

    /// The same host with another port.
    package func withPort(_ port: UInt16) -> SocketAddress { .init(host: host, port: port) }

    /// The address for all hosts is IPv6's, which also accepts IPv4.
    var family: CInt { if case .v4 = host { AF_INET } else { AF_INET6 } }

    /// Calls `body` with the address in the kernel's form.
    func withKernelForm<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        if case .v4(let bytes) = host {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        if case .v6(let bytes) = host {
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
                unsafe $0.copyBytes(from: bytes)
            }
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    /// The address to which a socket is bound; nil for another family.
    init?(boundTo socket: CInt) {
        // Port and address follow two bytes of family; IPv6 has four more bytes between them.
        var storage = [UInt8](repeating: 0, count: 128)
        var length = socklen_t(storage.count)
        let status = unsafe storage.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return CInt(-1) }
            return unsafe getsockname(socket, start.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard status == 0 else { return nil }
        let family = unsafe storage.withUnsafeBytes { unsafe $0.load(as: sa_family_t.self) }
        let port = UInt16(storage[2]) << 8 | UInt16(storage[3])
        switch CInt(family) {
        case AF_INET: self.init(host: .v4(Array(storage[4..<8])), port: port)
        case AF_INET6:
            let octets = Array(storage[8..<24])
            self.init(host: octets.allSatisfy { $0 == 0 } ? nil : .v6(octets), port: port)
        default: return nil
        }
    }
}

private func parseAddress(_ family: CInt, _ text: String, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = unsafe bytes.withUnsafeMutableBytes {
        unsafe inet_pton(family, text, $0.baseAddress)
    }
    return status == 1 ? bytes : nil
}

private func printAddress(_ family: CInt, _ bytes: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let capacity = socklen_t(text.count)
    let printed = unsafe bytes.withUnsafeBytes { source in
        unsafe text.withUnsafeMutableBufferPointer { target in
            unsafe inet_ntop(family, source.baseAddress, target.baseAddress, capacity) != nil
        }
    }
    guard printed else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
