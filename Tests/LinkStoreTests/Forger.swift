import Glibc
import Sockets
import TestSupport
import Testing

/// A program between a node and a server, which gives the node other numbers than the server has sent.
final class Forger: Sendable {
    let port: Int
    private let listener: Int32

    /// - Parameters:
    ///   - server: its port.
    ///   - number: a number of eight bytes of the server's answers.
    ///   - other: the node gets this one in its place.
    init(before server: Int, of number: Int, _ other: Int) throws {
        let own = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        (listener, port) = (own, try boundPort(own))
        try #require(listen(own, 8) == 0)
        try startThread(name: "forger") {
            while case let client = accept(own, nil, nil), client >= 0 {
                guard let peer = try? Self.connect(server) else { continue }
                try? startThread(name: "forger-up") { Self.pass(from: client, to: peer) { $0 } }
                try? startThread(name: "forger-down") {
                    Self.pass(from: peer, to: client) {
                        $0.replacing(number.bytes, with: other.bytes)
                    }
                }
            }
            close(own)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func connect(_ port: Int) throws -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        return number
    }

    /// Passes on what one side sends until one of them ends. The answers of these tests come in one piece each.
    private static func pass(
        from one: Int32, to other: Int32, _ change: ([UInt8]) -> [UInt8]
    ) {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = recv(one, &bytes, bytes.count, 0), count > 0 {
            let sent = change(Array(bytes[..<count]))
            guard send(other, sent, sent.count, Int32(MSG_NOSIGNAL)) == sent.count else { break }
        }
        shutdown(one, Int32(SHUT_RDWR))
        shutdown(other, Int32(SHUT_RDWR))
    }
}

extension Int {
    /// In the order of the network.
    fileprivate var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}
