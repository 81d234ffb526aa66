import HTTPMessages
import Memory
import Sockets
import TLS

// Plain HTTP where TLS should begin: whoever tries a port with curl, or a balancer with the wrong
// protocol, is told so.

extension Connection {
    /// Takes what is a request, or may become one, where a handshake should begin; nil leaves
    /// anything else to TLS. What was kept before is in the context's input.
    mutating func takePlain(_ range: Range<Int>, _ context: inout LoopContext) -> Received? {
        let first = context.received.storage[range.lowerBound]
        guard !context.input.isEmpty || isCapital(first), tls?.hasBegun == false else { return nil }
        let isFirst = context.input.isEmpty
        context.input.append(context.received.storage, range)
        switch RequestBeginning(context.input.storage, 0..<context.input.count) {
        case .part: return .some
        case .method(let method):
            refusePlain(method, &context)
            return .nothing
        case .none where isFirst:
            context.input.removeAll()
            return nil
        case .none:
            (handshakeError, phase) = (.notTLS, .closed)
            return .nothing
        }
    }

    /// Answers in the clear, from the method on: a request that waits for more would wait in vain.
    private mutating func refusePlain(_ method: Method, _ context: inout LoopContext) {
        context.counters?.countHandshakeError(.notTLS)
        tls = nil
        isSecure = false
        beginExchange(nil, at: 0, &context)
        (context.log.exchange.outcome, context.log.exchange.fault) = (.refused, .notTLS)
        let answer = context.statuses.plainRequest
        write(.prepared(answer.head, body: method.isHead ? nil : answer.body), .closes, &context)
    }
}

/// Each method begins with one, and no record of TLS does.
private func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
