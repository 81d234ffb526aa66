import ClientAddress

/// The header of the PROXY protocol: it is there when its last byte is, and no byte earlier; what
/// follows does not matter; and whom it names is read back from headers of our own.
@Sendable func readProxyHeader(_ bytes: [UInt8]) {
    let whole = ProxyOutcome(bytes)
    // Each step from nothing to all: it waits, and once it has decided it stays with that.
    var decided: ProxyOutcome?
    for count in 0...bytes.count {
        let outcome = ProxyOutcome(Array(bytes[..<count]))
        if let decided {
            require(outcome == decided, "\(decided) with \(count) bytes is \(outcome)")
        } else if outcome != .waits {
            decided = outcome
            if case .header(let header) = outcome {
                require(header.length == count, "\(count) bytes, a header of \(header.length)")
            }
        }
    }
    require((decided ?? .waits) == whole, "step by step \(decided ?? .waits), whole \(whole)")
    let behind = ProxyOutcome(bytes + Array("PROXY TCP4 \r\n\0".utf8))
    if whole != .waits { require(behind == whole, "\(whole), with more behind it \(behind)") }
    if case .header(let header) = whole {
        require(header.length <= ProxyOutcome.bytesMax, "longer than the limit: \(header)")
        if let source = header.source { write(source.address, source.port) }
    }
    writeSomeAddress(bytes)
}

/// Any address, in both versions, is read back.
private func writeSomeAddress(_ bytes: [UInt8]) {
    guard bytes.count >= 18 else { return }
    let word = { (start: Int) in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let port = UInt16(bytes[16]) << 8 | UInt16(bytes[17])
    write(IPAddress(high: word(0), low: word(8)), port)
    write(IPAddress(v4: UInt32(truncatingIfNeeded: word(0))), port)
}

private func write(_ address: IPAddress, _ port: UInt16) {
    let text = ProxyOutcome.text(address, port)
    for header in [text, ProxyOutcome.binary(address, port)] {
        guard case .header(let read) = ProxyOutcome(header) else {
            return require(false, "\(header) of \(address) is not read")
        }
        require(read.length == header.count, "\(address): \(read.length) of \(header.count) bytes")
        require(
            read.source?.address == address && read.source?.port == port,
            "\(address) \(port) is read as \(read)")
    }
}

private enum ProxyOutcome: Equatable {
    case waits
    case header(ProxyHeader)
    case refused(ProxyHeaderError)

    static let bytesMax = 4096

    init(_ bytes: [UInt8]) {
        do {
            let header = try ProxyHeader.read(bytes.span, bytesMax: Self.bytesMax)
            self = header.map { .header($0) } ?? .waits
        } catch {
            self = .refused(error)
        }
    }

    /// Version 1.
    static func text(_ address: IPAddress, _ port: UInt16) -> [UInt8] {
        let (family, other) = address.isV4 ? ("TCP4", "192.0.2.1") : ("TCP6", "2001:db8::1")
        return Array("PROXY \(family) \(address) \(other) \(port) 443\r\n".utf8)
    }

    /// Version 2.
    static func binary(_ address: IPAddress, _ port: UInt16) -> [UInt8] {
        let octets = octets(of: address.high) + octets(of: address.low)
        let own = address.isV4 ? Array(octets.suffix(4)) : octets
        let body = own + own + [UInt8(port >> 8), UInt8(port & 0xFF), 0x01, 0xBB]
        return Array("\r\n\r\n\0\r\nQUIT\n".utf8)
            + [0x21, address.isV4 ? 0x11 : 0x21, 0, UInt8(body.count)] + body
    }

    private static func octets(of word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
    }
}

/// `X-Forwarded-For` and `Forwarded`: what a client wrote left of its proxy's word changes nothing,
/// and lines are one list however they are cut.
@Sendable func readForwarded(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        .map(Array.init)
    for field in [ForwardingField.forwardedFor, .forwarded] {
        let walk = ForwardedOutcome(lines, field)
        let joined = ForwardedOutcome([Array(lines.joined(separator: ", ".utf8))], field)
        require(walk.client == joined.client, "\(lines): \(walk.client), joined \(joined.client)")
        let client = Array("\(walk.client)".utf8)
        if walk.client != ForwardedOutcome.peer, field == .forwardedFor {
            let isNamed = lines.contains { line in
                line.split(separator: UInt8(ascii: ",")).contains { names(Array($0), client) }
            }
            require(isNamed, "\(walk.client) is nowhere in \(lines)")
        }
        guard walk.isOver, let last = lines.last, ForwardedOutcome([last], field).isOver else {
            continue
        }
        // Hearsay in front of a line that decides it.
        for hearsay in lines.dropLast() + [Array("for=\"6.6.6.6\\".utf8), [], [0x2C, 0x22]] {
            let longer = ForwardedOutcome([hearsay + Array(", ".utf8) + last], field)
            require(
                longer.client == ForwardedOutcome([last], field).client,
                "\(last) behind \(hearsay) is \(longer.client)")
        }
    }
    for line in lines {
        let isSecure = ForwardingField.forwarded.isSecure(line.span, 0..<line.count)
        let text = String(decoding: line, as: UTF8.self).lowercased()
        if let isSecure {
            require(text.contains(isSecure ? "https" : "http"), "\(text): \(isSecure)")
        }
    }
}

/// Whether an element is an address that is written like `client`, perhaps otherwise spelled.
private func names(_ element: [UInt8], _ client: [UInt8]) -> Bool {
    let isOuter: (UInt8) -> Bool = { [0x20, 0x09].contains($0) }
    var text = String(
        decoding: element.drop(while: isOuter).reversed().drop(while: isOuter).reversed(),
        as: UTF8.self)
    let whole = IPAddress(text).map { Array("\($0)".utf8) == client } ?? false
    if text.utf8.first == UInt8(ascii: "[") {
        text = String(text.dropFirst().prefix { $0 != "]" })
    } else if let colon = text.firstIndex(of: ":") {
        text = String(text[..<colon])
    }
    return whole || IPAddress(text).map { Array("\($0)".utf8) == client } ?? false
}

private struct ForwardedOutcome {
    let client: IPAddress
    let isOver: Bool

    static let peer = IPAddress(v4: 0x0A00_0001)
    private static let trusted = ["10.0.0.0/8", "2001:db8:a::/48"].compactMap {
        try? AddressBlock($0)
    }

    init(_ lines: [[UInt8]], _ field: ForwardingField) {
        var walk = ForwardedWalk(from: Self.peer)
        for line in lines.reversed() where !walk.isOver {
            walk.walk(line.span, 0..<line.count, of: field, trusted: Self.trusted)
        }
        (client, isOver) = (walk.client, walk.isOver)
    }
}
