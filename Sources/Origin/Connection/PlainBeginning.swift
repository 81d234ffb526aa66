import Answering
import HTTPMessages
import Memory

/// The bytes that come where a TLS handshake should begin. A client with the wrong scheme, or a
/// load balancer with the wrong protocol, sends a request in the clear, and gets an answer that
/// says so.
enum PlainBeginning {
    /// No request: TLS tells what is wrong with the bytes, if anything is.
    case handshake
    /// The beginning of a method; more must come.
    case part
    /// A method. A request that waits for more would wait in vain.
    case request(Method)
    /// Bytes that began like a method, so that TLS did not get them, and are none.
    case neither

    /// Takes received bytes into the input if they are, or may become, a request.
    /// - Parameter input: the bytes that were kept before, which may become a method.
    init(_ received: [UInt8], _ range: Range<Int>, _ input: inout ByteBuffer) {
        let isFirst = input.isEmpty
        guard !isFirst || Self.isCapital(received[range.lowerBound]) else {
            self = .handshake
            return
        }
        input.append(received, range)
        switch RequestBeginning(input.storage, 0..<input.count) {
        case .part: self = .part
        case .method(let method): self = .request(method)
        case .none where isFirst:
            input.removeAll()
            self = .handshake
        case .none: self = .neither
        }
    }

    /// Each method begins with a capital letter, and no record of TLS does.
    private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
}

extension Connection {
    /// Takes received bytes that are no handshake; nil leaves them to TLS.
    mutating func receivePlain(_ range: Range<Int>, _ loop: inout LoopParts) -> Channel.Received? {
        guard channel.awaitsHandshake else { return nil }
        switch PlainBeginning(loop.wire.received.storage, range, &loop.input.buffer) {
        case .handshake: return nil
        case .part: return .some
        case .request(let method):
            refusePlain(method, &loop)
            return .nothing
        case .neither:
            channel.failHandshake(.notTLS)
            return .nothing
        }
    }

    /// Answers in the clear, from the method on.
    private mutating func refusePlain(_ method: Method, _ loop: inout LoopParts) {
        loop.recorder.counters?.countHandshakeError(.notTLS)
        channel.dropTLS()
        isSecure = false
        var summary = RequestSummary()
        (summary.outcome, summary.fault) = (.refused, .notTLS)
        beginMalformed(at: 0, summary, &loop)
        write(loop.writer.plainRequest(isHead: method.isHead), .closes, &loop)
    }
}
