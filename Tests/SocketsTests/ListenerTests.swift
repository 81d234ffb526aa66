import Glibc
import Sockets
import Testing

@Suite("Listeners")
struct ListenerTests {
    /// A thousand clients that read nothing must not take the system's memory for TCP.
    @Test func `little of an answer is taken that its reader does not take`() throws {
        let listener = try Listener(SocketAddress(host: .v4([127, 0, 0, 1]), port: 0))
        let reader = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(reader) }
        var room: CInt = 4096
        setsockopt(reader, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        #expect(join(reader, listener) == 0)
        guard let writer = try listener.accept() else {
            Issue.record("nobody is there")
            return
        }
        let piece = [UInt8](repeating: 0, count: 131_072)
        var taken = 0
        while case .moved(let count) = writer.send(piece, 0..<piece.count) { taken += count }
        #expect((1..<262_144).contains(taken))
    }

    /// Sixty clients that send fast, and whose bytes are then not read, took a hundred megabytes of a container.
    @Test(arguments: [nil, 32_768]) func `little is kept that is not read`(bytes: Int?) throws {
        let listener = try Listener(SocketAddress(host: .v4([127, 0, 0, 1]), port: 0))
        if let bytes { try listener.limitUnread(to: bytes) }
        let writer = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(writer) }
        var room: CInt = 4096
        setsockopt(writer, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        let joined = join(writer, listener)
        #expect(joined == 0 || errno == EINPROGRESS)
        var ready = pollfd(fd: listener.descriptor.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 5000) == 1)
        guard let reader = try listener.accept() else {
            Issue.record("nobody is there")
            return
        }
        // While they are read, the kernel makes room for more.
        var (piece, sent) = ([UInt8](repeating: 0, count: 65_536), 0)
        for _ in 0..<2000 {
            sent += max(0, send(writer, piece, piece.count, 0))
            while case .moved = reader.receive(into: &piece, 0..<piece.count) {}
        }
        #expect(sent > 400_000)
        var unread = 0
        for _ in 0..<200 {
            unread += max(0, send(writer, piece, piece.count, 0))
            usleep(1000)
        }
        #expect(bytes == nil ? unread > 131_072 : unread < 65_536, "\(unread)")
    }

    /// The loop that waits at such a socket turned for ever, and answered nobody any more.
    @Test func `a listener that somebody has shut down listens again`() throws {
        // A port that is asked for is kept.
        let any = SocketAddress(host: .v4([127, 0, 0, 1]), port: 0)
        let listener = try Listener(try Listener.reserve(any))
        shutdown(listener.descriptor.number, CInt(SHUT_RDWR))
        let client = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        #expect(join(client, listener) != 0)
        let isEmpty = try listener.accept() == nil
        #expect(isEmpty)
        #expect(join(client, listener) == 0)
        let isThere = try listener.accept() != nil
        #expect(isThere)
    }

    private func join(_ client: CInt, _ listener: borrowing Listener) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = listener.address.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
