import AccessLog
import ClientAddress
import Memory

/// A request, and the line that the log writes of it.
struct LoggedRequest {
    var method = "GET"
    var target = "/a?b=c"
    var path = "/a"
    var host = "www.example.com"
    var userAgent: [UInt8]? = Array("curl/8.11.0".utf8)
    var referer: String?
    var isReadable = true
    var client = "192.0.2.177"
    var peer: String?
    var tls = false
    var isAnonymized = false
    var traceParent: String?

    func line(_ format: AccessFormat) -> String {
        var line = AccessLine(headBytesMax: 16384)
        var input = [UInt8]()
        let entry = entry(&input)
        line.time.set(time)
        line.write(entry, Self.result, from: input, notes: Self.notes, context(format))
        return String(decoding: line.buffer.storage[..<line.buffer.count], as: UTF8.self)
    }

    /// The same line, written in two steps.
    func keptLine(_ format: AccessFormat) -> String {
        var line = AccessLine(headBytesMax: 16384)
        var input = [UInt8]()
        let entry = entry(&input)
        line.time.set(time)
        let place = line.write(entry, from: input, notes: Self.notes, context(format))
        let kept = Array(line.buffer.storage[..<line.buffer.count])
        line.write(kept, Self.result, at: place, format)
        return String(decoding: line.buffer.storage[..<line.buffer.count], as: UTF8.self)
    }

    private func context(_ format: AccessFormat) -> AccessContext {
        AccessContext(format, isAnonymized: isAnonymized, environment: "prod", generation: 3)
    }

    private func entry(_ input: inout [UInt8]) -> AccessEntry {
        func add(_ bytes: [UInt8]) -> Range<Int> {
            input += bytes
            return input.count - bytes.count..<input.count
        }
        var entry = AccessEntry()
        entry.requestIdentifier = 0..<4
        entry.client = IPAddress(client) ?? entry.client
        entry.peer = peer.flatMap { IPAddress($0) } ?? entry.client
        if isReadable {
            entry.requestLine = add(Array("\(method) \(target) HTTP/1.1".utf8))
            entry.method = add(Array(method.utf8))
            entry.path = add(Array(path.utf8))
            entry.host = add(Array(host.utf8))
            entry.userAgent = userAgent.map { add($0) }
            entry.referer = referer.map { add(Array($0.utf8)) }
            entry.traceParent = traceParent.map { add(Array($0.utf8)) }
        } else {
            entry.requestLine = add(Array(target.utf8))
        }
        if tls {
            entry.tls = .init(
                version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", group: "x25519",
                isResumed: false, serverName: 4..<Self.notes.count)
        }
        entry.route = "aasa"
        entry.outcome = "aasa"
        return entry
    }

    /// 2026-11-21T12:32:01.045Z
    private var time: Int { 1_795_264_321_045_678 }
    private static let notes = Array("1d-4www.example.com".utf8)
    private static let result = AccessResult(status: 200, bytes: 374, microseconds: 1_203)
}
