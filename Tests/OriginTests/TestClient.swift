import TestSupport
import Glibc

/// A plain TCP client that sends exact bytes. It gives up reading when the safety net's time is over.
final class TestClient {
    let socket: CInt

    /// - Parameter receiveBytes: how much the kernel takes that nobody has read.
    init(port: UInt16, receiveBytes: CInt? = nil) throws {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var receiveBytes {
            setsockopt(
                socket, SOL_SOCKET, SO_RCVBUF, &receiveBytes,
                socklen_t(MemoryLayout<CInt>.size))
        }
        var limit = timeval(tv_sec: safetyNetSeconds, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var one: CInt = 1
        setsockopt(
            socket, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw ClientError.notConnected(errno) }
    }

    deinit { close(socket) }

    /// Whether nothing listens at a port. Where several loops listen, a connection that falls on one
    /// that just ends is reset, and the next one may still be taken.
    static func isRefused(port: UInt16) -> Bool {
        do {
            _ = try TestClient(port: port)
            return false
        } catch ClientError.notConnected(let code) {
            return code == ECONNREFUSED
        } catch {
            return false
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(socket, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Ends what is sent. A connection that was answered ends with it; a stop of the origin waits up
    /// to three seconds for the others.
    func finishSending() { shutdown(socket, CInt(SHUT_WR)) }

    /// What came until the server closed, or nil if it never did.
    func readAll() -> String? {
        var all = [UInt8]()
        while let piece = read() {
            guard !piece.isEmpty else { return String(decoding: all, as: UTF8.self) }
            all += piece
        }
        return nil
    }

    /// One response whose length Content-Length tells; `isHead` has none.
    func readResponse(isHead: Bool = false) throws -> TestResponse {
        while true {
            if let response = TestResponse(buffer, isHead: isHead) {
                buffer.removeFirst(response.length)
                return response
            }
            guard let piece = read(), !piece.isEmpty else {
                throw ClientError.incomplete(String(decoding: buffer, as: UTF8.self))
            }
            buffer += piece
        }
    }

    /// Whether the server closes, or resets, without another byte.
    func isClosed() -> Bool { buffer.isEmpty && (read().map(\.isEmpty) ?? false) }

    private var buffer = [UInt8]()

    /// Empty at the end, nil if nothing ever came.
    private func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &bytes, bytes.count, 0)
        if count < 0 { return errno == ECONNRESET ? [] : nil }
        return Array(bytes[..<count])
    }
}

enum ClientError: Error {
    case notConnected(CInt)
    case incomplete(String)
}
