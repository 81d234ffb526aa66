private import Diagnostics
internal import Sockets
internal import URISyntax

/// The place of a database, and the way to it: `postgresql://USER@HOST:PORT,HOST/DATABASE?sslmode=…`.
///
/// It is read more strictly than the library reads it, which takes what is left out from the environment, and
/// goes on without protection where a server offers none.
package struct PostgreSQLLocation: Equatable, Sendable, CustomStringConvertible {
    /// The servers, of which one is the primary.
    package let hosts: [Host]
    /// Without a password, which stands in a file.
    package let login: PostgreSQLLogin

    /// A server: of one name or address, or a Unix socket in a directory.
    package struct Host: Hashable, Sendable, CustomStringConvertible {
        package let name: String
        package let port: Int

        package var isSocket: Bool { name.utf8.first == UInt8(ascii: "/") }

        package var description: String {
            if isSocket { return "\(name)/.s.PGSQL.\(port)" }
            return name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(port)" : "\(name):\(port)"
        }

        /// Its address, if that is its name.
        var address: SocketAddress.Host? {
            let isV6 = name.utf8.contains(UInt8(ascii: ":"))
            return SocketAddress(isV6 ? "[\(name)]:0" : "\(name):0")?.host
        }

        /// Whether what is sent to it stays on this machine.
        var isHere: Bool { isSocket || address?.isLoopback == true }
    }

    /// The fault of a location, and what to write instead. It quotes no part of the location in which
    /// a password could stand.
    package struct Fault: Error, Hashable, Sendable {
        package let fact: String
        package let advice: String

        init(_ fact: String, advice: String) { (self.fact, self.advice) = (fact, advice) }
    }

    /// The servers and the database, for people.
    package var description: String {
        hosts.map(\.description).joined(separator: ",") + "/\(login.database)"
    }

    /// Whether a text is meant as one.
    package static func isMeant(by text: String) -> Bool {
        schemes.contains { text.utf8.starts(with: $0.utf8.dropLast(Self.slashes)) }
    }

    private static let schemes = ["postgresql://", "postgres://"]
    /// Without the slashes, no file is meant either.
    private static let slashes = 2
    package static let bytesMax = 2_048
    package static let hostsMax = 8

    package init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax else {
            throw Fault(
                "the URL of the database has \(bytes.count) bytes, may have \(Self.bytesMax)",
                advice: "shorten it")
        }
        guard let scheme = Self.schemes.first(where: { bytes.starts(with: $0.utf8) }) else {
            throw Fault("this is no URL of a database", advice: Self.form)
        }
        guard bytes.allSatisfy({ $0.isURLCharacter && $0 != UInt8(ascii: "#") }) else {
            throw Fault(
                "the URL of the database has a character that URLs do not have",
                advice: "write it as an escape, such as %20 for a space")
        }
        guard !hasMalformedEscape(bytes) else {
            throw Fault(
                "a percent sign in the URL of the database begins no escape",
                advice: "write %25 for a percent sign")
        }
        let parts = Parts(bytes[scheme.utf8.count...])
        // Of a password with a slash or a question mark, the rest would be taken for something else, and quoted.
        guard
            ![parts.path, parts.query].contains(where: { $0?.contains(UInt8(ascii: "@")) == true })
        else {
            throw Fault(
                "the URL of the database has an @ behind its hosts",
                advice:
                    "write %40 for it; a password belongs into the file that `store-password` names"
            )
        }
        let options = try PostgreSQLOptions(parts.query)
        hosts = try Self.hosts(parts.authority, options)
        var login = PostgreSQLLogin(
            database: try Self.name(parts.path, "database"),
            user: try Self.name(parts.user, "user"))
        login.protection = try options.protection(isHere: hosts.allSatisfy(\.isHere))
        self.login = login
    }

    private static let form = "write postgresql://USER@HOST/DATABASE"

    // MARK: Parts

    /// The parts of a location, with their escapes.
    private struct Parts {
        var user: ArraySlice<UInt8>?
        var authority: ArraySlice<UInt8>
        var path: ArraySlice<UInt8>?
        var query: ArraySlice<UInt8>?

        init(_ rest: ArraySlice<UInt8>) {
            var rest = rest
            if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
                query = rest[(mark + 1)...]
                rest = rest[..<mark]
            }
            if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
                path = rest[(slash + 1)...]
                rest = rest[..<slash]
            }
            if let sign = rest.lastIndex(of: UInt8(ascii: "@")) {
                user = rest[..<sign]
                rest = rest[(sign + 1)...]
            }
            authority = rest
        }
    }

    /// The name of a user or a database.
    private static func name(_ bytes: ArraySlice<UInt8>?, _ what: String) throws(Fault) -> String {
        guard let bytes, !bytes.isEmpty else {
            throw Fault("the URL of the database names no \(what)", advice: form)
        }
        guard what != "user" || !bytes.contains(UInt8(ascii: ":")) else {
            throw Fault(
                "the URL of the database has a password",
                advice: "write it into a file that `store-password` names, and take it out here")
        }
        guard !bytes.contains(UInt8(ascii: "/")) else {
            throw Fault("the name of the \(what) has a slash", advice: form)
        }
        let name = percentDecoded(bytes)
        // Longer ones are cut by the server, and bytes that are not UTF-8 were replaced.
        guard name.utf8.count <= nameBytesMax, !hasControl(name) else {
            throw Fault(
                "the name of the \(what) is no name of PostgreSQL",
                advice: "a name has at most \(nameBytesMax) bytes, and no control characters")
        }
        return name
    }

    private static let nameBytesMax = 63

    static func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\u{FFFD}" }
    }

    private static func hosts(
        _ authority: ArraySlice<UInt8>, _ options: PostgreSQLOptions
    ) throws(Fault) -> [Host] {
        if let directory = options["host"] {
            guard authority.isEmpty else {
                throw Fault(
                    "the URL of the database names hosts twice",
                    advice:
                        "write `host` for the directory of a Unix socket, and no other host; with "
                        + "another port than 5432, @%2Frun%2Fpostgresql:PORT in place of `host`")
            }
            return [try socket(directory, port: nil)]
        }
        let all = authority.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard all.count <= hostsMax else {
            throw Fault(
                "the URL of the database has \(all.count) hosts, may have \(hostsMax)",
                advice: "name those that can be the primary")
        }
        var hosts = [Host]()
        for part in all {
            let next = try host(part)
            guard !hosts.contains(next) else {
                throw Fault(
                    "\(next) stands twice in the URL of the database", advice: "name it once")
            }
            hosts.append(next)
        }
        return hosts
    }

    private static func host(_ part: ArraySlice<UInt8>) throws(Fault) -> Host {
        var (name, port) = (part, ArraySlice<UInt8>?.none)
        let bracket = part.lastIndex(of: UInt8(ascii: "]"))
        if let colon = part.lastIndex(of: UInt8(ascii: ":")), colon > bracket ?? -1 {
            (name, port) = (part[..<colon], part[(colon + 1)...])
        }
        let text = percentDecoded(name)
        if text.utf8.first == UInt8(ascii: "/") { return try socket(text, port: port) }
        let number = try self.port(port)
        if let bracket, name.first == UInt8(ascii: "["),
            bracket == name.index(before: name.endIndex)
        {
            let host = Host(
                name: String(decoding: name.dropFirst().dropLast(), as: UTF8.self), port: number)
            if case .v6 = host.address { return host }
        } else if (1...HostName.bytesMax).contains(name.count), name.allSatisfy(\.isOfHost) {
            return Host(name: text, port: number)
        }
        throw Fault(
            name.isEmpty
                ? "the URL of the database names no host" : "\(quoted(text)) is no host",
            advice: "write a name, an address, an IPv6 address in brackets, or "
                + "?host=/run/postgresql for a Unix socket")
    }

    private static func socket(_ directory: String, port: ArraySlice<UInt8>?) throws(Fault) -> Host
    {
        let host = Host(name: directory, port: try self.port(port))
        // The system's limit for the whole path, with a zero byte.
        guard host.isSocket, !hasControl(directory), host.description.utf8.count < 108 else {
            throw Fault(
                "\(quoted(directory)) is no directory of a Unix socket",
                advice: "write an absolute path of at most 90 bytes")
        }
        return host
    }

    private static func port(_ digits: ArraySlice<UInt8>?) throws(Fault) -> Int {
        guard let digits else { return 5_432 }
        guard digits.count <= 5, digits.allSatisfy(\.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), 1...65_535 ~= port
        else {
            throw Fault(
                "a port in the URL of the database is no number from 1 to 65535",
                advice: "leave it out for 5432")
        }
        return port
    }
}

extension UInt8 {
    /// A character of a name in DNS, or of one that only this network knows.
    fileprivate var isOfHost: Bool {
        isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "_")
    }
}
