private import URISyntax

/// The conditions in front of a `RewriteRule`, as far as they are decided by the host, or for all
/// requests over https alike.
struct RewriteConditions {
    /// The first that has no equal.
    private(set) var untranslated: String?
    /// Whether the last condition is an alternative of the next one.
    private var goesOn = false
    /// All of these must be met, each by one of its alternatives.
    private var groups = [Group]()

    private struct Group {
        var isMet = false
        var isForPlainHTTP = false
        var isForFiles = false
        var hosts = [String]()
    }

    /// The requests for which all conditions are met.
    enum Requests: Equatable {
        case all
        case hosts([String])
        /// Those for files that are there.
        case files
        /// Only plain HTTP, which never gets to a link.
        case plainHTTP
        case none
    }

    var requests: Requests {
        var hosts: [String]?
        // An alternative of nothing is met.
        for group in groups.dropLast(goesOn ? 1 : 0) where !group.isMet {
            if group.isForFiles, group.hosts.isEmpty { return .files }
            if group.hosts.isEmpty { return group.isForPlainHTTP ? .plainHTTP : .none }
            hosts = hosts.map { $0.filter(group.hosts.contains) } ?? group.hosts
        }
        guard let hosts else { return .all }
        return hosts.isEmpty ? .none : .hosts(hosts)
    }

    /// The host of a condition that is for all others, as of a redirect to the canonical host.
    private(set) var otherHost: String?

    mutating func add(_ words: [String]) {
        let test = words.first?.uppercased() ?? ""
        let value = (words.dropFirst().first ?? "").lowercased()
        let flags = RewriteFlags(words.count > 2 ? words[2] : "")
        if !goesOn || groups.isEmpty { groups.append(Group()) }
        goesOn = flags.has("OR", "ORNEXT")
        let last = groups.count - 1
        if let isSecure = Self.isSecure(test, value) {
            groups[last].isMet = groups[last].isMet || isSecure
            groups[last].isForPlainHTTP = !isSecure
        } else if Self.files.contains(test), ["!-f", "!-d", "!-l"].contains(value) {
            // Public files come before links.
            groups[last].isMet = true
        } else if Self.files.contains(test), ["-f", "-d", "-l", "-s"].contains(value) {
            groups[last].isForFiles = true
        } else if test == "%{HTTP_HOST}" || test == "%{SERVER_NAME}", let host = Self.host(value) {
            groups[last].hosts.append(host)
        } else {
            untranslated = untranslated ?? words.prefix(2).joined(separator: " ")
            if test == "%{HTTP_HOST}", value.utf8.first == UInt8(ascii: "!") {
                otherHost = Self.host(String(value.dropFirst()))
            }
        }
    }

    private static let files: Set = [
        "%{REQUEST_FILENAME}", "%{SCRIPT_FILENAME}", "%{DOCUMENT_ROOT}%{REQUEST_URI}",
        "%{DOCUMENT_ROOT}/%{REQUEST_URI}",
    ]

    /// Whether a condition is met by https, or by plain HTTP; nil if it is about something else.
    private static func isSecure(_ test: String, _ value: String) -> Bool? {
        let isNegated = value.utf8.first == UInt8(ascii: "!")
        let word = value.utf8.filter { !"!=^$".utf8.contains($0) }
        let known: [String: [String: Bool]] = [
            "%{HTTPS}": ["on": true, "off": false],
            "%{SERVER_PORT}": ["443": true, "80": false],
            "%{REQUEST_SCHEME}": ["https": true, "http": false],
        ]
        // `http` without an end matches `https`, too.
        let isWhole = test != "%{REQUEST_SCHEME}" || value.utf8.contains { "=$".utf8.contains($0) }
        guard isWhole, let found = known[test]?[String(decoding: word, as: UTF8.self)] else {
            return nil
        }
        return found != isNegated
    }

    /// The host of a test that only this one meets.
    private static func host(_ test: String) -> String? {
        var bytes = Array(test.utf8)[...]
        if bytes.first == UInt8(ascii: "=") { return hostName(bytes.dropFirst()) }
        guard bytes.popFirst() == UInt8(ascii: "^"), bytes.popLast() == UInt8(ascii: "$") else {
            return nil
        }
        return hostName(bytes.filter { $0 != UInt8(ascii: "\\") }[...])
    }

    private static func hostName(_ bytes: ArraySlice<UInt8>) -> String? {
        (try? HostName(String(decoding: bytes, as: UTF8.self))).map { "\($0)" }
    }
}
