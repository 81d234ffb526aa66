import ClientAddress
import Memory

// Each line an object (RFC 8259). Members that do not apply are left out.

extension ByteBuffer {
    mutating func appendJSONBeginning(
        _ entry: AccessEntry, _ input: [UInt8], _ notes: [UInt8], _ time: LogTime,
        _ isAnonymized: Bool
    ) {
        append("{\"ts\":\"")
        append(time.timestamp, 0..<time.timestamp.count)
        append("\",\"level\":\"info\",\"msg\":\"request\",\"request_id\":\"")
        append(notes, entry.requestIdentifier)
        if let trace = entry.traceParent {
            // 00-<32 digits>-<16 digits>-<2 digits>
            append("\",\"trace_id\":\"")
            append(input, trace.lowerBound + 3..<trace.lowerBound + 35)
            append("\",\"span_id\":\"")
            append(input, trace.lowerBound + 36..<trace.lowerBound + 52)
        }
        append("\",\"client_ip\":\"")
        append(isAnonymized ? entry.client.anonymized : entry.client)
        append("\",\"peer_ip\":\"")
        // A proxy's is nobody's home.
        let isOwn = entry.peer == entry.client
        append(isAnonymized && isOwn ? entry.peer.anonymized : entry.peer)
        if !entry.method.isEmpty {
            append("\",\"method\":\"")
            append(input, entry.method)
            append("\",\"host\":\"")
            append(jsonText: input, entry.host)
            append("\",\"path\":\"")
            append(jsonText: input, entry.path)
            append(entry.isHTTP10 ? "\",\"proto\":\"HTTP/1.0" : "\",\"proto\":\"HTTP/1.1")
        }
    }

    mutating func appendJSON(_ result: AccessResult) {
        append("\",\"status\":")
        append(decimal: result.status)
        append(",\"bytes\":")
        append(decimal: result.bytes)
        append(",\"duration_ms\":")
        append(thousandths: result.microseconds)
    }

    mutating func appendJSONEnd(
        _ entry: AccessEntry, _ input: [UInt8], _ notes: [UInt8], _ context: AccessContext
    ) {
        if let tls = entry.tls {
            append(",\"tls\":{\"version\":\"")
            append(tls.version)
            append("\",\"cipher\":\"")
            append(tls.cipher)
            append("\",\"group\":\"")
            append(tls.group)
            append(tls.isResumed ? "\",\"resumed\":true" : "\",\"resumed\":false")
            if !tls.serverName.isEmpty {
                append(",\"sni\":\"")
                append(jsonText: notes, tls.serverName)
                append(UInt8(ascii: "\""))
            }
            append(UInt8(ascii: "}"))
        }
        if let userAgent = entry.userAgent {
            append(",\"user_agent\":\"")
            append(jsonText: input, userAgent)
            append(UInt8(ascii: "\""))
        }
        if let referer = entry.referer, let host = refererHost(input, referer) {
            append(",\"referer_host\":\"")
            append(jsonText: input, host)
            append(UInt8(ascii: "\""))
        }
        append(",\"route\":\"")
        append(entry.route)
        if !entry.link.isEmpty {
            append("\",\"link\":\"")
            append(notes, entry.link)
        }
        append("\",\"outcome\":\"")
        append(entry.outcome)
        if let platform = entry.platform {
            append("\",\"platform\":\"")
            append(platform)
        }
        if let clientClass = entry.clientClass {
            append("\",\"ua_class\":\"")
            append(clientClass)
        }
        append(UInt8(ascii: "\""))
        append(context.constants, 0..<context.constants.count)
    }

    /// Milliseconds with three decimals.
    private mutating func append(thousandths microseconds: Int) {
        append(decimal: microseconds / 1000)
        let rest = microseconds % 1000
        append(UInt8(ascii: "."))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 100))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / 10 % 10))
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
    }
}

/// The host of a referring page: what stands between `//` and the next `/`, `?` or `#`, without
/// user and port; nil when the field holds no such URL (RFC 9110 §10.1.3).
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
    fileprivate var isDigit: Bool { self &- 0x30 < 10 }
    fileprivate var endsAuthority: Bool {
        self == .slash || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}
