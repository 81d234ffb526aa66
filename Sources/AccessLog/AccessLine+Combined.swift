import ClientAddress
import Memory

// nginx's "combined", byte for byte what nginx writes for the same request and answer:
//
//     $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent
//     "$http_referer" "$http_user_agent"
//
// in one line, times in UTC.

extension ByteBuffer {
    mutating func appendCombinedBeginning(
        _ entry: AccessEntry, _ input: [UInt8], _ time: LogTime, _ isAnonymized: Bool
    ) {
        append(isAnonymized ? entry.client.anonymized : entry.client)
        append(" - - [")
        append(time.local, 0..<time.local.count)
        append("] \"")
        if entry.requestLine.isEmpty {
            append(UInt8(ascii: "-"))
        } else {
            append(logText: input, entry.requestLine)
        }
        append("\" ")
    }

    mutating func appendCombined(_ result: AccessResult) {
        append(decimal: result.status)
        append(UInt8(ascii: " "))
        append(decimal: result.bytes)
    }

    mutating func appendCombinedEnd(_ entry: AccessEntry, _ input: [UInt8]) {
        append(" \"")
        append(field: entry.referer, input)
        append("\" \"")
        append(field: entry.userAgent, input)
        append("\"\n")
    }

    /// A field that was not sent is a hyphen; one without a value is nothing.
    private mutating func append(field: Range<Int>?, _ input: [UInt8]) {
        guard let field else { return append(UInt8(ascii: "-")) }
        append(logText: input, field)
    }
}
