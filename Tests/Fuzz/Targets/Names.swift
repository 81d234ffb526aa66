import AccessLog

/// `traceparent` and `X-Request-ID`, each line of the text one: what is taken for one is as the
/// grammar has it, and could stand in a log as it is.
@Sendable func readNames(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init) {
        let text = String(decoding: line, as: UTF8.self)
        require(
            isRequestIdentifier(line.span) == matchesIdentifier(line), "request id: \(text)")
        let isParent = isTraceParent(line.span)
        require(isParent == matchesParent(line), "traceparent: \(text)")
        guard isParent else { continue }
        // Of version 00 no part is one, and nothing that goes on.
        require(!isTraceParent(Array(line[..<54]).span), "a part of \(text)")
        if line.starts(with: "00".utf8) {
            require(!isTraceParent((line + Array("-00".utf8)).span), "more than \(text)")
        }
    }
}

private func matchesIdentifier(_ bytes: [UInt8]) -> Bool {
    let known = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8
    return !bytes.isEmpty && bytes.count <= 128 && bytes.allSatisfy(known.contains)
}

/// version "-" trace-id "-" parent-id "-" trace-flags (W3C Trace Context §3.2.2), and what later
/// versions may add behind a hyphen.
private func matchesParent(_ bytes: [UInt8]) -> Bool {
    let parts = bytes.split(
        separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[..<4].map(\.count) == [2, 32, 16, 2],
        parts[..<4].joined().allSatisfy("0123456789abcdef".utf8.contains)
    else { return false }
    let zero = UInt8(ascii: "0")
    let version = String(decoding: parts[0], as: UTF8.self)
    return version != "ff" && (version != "00" || parts.count == 4)
        && parts[1...2].allSatisfy { part in part.contains { $0 != zero } }
}
