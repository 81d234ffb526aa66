import ClientAddress

/// The header of the PROXY protocol: it is there when its last byte is, and no byte earlier; what
/// follows does not matter; and whom it names is read back from headers of our own.
@Sendable func readProxyHeader(_ bytes: [UInt8]) {
    let whole = ProxyOutcome(bytes.span)
    // Each step from nothing to all: it waits, and once it has decided it stays with that.
    var decided: ProxyOutcome?
    for count in 0...bytes.count {
        let outcome = ProxyOutcome(bytes.span.extracting(..<count))
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
    let behind = ProxyOutcome((bytes + Array("PROXY TCP4 \r\n\0".utf8)).span)
    if whole != .waits { require(behind == whole, "\(whole), with more behind it \(behind)") }
    if case .header(let header) = whole {
        require(header.length <= ProxyOutcome.bytesMax, "longer than the limit: \(header)")
        if bytes[0] == UInt8(ascii: "P") {
            let line = bytes[..<header.length]
            require(line.count <= 107 && line.suffix(2) == [0x0D, 0x0A], "\(line)")
            require(line.dropLast().allSatisfy { $0 != 0x0A }, "a line end in \(line)")
        }
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
        guard case .header(let read) = ProxyOutcome(header.span) else {
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

    init(_ bytes: borrowing Span<UInt8>) {
        do {
            let header = try ProxyHeader.read(bytes, bytesMax: Self.bytesMax)
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

/// `X-Forwarded-For` and `Forwarded`: what stands left of the first stranger changes nothing, and
/// lines are one list however they are cut. A list of addresses is walked a second time, simply.
@Sendable func readForwarded(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        .map(Array.init)
    let joined = Array(lines.joined(separator: ", ".utf8))
    for field in [ForwardingField.forwardedFor, .forwarded] {
        let client = ForwardedLists.client([joined], field)
        // A quoted string ends in its line, so that one which is cut is none.
        if field == .forwardedFor || lines.allSatisfy(hasWholeStrings) {
            require(ForwardedLists.client(lines, field) == client, "\(lines) is not as when joined")
        }
        guard !ForwardedLists.trusted.contain(client) else { continue }
        for hearsay in lines + ["6.6.6.6", "for=6.6.6.6", "for=\"6.6.6.6\\", ",\""].map(utf8) {
            let longer = ForwardedLists.client([hearsay + Array(", ".utf8) + joined], field)
            require(longer == client, "\(joined) behind \(hearsay) is \(longer), not \(client)")
        }
    }
    require(
        ForwardedLists.client(lines, .forwardedFor) == ForwardedLists.simply(joined),
        "\(lines), simply")
    for line in lines {
        let isSecure = ForwardingField.forwarded.isSecure(line.span, 0..<line.count)
        let text = String(decoding: line, as: UTF8.self).lowercased()
        if let isSecure {
            require(text.contains(isSecure ? "https" : "http"), "\(text): \(isSecure)")
        }
    }
}

/// Whether the quotes of a line, but for those behind an odd number of backslashes, are pairs.
private func hasWholeStrings(_ line: [UInt8]) -> Bool {
    var (isEscaped, quotes) = (false, 0)
    for byte in line {
        if byte == UInt8(ascii: "\""), !isEscaped { quotes += 1 }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return quotes.isMultiple(of: 2)
}

private func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

private enum ForwardedLists {
    static let trusted = ["10.0.0.0/8", "2001:db8:a::/48"].compactMap { try? AddressBlock($0) }
    private static let peer = IPAddress(v4: 0x0A00_0001)

    static func client(_ lines: [[UInt8]], _ field: ForwardingField) -> IPAddress {
        var walk = ForwardedWalk(from: peer)
        for line in lines.reversed() where !walk.isOver {
            walk.walk(line.span, 0..<line.count, of: field, trusted: trusted)
        }
        return walk.client
    }

    /// Who is behind the trusted proxies of a list of addresses.
    static func simply(_ list: [UInt8]) -> IPAddress {
        var client = peer
        let elements = list.split(separator: UInt8(ascii: ",")).map(trimmed)
        for element in elements.reversed().filter({ !$0.isEmpty }).prefix(50) {
            guard trusted.contain(client), let address = address(element) else { break }
            client = address
        }
        return client
    }

    private static func trimmed(_ element: ArraySlice<UInt8>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let end = element.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        return String(decoding: end, as: UTF8.self)
    }

    private static func address(_ element: String) -> IPAddress? {
        if let address = IPAddress(element) { return address }
        let bytes = Array(element.utf8)
        let hasBrackets = bytes.first == UInt8(ascii: "[")
        guard let end = bytes.firstIndex(of: UInt8(ascii: hasBrackets ? "]" : ":")) else {
            return nil
        }
        let host = bytes[(hasBrackets ? 1 : 0)..<end]
        let rest = hasBrackets ? bytes[(end + 1)...] : bytes[end...]
        guard host.contains(UInt8(ascii: ":")) == hasBrackets,
            host.allSatisfy("0123456789ABCDEFabcdef.:".utf8.contains),
            isPort(rest) || hasBrackets && rest.isEmpty
        else { return nil }
        return IPAddress(String(decoding: host, as: UTF8.self))
    }

    /// Up to five digits, or an obfuscated name (RFC 7239 §6.3), behind a colon. No regular
    /// expression: that would be parsed anew each time, for half of the target's time.
    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: ":") else { return false }
        let port = bytes.dropFirst()
        let digits = "0123456789".utf8
        guard port.first == UInt8(ascii: "_") else {
            return (1...5).contains(port.count) && port.allSatisfy(digits.contains)
        }
        return port.count > 1
            && port.dropFirst().allSatisfy { byte in
                digits.contains(byte) || "._-".utf8.contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            }
    }
}
