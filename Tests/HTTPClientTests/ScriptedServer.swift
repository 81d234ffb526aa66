import COpenSSL
import Glibc
import HTTPClient
import Sockets
import Synchronization
import TLS
import Testing

/// A server on loopback that answers each connection by a script, on a thread of its own. Scripts
/// that never end by themselves end with the connection.
final class ScriptedServer: Sendable {
    let address: SocketAddress
    private let listener: CInt
    private let hasEnded: Wakeup

    /// - Parameter script: what to do with the descriptor of a connection, which is closed after it.
    init(_ script: @escaping @Sendable (CInt) -> Void) throws {
        hasEnded = try Wakeup()
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = listener
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, size) == 0 && listen(number, 16) == 0
                    && getsockname(number, $0, &size) == 0
            }
        }
        guard isBound else { throw Unusable() }
        address = SocketAddress(
            host: .v4([127, 0, 0, 1]), port: UInt16(bigEndian: name.sin_port))
        try startThread(name: "scripted") { [hasEnded] in
            defer { hasEnded.wake() }
            while case let connection = accept(number, nil, nil), connection >= 0 {
                script(connection)
                close(connection)
            }
        }
    }

    deinit {
        shutdown(listener, CInt(SHUT_RDWR))
        // OpenSSL is not to be used any more when the process ends.
        hasEnded.wait()
        close(listener)
    }

    struct Unusable: Error {}
}

/// Sends all bytes; false if the connection is gone.
@discardableResult
func sendAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var sent = 0
    while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
    }
    return true
}

/// Sends the same bytes again and again, until the connection is gone.
func sendForever(_ bytes: [UInt8], to descriptor: CInt) {
    while sendAll(bytes, to: descriptor) {}
}

/// Reads a request, as far as the end of its head or another one.
@discardableResult
func readRequest(_ descriptor: CInt, to end: String = "\r\n\r\n") -> String {
    var bytes = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 4_096)
    while !bytes.suffix(end.utf8.count).elementsEqual(Array(end.utf8)) {
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { break }
        bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A server's side of TLS with OpenSSL itself, which can do what our own server does not.
final class TLSScript: Sendable {
    /// Makes a connection of a descriptor, after whose handshake the script goes on.
    typealias Script = @Sendable (_ session: OpaquePointer) -> Void

    let authority: [UInt8]
    private let context: UInt

    /// - Parameter isTLS12: whether no later version is supported.
    init(host: String, isTLS12: Bool = false) throws {
        let authority = try DevelopmentAuthority(now: Clock.unixSeconds)
        self.authority = try authority.certificatePEM()
        let (chain, key) = try authority.issue(for: [host], now: Clock.unixSeconds)
        let context = SSL_CTX_new(TLS_server_method())
        if isTLS12 { _ = waymark_SSL_CTX_set_protocols(context, TLS1_2_VERSION, TLS1_2_VERSION) }
        let certificate = Self.reading(chain) { PEM_read_bio_X509($0, nil, nil, nil) }
        let secret = Self.reading(key) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
        defer {
            X509_free(certificate)
            EVP_PKEY_free(secret)
        }
        guard SSL_CTX_use_certificate(context, certificate) == 1,
            SSL_CTX_use_PrivateKey(context, secret) == 1
        else { throw ScriptedServer.Unusable() }
        self.context = UInt(bitPattern: context)
    }

    deinit { SSL_CTX_free(OpaquePointer(bitPattern: context)) }

    private static func reading(
        _ text: [UInt8], _ read: (OpaquePointer?) -> OpaquePointer?
    ) -> OpaquePointer? {
        let bio = BIO_new_mem_buf(text, CInt(text.count))
        defer { BIO_free(bio) }
        return read(bio)
    }

    /// Shakes hands on a connection, reads a request, and follows the script.
    func serve(_ descriptor: CInt, readingRequest: Bool = true, _ script: Script) {
        guard let session = SSL_new(OpaquePointer(bitPattern: context)) else { return }
        defer { SSL_free(session) }
        SSL_set_fd(session, descriptor)
        guard SSL_accept(session) == 1 else { return }
        var request = [UInt8](repeating: 0, count: 4_096)
        if readingRequest, SSL_read(session, &request, CInt(request.count)) <= 0 { return }
        script(session)
    }

    /// Takes a step again and again, until it fails or the connection is gone.
    static func repeatForever(_ session: OpaquePointer, _ step: () -> Bool) {
        var state = pollfd(fd: SSL_get_fd(session), events: 0, revents: 0)
        while step(), poll(&state, 1, 0) == 0 {}
    }

    /// Sends content in a record of its own; false if the connection is gone.
    static func send(_ text: String, over session: OpaquePointer) -> Bool {
        let bytes = Array(text.utf8)
        return SSL_write(session, bytes, CInt(bytes.count)) == bytes.count
    }
}

/// Lets a client connect to a server by the name `a.example`.
func client(of server: ScriptedServer, trusting authority: [UInt8]? = nil) throws -> HTTPClient {
    let overrides = [443, 80].map {
        AddressOverride(host: "a.example", port: $0, address: server.address)
    }
    guard let authority else { return HTTPClient(plainTo: overrides) }
    return try HTTPClient(authorities: .pem(authority), overrides: overrides)
}
