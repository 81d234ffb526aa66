package import Foundation
import Glibc
package import PostgreSQL
package import Sockets
import TestSupport
package import Testing

/// A PostgreSQL server of a test, in a directory and on a port of its own. It ends with its last user, or
/// with the process of the tests, however that ends.
package final class TestServer: @unchecked Sendable {
    /// Of the user of all databases that tests make.
    package static let password = "correct horse"

    package let directory: String
    package let port: Int
    /// The number of the server's first process.
    package let process: pid_t
    private let guardian: Guardian

    /// - Parameters:
    ///   - settings: of the server, each as `name=value`.
    ///   - preparation: what a shell does in its directory before it starts.
    package init(_ settings: [String] = [], preparation: String = ":") throws {
        let template = try Self.template.get()
        (directory, port) = (temporaryPath(), try freePort())
        let all =
            [
                "fsync=off", "full_page_writes=off", "shared_buffers=8MB", "max_connections=12",
                "listen_addresses=127.0.0.1", "port=\(port)",
                // In its directory, so that it goes with that, also after the server was killed.
                "dynamic_shared_memory_type=mmap",
                "unix_socket_directories=\(directory)",
            ] + settings
        guardian = try Guardian(
            """
            cp -a "$3" "$1"
            cd "$1"
            (run /bin/sh -euc "$4")
            (run "$2/postgres" -D "$1/data" \(all.map { "-c '\($0)'" }.joined(separator: " "))) >log 2>&1 &
            server=$!
            echo "$server"
            cat >/dev/null
            kill -CONT "$server" 2>/dev/null || :
            kill -QUIT "$server" 2>/dev/null || :
            wait "$server" || :
            # A server that was killed leaves a segment of memory, whose number is the last of line 7.
            if [ -e data/postmaster.pid ]; then
                ipcrm -m "$(sed -n '7s/.* //p' data/postmaster.pid)" || :
            fi
            rm -rf "$1"
            """, [directory, try #require(Self.programs), template.directory, preparation])
        process = try #require(pid_t(guardian.firstLine))
        try wait { (try? connect()) != nil }
    }

    /// Connects as the user of all databases. Names are looked up in the schema `public`.
    package func connect(
        _ limits: PostgreSQLLimits = PostgreSQLLimits(), login: PostgreSQLLogin = login
    ) throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(
            loadedLibrary(), login, at: endpoint, limits: limits)
        try connection.execute("SET search_path = public", by: soon)
        return connection
    }

    package var endpoint: PostgreSQLEndpoint {
        PostgreSQLEndpoint(host: "127.0.0.1", address: "127.0.0.1", port: port)
    }

    package var socket: PostgreSQLEndpoint {
        PostgreSQLEndpoint(host: directory, address: nil, port: port)
    }

    package static var login: PostgreSQLLogin {
        PostgreSQLLogin(database: "postgres", user: "waymark", password: password)
    }

    /// Stops all processes of the server, without an end, until `body` has ended.
    package func whileStopped<Value>(_ body: () throws -> Value) rethrows -> Value {
        let all = [process] + children(of: process)
        for process in all { kill(process, SIGSTOP) }
        defer { for process in all { kill(process, SIGCONT) } }
        return try body()
    }

    /// The library as all tests load it, in an environment that would lead it elsewhere.
    package static let library = Result {
        for (name, value) in misleading { setenv(name, value, 1) }
        return try PostgreSQLLibrary()
    }

    /// What the library would obey if it were not given everything.
    private static let misleading = [
        "PGHOST": "192.0.2.1", "PGPORT": "1", "PGDATABASE": "none", "PGUSER": "nobody",
        "PGPASSWORD": "wrong", "PGPASSFILE": "/dev/null", "PGSSLMODE": "verify-full",
        "PGSSLROOTCERT": "/dev/null", "PGSSLCERT": "/dev/null", "PGSSLKEY": "/dev/null",
        "PGSSLCRL": "/dev/null", "PGSSLMINPROTOCOLVERSION": "TLSv1.3", "PGGSSENCMODE": "require",
        "PGCONNECT_TIMEOUT": "1", "PGCLIENTENCODING": "LATIN1", "PGCHANNELBINDING": "require",
        "PGTARGETSESSIONATTRS": "standby", "PGAPPNAME": "another", "PGDATESTYLE": "German",
        "PGTZ": "Asia/Tokyo", "PGKRBSRVNAME": "none", "PGSSLSNI": "0",
    ]

    /// For tests that leave a server as it was.
    package static let shared = Result { try TestServer() }

    // MARK: What is installed

    /// The directory of the server's programs; nil if there are none.
    package static let programs: String? = {
        // Where `./bootstrap test` puts them if the system has none.
        let roots = ["", repository(".build-tools/postgresql")]
        let places = roots.flatMap { root in
            (12...30).reversed().map { "\(root)/usr/lib/postgresql/\($0)/bin" }
        }
        return places.first {
            access("\($0)/postgres", X_OK) == 0 && access("\($0)/initdb", X_OK) == 0
        }
    }()

    package static let isInstalled = programs != nil && (try? library.get()) != nil
    package static let reason: Comment =
        "PostgreSQL's server or libpq5 is not installed (`./bootstrap test` does that)"

    /// A database that was made once, and of which each server gets a copy.
    private static let template = Result {
        let directory = temporaryPath()
        let guardian = try Guardian(
            """
            mkdir "$1"
            printf '%s' "$3" >"$1/password"
            if [ "$(id -u)" = 0 ]; then chown -R nobody "$1"; fi
            cd "$1"
            (run "$2/initdb" -D "$1/data" -U waymark -A scram-sha-256 --pwfile="$1/password" -E UTF8 \
              --locale=C -N --wal-segsize=1) >log 2>&1 || { cat log >&2; exit 1; }
            echo made
            cat >/dev/null
            rm -rf "$1"
            """, [directory, try #require(programs), password])
        #expect(guardian.firstLine == "made")
        return (directory: directory, guardian: guardian)
    }
}

package func loadedLibrary() throws -> PostgreSQLLibrary { try TestServer.library.get() }

/// A deadline that no test reaches, unless the server is stopped.
package var soon: Deadline { Deadline(in: safetyNetSeconds * 1_000) }

/// A shell that makes something, writes a line, and removes it again when its input ends: with its owner, or with
/// this process.
private final class Guardian: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private(set) var firstLine = ""

    init(_ script: String, _ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        // The server refuses to run as root.
        let start = """
            set -eu
            # When the tests are killed while the server is stopped, the system tells its whole group to hang up.
            trap '' HUP INT TERM
            umask 077
            run() {
                if [ "$(id -u)" != 0 ]; then exec "$@"; fi
                exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"
            }
            # Where the programs are not installed, their libraries are beside them.
            for directory in "$2"/../../../*-linux-*; do export LD_LIBRARY_PATH="$directory"; done

            """
        process.arguments = ["-c", start + script, "sh"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // Of this process alone, so that others that it starts do not hold it open.
        var line = [UInt8]()
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
            line.append(byte)
        }
        firstLine = String(decoding: line, as: UTF8.self)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

private func temporaryPath() -> String {
    NSTemporaryDirectory() + "waymark-postgresql-\(UUID().uuidString.prefix(8))"
}

private func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        return text[end...].split(separator: " ").dropFirst(2).first == "\(parent)"
    }
}
