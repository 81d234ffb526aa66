import Sockets
import TLS

/// A connection, with or without TLS.
struct HTTPStream: ~Copyable {
    private let connection: BlockingConnection
    private var session: TLSClientSession?

    init(to address: SocketAddress, by deadline: Deadline) throws(FetchFailure) {
        do throws(SystemError) {
            connection = try BlockingConnection(to: address, by: deadline)
        } catch {
            throw FetchFailure(.connect, error)
        }
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
            do throws(SystemError) {
                if !output.isEmpty { try connection.send(output, by: deadline) }
                if case .done = step { break }
                let piece = try connection.receive(by: deadline)
                guard !piece.isEmpty else { throw SystemError.connectionReset }
                session.receive(piece)
            } catch {
                throw FetchFailure(.handshake, error)
            }
        }
        let found = session.peer
        self.session = consume session
        return found
    }

    mutating func send(_ bytes: [UInt8], by deadline: Deadline) throws(FetchFailure) {
        var bytes = bytes
        if session != nil {
            guard session?.write(bytes) == true else {
                throw FetchFailure(.send, .tls(nil), "OpenSSL cannot encrypt the request")
            }
            bytes = session?.takeOutput() ?? []
        }
        do throws(SystemError) {
            try connection.send(bytes, by: deadline)
        } catch {
            throw FetchFailure(.send, error)
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
            }
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try connection.receive(by: deadline)
            } catch {
                throw FetchFailure(phase, error)
            }
            guard session != nil, !piece.isEmpty else { return piece }
            session?.receive(piece)
        }
    }
}
