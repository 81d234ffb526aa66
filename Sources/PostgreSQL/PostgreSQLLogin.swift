private import Diagnostics
internal import Glibc

/// Everything that a connection is made with, besides the server.
package struct PostgreSQLLogin: Equatable, Sendable {
    package var database: String
    package var user: String
    /// Nil where the server asks for none.
    package var password: String?
    package var protection = PostgreSQLProtection.none
    /// The name by which operators of the database recognize the connection.
    package var application = "waymark"

    package init(database: String, user: String, password: String? = nil) {
        (self.database, self.user, self.password) = (database, user, password)
    }
}

/// The protection of a connection on its way.
package enum PostgreSQLProtection: Equatable, Sendable {
    /// Not at all: for a Unix socket, or this machine.
    case none
    /// Against readers, but anybody may be the server.
    case encrypted(ClientCertificate? = nil)
    /// The server's certificate must be of one of these authorities; and if its name matters, for the host's
    /// name.
    case verified(roots: String, name: Bool, ClientCertificate? = nil)

    /// The files of a certificate with which a client proves who it is.
    package struct ClientCertificate: Equatable, Sendable {
        package let certificate: String
        package let key: String

        package init(certificate: String, key: String) {
            (self.certificate, self.key) = (certificate, key)
        }
    }
}

/// A server at one address.
package struct PostgreSQLEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The name of a host, for its certificate; or the directory of a Unix socket.
    package let host: String
    /// The address, so that the library asks no resolver, which would wait; nil for a Unix socket.
    package let address: String?
    package let port: Int

    package init(host: String, address: String?, port: Int) {
        (self.host, self.address, self.port) = (host, address, port)
    }

    package var description: String {
        guard let address else { return "\(host)/.s.PGSQL.\(port)" }
        let isV6 = address.utf8.contains(UInt8(ascii: ":"))
        let place = isV6 ? "[\(address)]:\(port)" : "\(address):\(port)"
        return address == host ? place : "\(host) (\(place))"
    }
}

/// Limits of a connection. No setting of the server or the library stands for them: a server that was
/// stopped, and a network that drops packets, are noticed by them alone.
package struct PostgreSQLLimits: Equatable, Sendable {
    /// For one server: connecting, and setting up the session.
    package var connectMilliseconds = 3_000
    /// For a round trip of statements.
    package var statementMilliseconds = 2_000
    /// The time for the next 256 KiB of a load, or its end: a server that sends single bytes would hold a thread for ever.
    package var stallMilliseconds = 30_000
    /// The most bytes of the rows of a load, about: those of a server that never ends must not fill the memory.
    package var loadBytes = Int.max
    /// For the rows of an answer, about: a server that never ends must not fill the memory.
    package var answerBytes = 1 << 28
    /// The most bytes that come to a connection besides answers: the library keeps the value of each setting under whatever name a
    /// server gives it, and looks through all of them for each.
    package var strayBytes = 1 << 18
    /// After which the server itself gives a statement up, or a lock, or a transaction whose client is silent: what
    /// a client has left would hold locks. A lock ends before the round trip: the server says that it is well, and busy.
    package var serverStatementMilliseconds = 5_000
    package var serverLockMilliseconds = 1_500
    package var serverIdleMilliseconds = 5_000

    package init() {}

    /// Sets what a session has otherwise from the server's configuration, or from the environment. To compile a statement
    /// takes longer than any of ours. In another schema, any role could have put a function or an operator that would be
    /// called as this one; and a row that a policy hides would be a link that is not there, without an error.
    var sessionSettings: String {
        """
        SET search_path = pg_catalog; SET row_security = off;
        SET statement_timeout = \(serverStatementMilliseconds);
        SET lock_timeout = \(serverLockMilliseconds);
        SET idle_in_transaction_session_timeout = \(serverIdleMilliseconds);
        SET default_transaction_isolation = 'read committed';
        SET jit = off; SET standard_conforming_strings = on; SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'
        """
    }
}

extension PostgreSQLLogin {
    typealias Keyword = (name: String, value: String)

    /// Each keyword of the library with its value.
    /// - Throws: if a variable of the environment is set that none of them replaces.
    func keywords(
        for endpoint: PostgreSQLEndpoint, _ library: PostgreSQLLibrary
    ) throws(PostgreSQLError) -> [Keyword] {
        let keywords = keywords(for: endpoint)
        for (name, value) in keywords where value.utf8.contains(0) {
            throw PostgreSQLError(.configuration, "\(name) has a zero byte")
        }
        let set = refusedVariables(for: endpoint, library).first { unsafe getenv($0) != nil }
        if let set {
            throw PostgreSQLError(
                .configuration,
                "the variable \(set) of the environment would change connections; unset it")
        }
        return keywords
    }

    /// The variables of the environment that must not be set, because the library would obey them: `PGOPTIONS` and
    /// `PGSERVICE`, for example, can be replaced with nothing that every server takes. One without a
    /// value can do harm, too.
    package func refusedVariables(
        for endpoint: PostgreSQLEndpoint, _ library: PostgreSQLLibrary
    ) -> [String] {
        library.variables(besides: Set(keywords(for: endpoint).map(\.name)))
    }

    /// The library takes a keyword that is missing or empty from variables of the environment, or from files in
    /// the user's directory.
    private func keywords(for endpoint: PostgreSQLEndpoint) -> [Keyword] {
        var keywords: [Keyword] = [
            ("host", endpoint.host), ("port", "\(endpoint.port)"), ("dbname", database),
            ("user", user), ("application_name", application), ("client_encoding", "UTF8"),
            ("connect_timeout", "0"), ("target_session_attrs", "any"), ("gssencmode", "disable"),
            ("krbsrvname", "postgres"), ("channel_binding", "prefer"),
            // OpenSSL would ask the terminal for the password of a key, and wait. Any text that is no password will do.
            ("sslpassword", Self.noFile),
            ("passfile", Self.noFile), ("sslcrl", Self.noFile), ("sslcompression", "0"),
            ("sslsni", "1"), ("ssl_min_protocol_version", "TLSv1.2"),
            // Connections that wait for a notification send nothing.
            ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "8000"),
        ]
        if let address = endpoint.address { keywords.append(("hostaddr", address)) }
        if let password { keywords.append(("password", password)) }
        return (keywords + protection.keywords).filter { !$0.value.isEmpty }
    }

    /// The path of no file: what has no path, the library looks for in the user's directory.
    fileprivate static let noFile = "/dev/null/none"
}

extension PostgreSQLLibrary {
    /// Variables of the environment that the library obeys where these keywords are given.
    fileprivate func variables(besides given: Set<String>) -> [String] {
        guard let options = unsafe defaults() else { return [] }
        defer { unsafe freeDefaults(options) }
        // Each has six pointers, the first two to its keyword and its variable, and a number.
        let stride = 7 * MemoryLayout<Int>.stride
        // The library sends this one to the server, without a keyword, and a session can be set otherwise.
        var variables = ["PGGEQO"]
        var place = unsafe options
        while let keyword = unsafe text(at: place, 0) {
            let variable = unsafe text(at: place, MemoryLayout<Int>.stride)
            if !given.contains(keyword), let variable { variables.append(variable) }
            unsafe place += stride
        }
        return variables
    }
}

private func text(at place: UnsafeMutableRawPointer, _ offset: Int) -> String? {
    let pointer = unsafe place.load(fromByteOffset: offset, as: UnsafePointer<CChar>?.self)
    return unsafe pointer.map { unsafe String(cString: $0) }
}

extension PostgreSQLProtection {
    fileprivate var keywords: [PostgreSQLLogin.Keyword] {
        var (mode, roots) = ("disable", PostgreSQLLogin.noFile)
        var client: ClientCertificate?
        switch self {
        case .none: break
        case .encrypted(let own): (mode, client) = ("require", own)
        case .verified(let files, let name, let own):
            (mode, roots, client) = (name ? "verify-full" : "verify-ca", files, own)
        }
        return [
            ("sslmode", mode), ("sslrootcert", roots),
            ("sslcert", client?.certificate ?? PostgreSQLLogin.noFile),
            ("sslkey", client?.key ?? PostgreSQLLogin.noFile),
        ]
    }
}
