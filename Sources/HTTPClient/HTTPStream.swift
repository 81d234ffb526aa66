import Sockets
import TLS

/// A connection, with or without TLS. What the server sends is counted: it can keep a caller busy
/// with bytes that lead to nothing, such as session tickets, only for so long and so much.
struct HTTPStream: ~Copyable {
    private let connection: BlockingConnection
    private var session: TLSClientSession?
    private let bytesMax: Int
    /// The bytes that have come since the last progress.
    private var bytesCome = 0

    /// - Parameter bytesMax: how much may come, of whatever kind, until the caller notes progress.
    init(to address: SocketAddress, bytesMax: Int, by deadline: Deadline) throws(FetchFailure) {
        self.bytesMax = bytesMax
        do throws(SystemError) {
            connection = try BlockingConnection(to: address, by: deadline)
        } catch {
            throw FetchFailure(.connect, error, deadline)
        }
    }

    /// Lets as many bytes come again.
    mutating func noteProgress() { bytesCome = 0 }

    /// The bytes that come next; none at the end of the connection.
    private mutating func take(
        by deadline: Deadline, _ phase: FetchFailure.Phase
    ) throws(FetchFailure) -> [UInt8] {
        let piece: [UInt8]
        do throws(SystemError) {
            piece = try connection.receive(by: deadline)
        } catch {
            throw FetchFailure(phase, error, deadline, bytesCome: bytesCome)
        }
        bytesCome += piece.count
        guard bytesCome <= bytesMax else {
            throw FetchFailure(
                phase, .malformed, "more than \(bytesMax) bytes come, and no end of it")
        }
        return piece
    }

    /// - Returns: what is known of the server after a handshake, whose certificates may be invalid.
    mutating func secure(
        _ context: TLSClientContext, host: String, by deadline: Deadline,
        noting peer: inout TLSPeer?
    ) throws(FetchFailure) -> TLSPeer {
        var session: TLSClientSession
        do throws(OpenSSLError) {
            session = try TLSClientSession(context, host: host)
        } catch {
            throw FetchFailure(.handshake, .tls(nil), error.description)
        }
        while true {
            let step = session.shakeHands()
            let output = session.takeOutput()
            peer = session.peer
            if case .failed(let failure) = step {
                // The alert is sent for the server's log; whether it arrives changes nothing.
                try? connection.send(output, by: deadline)
                throw FetchFailure(.handshake, .tls(failure), failure.text)
            }
            try send(output, by: deadline, .handshake)
            if case .done = step { break }
            let piece = try take(by: deadline, .handshake)
            guard !piece.isEmpty else { throw FetchFailure(.handshake, .connectionReset, deadline) }
            session.receive(piece)
        }
        let found = session.peer
        self.session = consume session
        return found
    }

    mutating func send(_ bytes: [UInt8], by deadline: Deadline) throws(FetchFailure) {
        guard session != nil else { return try send(bytes, by: deadline, .send) }
        guard session?.write(bytes) == true else {
            throw FetchFailure(.send, .tls(nil), "OpenSSL cannot encrypt the request")
        }
        try send(session?.takeOutput() ?? [], by: deadline, .send)
    }

    /// Sends a request whose content comes in pieces (RFC 9112 §7.1). A server that has answered
    /// may take no more of it, which is no failure.
    /// - Throws: what `next` throws.
    mutating func sendChunks(
        after head: [UInt8], _ next: () throws(FetchFailure) -> [UInt8]?,
        by deadline: () -> Deadline
    ) throws(FetchFailure) {
        var bytes = head
        while let piece = try next() {
            guard !piece.isEmpty else { continue }
            bytes += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
            guard (try? send(bytes, by: deadline())) != nil else { return }
            bytes = []
        }
        try? send(bytes + Array("0\r\n\r\n".utf8), by: deadline())
    }

    private func send(
        _ bytes: [UInt8], by deadline: Deadline, _ phase: FetchFailure.Phase
    ) throws(FetchFailure) {
        do throws(SystemError) {
            try connection.send(bytes, by: deadline)
        } catch {
            throw FetchFailure(phase, error, deadline, bytesCome: bytesCome)
        }
    }

    /// The bytes that come next; none at the end.
    mutating func receive(
        by deadline: Deadline, _ phase: FetchFailure.Phase
    ) throws(FetchFailure) -> [UInt8] {
        while true {
            // What has come before may end with close_notify, after which nothing else comes.
            if session != nil {
                var content = [UInt8]()
                let step = session?.read(into: &content) ?? .closed
                if !content.isEmpty { return content }
                switch step {
                case .failed(let failure): throw FetchFailure(phase, .tls(failure), failure.text)
                case .closed: return []
                case .done, .needsInput: break
                }
                // Such as the refusal of another handshake.
                try send(session?.takeOutput() ?? [], by: deadline, phase)
            }
            let piece = try take(by: deadline, phase)
            guard session != nil, !piece.isEmpty else { return piece }
            session?.receive(piece)
        }
    }
}
