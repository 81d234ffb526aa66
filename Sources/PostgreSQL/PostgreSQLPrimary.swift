package import Sockets

/// A connection to the server of a location that changes are written to.
package struct PostgreSQLPrimary {
    package let connection: PostgreSQLConnection
    /// The server, as the location names it.
    package let host: PostgreSQLLocation.Host
    /// Nil where the server tells of none.
    package let history: PostgreSQLHistory?

    /// Asks all hosts of a location, one after the other and each with its own limit, and keeps the
    /// connection to the primary of the highest timeline.
    ///
    /// The library can go through a list of hosts itself, but never comes past one that hangs, and of two primaries it
    /// takes the first.
    /// - Parameters:
    ///   - password: read anew for each connection, so that a new one acts at once.
    ///   - seen: the newest history that was seen before.
    /// - Throws: what each host has said if none of them will do, with the class of the first.
    package init(
        _ library: PostgreSQLLibrary, _ location: PostgreSQLLocation, password: String?,
        limits: PostgreSQLLimits = PostgreSQLLimits(), seen: PostgreSQLHistory? = nil
    ) throws(PostgreSQLError) {
        var login = location.login
        login.password = password
        var (connections, roles) = ([PostgreSQLConnection?](), [PostgreSQLRole?]())
        var (errors, words) = ([PostgreSQLError](), [String]())
        for host in location.hosts {
            do throws(PostgreSQLError) {
                let connection = try Self.connect(library, login, to: host, limits)
                let role = try connection.role(by: Deadline(in: limits.statementMilliseconds))
                connections.append(connection)
                roles.append(role)
                words.append("\(host) \(role.words(seen))")
            } catch {
                connections.append(nil)
                roles.append(nil)
                errors.append(error)
                words.append(error.description)
            }
        }
        guard let index = PostgreSQLRole.choose(from: roles, seen: seen),
            let connection = connections[index]
        else {
            if location.hosts.count == 1, let error = errors.first { throw error }
            throw PostgreSQLError(
                errors.first?.fault ?? .away, code: errors.first?.code,
                words.joined(separator: "; "))
        }
        (self.connection, host) = (connection, location.hosts[index])
        if case .primary(let own)? = roles[index] { history = own } else { history = nil }
    }

    /// Asks one server for its role, over a connection that ends with the answer.
    package static func role(
        _ library: PostgreSQLLibrary, of host: PostgreSQLLocation.Host,
        _ location: PostgreSQLLocation, password: String?, limits: PostgreSQLLimits
    ) throws(PostgreSQLError) -> PostgreSQLRole {
        var login = location.login
        login.password = password
        let connection = try connect(library, login, to: host, limits)
        return try connection.role(by: Deadline(in: limits.statementMilliseconds))
    }

    private static func connect(
        _ library: PostgreSQLLibrary, _ login: PostgreSQLLogin,
        to host: PostgreSQLLocation.Host, _ limits: PostgreSQLLimits
    ) throws(PostgreSQLError) -> PostgreSQLConnection {
        let deadline = Deadline(in: limits.connectMilliseconds)
        var last: PostgreSQLError?
        for endpoint in try endpoints(of: host, by: deadline) {
            var own = limits
            own.connectMilliseconds = deadline.remaining
            do throws(PostgreSQLError) {
                return try PostgreSQLConnection(library, login, at: endpoint, limits: own)
            } catch {
                last = last ?? error
                // The server is there, and another of its addresses says the same.
                if error.fault != .away { break }
            }
        }
        throw last ?? PostgreSQLError(.away, "\(host) has no address")
    }

    /// The addresses of a host. The library would ask the resolver without a limit.
    private static func endpoints(
        of host: PostgreSQLLocation.Host, by deadline: Deadline
    ) throws(PostgreSQLError) -> [PostgreSQLEndpoint] {
        if host.isSocket {
            return [PostgreSQLEndpoint(host: host.name, address: nil, port: host.port)]
        }
        if let address = host.address {
            return [PostgreSQLEndpoint(host: host.name, address: address.text, port: host.port)]
        }
        var (addresses, reason) = ([SocketAddress.Host](), "does not exist")
        for isV6 in [false, true] {
            switch NameResolution(host.name, v6: isV6, by: deadline) {
            case .addresses(let found): addresses += found
            case .none: break
            case .failed(let words): reason = "cannot be resolved: \(words)"
            }
        }
        guard !addresses.isEmpty else { throw PostgreSQLError(.away, "\(host.name) \(reason)") }
        return addresses.prefix(addressesMax).map {
            PostgreSQLEndpoint(host: host.name, address: $0.text, port: host.port)
        }
    }

    private static let addressesMax = 4
}

extension SocketAddress.Host {
    fileprivate var text: String {
        let text = SocketAddress(host: self, port: 0).description.utf8.dropLast(":0".utf8.count)
        let isV6 = text.first == UInt8(ascii: "[")
        return String(decoding: isV6 ? text.dropFirst().dropLast() : text, as: UTF8.self)
    }
}

extension PostgreSQLRole {
    fileprivate func words(_ seen: PostgreSQLHistory?) -> String {
        switch self {
        case .replica: "takes no changes"
        case .primary(nil): "is a primary"
        case .primary(let history?) where seen.map { $0.system != history.system } ?? false:
            "is a primary of another database system than the one before"
        case .primary(let history?):
            "is a primary of timeline \(history.timeline)"
                + (seen.map { ", and \($0.timeline) was seen before" } ?? "")
        }
    }
}

extension PostgreSQLConnection {
    /// Whether the server takes changes, and its history.
    package func role(by deadline: Deadline) throws(PostgreSQLError) -> PostgreSQLRole {
        do throws(PostgreSQLError) {
            let result = try run(
                """
                SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
                  (SELECT system_identifier FROM pg_control_system()),
                  CASE WHEN pg_is_in_recovery() THEN NULL
                    ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END
                """, by: deadline)
            guard let row = result.first, !row.boolean(0) else { return .replica }
            let history = row.optionalInteger(1).flatMap { system in
                Int(row.text(2), radix: 16).map { PostgreSQLHistory(system: system, timeline: $0) }
            }
            return .primary(history)
        } catch  where error.fault == .configuration {
            // Such a server has none of these functions, or keeps them from its users.
            let result = try run(
                "SELECT current_setting('transaction_read_only')::boolean", by: deadline)
            return result.first?.boolean(0) == true ? .replica : .primary(nil)
        }
    }
}
