import AccessLog
import ClientAddress
import HTTPMessages
import Memory
import SiteConfiguration

// The client's address and the request id: those that a trusted proxy sends are believed.

extension LoopContext {
    /// Notes the client's address and the request id, as far as they will be logged or sent.
    /// - Parameters:
    ///   - sender: the peer's address, or the one that the PROXY protocol names.
    ///   - isSecure: whether the peer's connection speaks TLS.
    /// - Returns: whether the client's does.
    mutating func noteSender(_ sender: IPAddress, isSecure: Bool) -> Bool {
        log.exchange.client = sender
        if log.isDetailed { log.exchange.identifier = log.line.noteIdentifier() }
        if let trace = reader.fields.only(.traceParent),
            isTraceParent(input.storage.span.extracting(trace))
        {
            log.exchange.traceParent = trace
        }
        guard !proxies.trusted.isEmpty, proxies.trusted.contain(sender) else { return isSecure }
        if let given = reader.fields.only(.requestIdentifier),
            isRequestIdentifier(input.storage.span.extracting(given))
        {
            log.exchange.identifier = log.line.noteIdentifier(input.storage, given)
        } else if log.isOn, !log.isDetailed {
            log.exchange.identifier = log.line.noteIdentifier()
        }
        log.exchange.saysIdentifier = !log.exchange.identifier.isEmpty
        switch proxies.header {
        case nil: return isSecure
        case .forwardedFor:
            log.exchange.client = client(behind: sender, .forwardedFor, .forwardedFor)
            return isSaidSecure(.forwardedFor, .forwardedProto) ?? isSecure
        case .forwarded:
            log.exchange.client = client(behind: sender, .forwarded, .forwarded)
            return isSaidSecure(.forwarded, .forwarded) ?? isSecure
        }
    }

    /// Restores the request id of a request whose answer was delayed, as others may have been
    /// answered meanwhile.
    /// - Parameter identifier: nil where the response does not carry it.
    mutating func recall(_ identifier: [UInt8]?) {
        guard let identifier else {
            log.exchange.saysIdentifier = false
            return
        }
        log.exchange.identifier = log.line.noteIdentifier(identifier, 0..<identifier.count)
        log.exchange.saysIdentifier = true
    }

    private mutating func client(
        behind sender: IPAddress, _ field: ForwardingField, _ name: FieldName
    ) -> IPAddress {
        var walk = ForwardedWalk(from: sender)
        var index = reader.fields.count
        while !walk.isOver, let line = reader.fields.last(name, before: index) {
            walk.walk(
                input.storage.span, reader.fields.value(at: line), of: field,
                trusted: proxies.trusted)
            index = line
        }
        if let fault = walk.fault {
            let value = Array(input.storage[fault.prefix(toldBytesMax)])
            note(.field(field.name, holds: value), from: sender)
        }
        return walk.client
    }

    private func isSaidSecure(_ field: ForwardingField, _ name: FieldName) -> Bool? {
        guard let line = reader.fields.last(name, before: reader.fields.count) else { return nil }
        return field.isSecure(input.storage.span, reader.fields.value(at: line))
    }
}

/// How many bytes of a field without an address are reported.
private let toldBytesMax = 64
