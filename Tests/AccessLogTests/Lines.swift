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
    /// The names of several sites, and the index of the one that answers.
    var sites = [String]()
    /// The campaign parameters that are logged.
    var campaigns = [String]()
    var site: Int? = 0

    func line(_ format: AccessFormat) -> String {
        var line = makeLine(format)
        var input = [UInt8]()
        let entry = entry(&input, &line)
        line.write(entry, Self.result, from: input, at: time)
        return String(decoding: line.text.array, as: UTF8.self)
    }

    /// The same line, written in two steps.
    func keptLine(_ format: AccessFormat) -> String {
        var line = makeLine(format)
        var input = [UInt8]()
        let entry = entry(&input, &line)
        let kept = line.keep(entry, from: input, at: time)
        line.write(kept, Self.result)
        return String(decoding: line.text.array, as: UTF8.self)
    }

    /// The line as it is when its answer was not taken whole, written once and taken back.
    func abortedLine(_ format: AccessFormat) -> String {
        var line = makeLine(format)
        var input = [UInt8]()
        let entry = entry(&input, &line)
        line.write(entry, Self.result, from: input, at: time)
        let kept = KeptLine(
            written: line.text.array, result: line.resultRange, format: format)
        var result = Self.result
        result.bytes = 5
        line.write(kept, result, aborted: "reset")
        return String(decoding: line.text.array, as: UTF8.self)
    }

    private func makeLine(_ format: AccessFormat) -> AccessLine {
        AccessLine(
            headBytesMax: 16384, random: .init(repeating: 0x1D, count: 16),
            context: AccessContext(
                format, isAnonymized: isAnonymized, environment: "prod", generation: 3,
                sites: sites,
                campaigns: campaigns))
    }

    private func entry(_ input: inout [UInt8], _ line: inout AccessLine) -> AccessEntry {
        func add(_ bytes: [UInt8]) -> Range<Int> {
            input += bytes
            return input.count - bytes.count..<input.count
        }
        var entry = AccessEntry()
        entry.identifier = line.noteIdentifier()
        entry.client = IPAddress(client) ?? entry.client
        entry.peer = peer.flatMap { IPAddress($0) } ?? entry.client
        if isReadable {
            entry.requestLine = add(Array("\(method) \(target) HTTP/1.1".utf8))
            entry.method = add(Array(method.utf8))
            entry.path = add(Array(path.utf8))
            let query = target.utf8.drop { $0 != UInt8(ascii: "?") }
            entry.target = entry.path.lowerBound..<add(Array(query)).upperBound
            entry.host = add(Array(host.utf8))
            entry.userAgent = userAgent.map { add($0) }
            entry.referer = referer.map { add(Array($0.utf8)) }
            entry.traceParent = traceParent.map { add(Array($0.utf8)) }
        } else {
            entry.requestLine = add(Array(target.utf8))
        }
        if tls {
            let facts = HandshakeFacts(
                version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", group: "x25519",
                isResumed: false)
            entry.handshake = line.noteHandshake(facts) { notes, position in
                notes.replaceSubrange(position.prefix(15), with: "www.example.com".utf8)
                return 15
            }
        }
        entry.route = "aasa"
        entry.site = site
        return entry
    }

    /// 2026-11-21T12:32:01.045Z
    private var time: Int { 1_795_264_321_045_678 }
    private static let result = AccessResult(
        status: 200, bytes: 374, microseconds: 1_203, outcome: "aasa")
}
