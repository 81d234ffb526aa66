/// Hosts as apps declare them, in lower case: names, and wildcards such as `*.example.com`.
struct HostPatterns {
    private let patterns: Set<String>

    init(_ patterns: [String]) { self.patterns = Set(patterns.map { $0.lowercased() }) }

    /// - Parameter patterns: in lower case.
    init(lowercased patterns: Set<String>) { self.patterns = patterns }

    var isEmpty: Bool { patterns.isEmpty }

    /// Whether one of them takes all links of a host, or of a wildcard. A text that is too long for a host counts as
    /// taken.
    func take(_ host: String) -> Bool {
        let host = host.lowercased()
        guard host.utf8.count <= 255, !patterns.contains(host), !patterns.contains("*") else {
            return true
        }
        return host.utf8.indices.contains { index in
            host.utf8[index] == UInt8(ascii: ".") && patterns.contains("*\(host[index...])")
        }
    }
}
