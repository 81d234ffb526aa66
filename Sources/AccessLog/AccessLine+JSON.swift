import ClientAddress
import Memory
import URISyntax

// Each line an object (RFC 8259). Members that do not apply are left out.

extension AccessLine {
    mutating func writeJSONBeginning(_ entry: AccessEntry, _ input: [UInt8]) {
        text.append("{\"ts\":\"")
        text.append(time.timestamp, 0..<LogTime.timestampCount)
        text.append("\",\"level\":\"info\",\"msg\":\"request\",\"request_id\":\"")
        text.append(notes, entry.identifier)
        if let trace = entry.traceParent {
            // 00-<32 digits>-<16 digits>-<2 digits>
            text.append("\",\"trace_id\":\"")
            text.append(input, trace.lowerBound + 3..<trace.lowerBound + 35)
            text.append("\",\"span_id\":\"")
            text.append(input, trace.lowerBound + 36..<trace.lowerBound + 52)
        }
        text.append("\",\"client_ip\":\"")
        let start = text.count
        text.append(context.isAnonymized ? entry.client.anonymized : entry.client)
        let address = start..<text.count
        text.append("\",\"peer_ip\":\"")
        if entry.peer == entry.client {
            text.repeatBytes(address)
        } else {
            // The peer is a proxy here, so its address is not personal data and is not anonymized.
            text.append(entry.peer)
        }
        guard !entry.method.isEmpty else { return }
        text.append("\",\"method\":\"")
        text.append(input, entry.method)
        text.append("\",\"host\":\"")
        text.append(jsonText: input, entry.host)
        text.append("\",\"path\":\"")
        text.append(jsonText: input, entry.path)
        text.append(entry.isHTTP10 ? "\",\"proto\":\"HTTP/1.0" : "\",\"proto\":\"HTTP/1.1")
    }

    mutating func writeJSON(_ result: AccessResult, aborted: StaticString? = nil) {
        text.append("\",\"status\":")
        text.append(decimal: result.status)
        text.append(",\"bytes\":")
        text.append(decimal: result.bytes)
        text.append(",\"duration_ms\":")
        text.append(thousandths: result.microseconds)
        text.append(",\"outcome\":\"")
        text.append(result.outcome)
        if let aborted {
            text.append("\",\"aborted\":\"")
            text.append(aborted)
        }
        text.append(UInt8(ascii: "\""))
    }

    mutating func writeJSONEnd(_ entry: AccessEntry, _ input: [UInt8]) {
        text.append(handshakes.bytes, entry.handshake.range)
        if let userAgent = entry.userAgent {
            text.append(",\"user_agent\":\"")
            text.append(jsonText: input, userAgent)
            text.append(UInt8(ascii: "\""))
        }
        if let referer = entry.referer, let host = refererHost(input, referer) {
            text.append(",\"referer_host\":\"")
            text.append(jsonText: input, host)
            text.append(UInt8(ascii: "\""))
        }
        writeJSONCampaigns(entry, input)
        if let fault = entry.fault {
            text.append(",\"fault\":\"")
            text.append(fault)
            text.append(UInt8(ascii: "\""))
        }
        text.append(",\"route\":\"")
        text.append(entry.route)
        if !entry.link.isEmpty {
            text.append("\",\"link\":\"")
            text.append(notes, entry.link)
        }
        if let platform = entry.platform {
            text.append("\",\"platform\":\"")
            text.append(platform)
        }
        if let clientClass = entry.clientClass {
            text.append("\",\"ua_class\":\"")
            text.append(clientClass)
        }
        if let site = entry.site, site < context.sites.count {
            text.append("\",\"site\":\"")
            text.append(context.siteNames, context.sites[site])
        }
        text.append(context.constants, 0..<context.constants.count)
    }

    mutating func writeJSON(_ tls: HandshakeFacts, _ serverName: Range<Int>) {
        text.append(",\"tls\":{\"version\":\"")
        text.append(tls.version)
        text.append("\",\"cipher\":\"")
        text.append(tls.cipher)
        text.append("\",\"group\":\"")
        text.append(tls.group)
        text.append(tls.isResumed ? "\",\"resumed\":true" : "\",\"resumed\":false")
        if !serverName.isEmpty {
            text.append(",\"sni\":\"")
            text.append(jsonText: notes, serverName)
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: "}"))
    }
}

extension TextBuffer {
    /// Milliseconds with three decimals.
    fileprivate mutating func append(thousandths microseconds: Int) {
        append(decimal: microseconds / 1000)
        let rest = microseconds % 1000
        append(UInt8(ascii: "."))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10 % 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
    }
}

/// The host of a referring URL: the text between `//` and the next `/`, `?` or `#`, without user
/// information and port; nil if the field contains no such URL (RFC 9110 §10.1.3).
private func refererHost(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var index = range.lowerBound
    while index + 1 < range.upperBound, bytes[index] != .slash { index += 1 }
    guard index + 1 < range.upperBound, bytes[index + 1] == .slash, index > range.lowerBound,
        bytes[index - 1] == .colon
    else { return nil }
    var start = index + 2
    var end = start
    while end < range.upperBound, !bytes[end].endsAuthority {
        if bytes[end] == UInt8(ascii: "@") { start = end + 1 }
        end += 1
    }
    var last = end
    while last > start, bytes[last - 1].isDigit { last -= 1 }
    if last > start, bytes[last - 1] == .colon { end = last - 1 }
    return start < end ? start..<end : nil
}

extension UInt8 {
    fileprivate static var slash: UInt8 { 0x2F }
    fileprivate static var colon: UInt8 { 0x3A }
}
