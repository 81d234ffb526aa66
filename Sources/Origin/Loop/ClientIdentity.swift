import AccessLog
import Answering
import ClientAddress
import HTTPMessages
import Memory
import Resolution
import SiteConfiguration
import Snapshots

// The client's address and the request id: those that a trusted proxy sends are believed.

extension LoopParts {
    /// Begins the record of a request: finds out the client's address and the request id, as far as
    /// they will be logged or sent.
    /// - Parameters:
    ///   - sender: the peer's address, or the one that the PROXY protocol names.
    ///   - isSecure: whether the peer's connection speaks TLS.
    /// - Returns: whether the client's does.
    @inline(__always)
    mutating func identify(_ head: RequestHead, from sender: IPAddress, isSecure: Bool) -> Bool {
        request.begin(head, from: sender)
        if recorder.writesDetails { noteDetails() }
        if !turn.settings.proxies.trusted.isEmpty, turn.settings.proxies.trusted.contain(sender) {
            return identify(behind: sender, isSecure: isSecure)
        }
        if !isSecure, input.reader.fields.contains(.forwardedProto) {
            noteSchemeNotBelieved(of: sender)
        }
        return isSecure
    }

    /// Makes a request id, and finds the identifier of a trace.
    @inline(never)
    private mutating func noteDetails() {
        request.identifier = recorder.makeIdentifier()
        if let trace = input.reader.fields.only(.traceParent),
            isTraceParent(input.buffer.storage.span.extracting(trace))
        {
            request.traceParent = trace
        }
    }

    /// Identifies a request that a trusted proxy sends.
    /// - Returns: whether the client's connection speaks TLS.
    @inline(never)
    private mutating func identify(behind sender: IPAddress, isSecure: Bool) -> Bool {
        request.isByProxy = true
        if let given = input.reader.fields.only(.requestIdentifier),
            isRequestIdentifier(input.buffer.storage.span.extracting(given))
        {
            request.identifier = recorder.takeIdentifier(input.buffer.storage, given)
        } else if recorder.writesLines, !recorder.writesDetails {
            request.identifier = recorder.makeIdentifier()
        }
        sendIdentifier()
        switch turn.settings.proxies.header {
        case nil:
            if !isSecure { noteSchemeNotBelieved(of: sender) }
            return isSecure
        case .forwardedFor:
            request.client = client(behind: sender, .forwardedFor, .forwardedFor)
            if let said = clientIsSecure(by: .forwardedFor, .forwardedProto) { return said }
            if !isSecure { noteScheme(.noScheme("X-Forwarded-Proto"), of: sender) }
            return isSecure
        case .forwarded:
            request.client = client(behind: sender, .forwarded, .forwarded)
            if let said = clientIsSecure(by: .forwarded, .forwarded) { return said }
            if !isSecure { noteScheme(.noScheme("Forwarded"), of: sender) }
            return isSecure
        }
    }

    /// Notes that a request over plain HTTP says that its client came by https.
    @inline(never)
    private mutating func noteSchemeNotBelieved(of sender: IPAddress) {
        if clientIsSecure(by: .forwardedFor, .forwardedProto) == true {
            noteScheme(.untrustedScheme, of: sender)
        }
    }

    @inline(never)
    private func noteScheme(_ fault: PeerFault, of sender: IPAddress) {
        recorder.counters?.countWithoutScheme()
        gate.report(fault, from: sender, turn)
    }

    /// Lets the response carry the request id (X-Request-ID). Only trusted proxies get it, so that
    /// everybody else gets the bytes that `explain` shows.
    mutating func sendIdentifier() {
        writer.setRequestIdentifier(recorder.identifier(request.identifier))
    }

    /// Notes the link that a request was for.
    /// - Returns: whether the client guesses slugs.
    @inline(__always)
    mutating func noteLink() -> Bool {
        guard let link = request.summary.link else { return false }
        if recorder.writesDetails {
            let isFound =
                request.summary.stored > 0 && request.summary.stored < RequestSummary.missed
            request.link = recorder.note(
                link: responder.links[link].key, slug: isFound ? responder.storedSlug : [])
        }
        return request.summary.isMiss ? noteMiss() : false
    }

    /// Nothing tells an unknown slug from a disabled one, or one that is not there yet.
    @inline(never)
    private mutating func noteMiss() -> Bool {
        guard let path = request.head?.path else { return false }
        let slug = keyedHash(request.summary.collection, input.buffer.storage.span.extracting(path))
        return noteMiss(of: request.client, slug: slug)
    }

    /// Notes that a client has asked for a slug of this hash in vain.
    /// - Returns: whether its network has asked for too many.
    mutating func noteMiss(of client: IPAddress, slug: UInt64) -> Bool {
        let network = client.network(v6Bits: turn.settings.limits.prefixBits)
        guard guesses.note(network, slug: slug, at: turn.milliseconds) else { return false }
        recorder.counters?.countGuess()
        gate.report(.guesses, from: client, turn)
        return true
    }

    private mutating func client(
        behind sender: IPAddress, _ field: ForwardingField, _ name: FieldName
    ) -> IPAddress {
        var walk = ForwardedWalk(from: sender)
        var index = input.reader.fields.count
        while !walk.isOver, let line = input.reader.fields.last(name, before: index) {
            walk.walk(
                input.buffer.storage.span, input.reader.fields.value(at: line), of: field,
                trusted: turn.settings.proxies.trusted)
            index = line
        }
        if let fault = walk.fault {
            let value = Array(input.buffer.storage[fault.prefix(reportedBytesMax)])
            gate.report(.field(field.name, holds: value), from: sender, turn)
        }
        return walk.client
    }

    private func clientIsSecure(by field: ForwardingField, _ name: FieldName) -> Bool? {
        let fields = input.reader.fields.count
        guard let line = input.reader.fields.last(name, before: fields) else { return nil }
        return field.isSecure(input.buffer.storage.span, input.reader.fields.value(at: line))
    }
}

/// The number of bytes of a field without an address that are reported.
private let reportedBytesMax = 64
