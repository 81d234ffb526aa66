import Foundation
import Testing

@Suite("waymark lint --env, of a store that is a database")
struct LintDatabaseTests {
    private static let verified = "sslmode=verify-full&sslrootcert="
    private static let client = "sslmode=require&sslcert=DIR/certs/dev.pem&sslkey=DIR/certs/dev.key"

    /// What is beside the configuration, the options of the URL, the status, and what is said of the files; nothing in the
    /// rows whose files are as they have to be.
    static let files: [(String, String, Int32, String)] = [
        ("echo p > p; chmod 600 p", "\(verified)DIR/certs/dev-ca.pem", 0, ""),
        ("printf p > p; chmod 640 p", "sslmode=disable", 0, ""),
        (
            ":", "sslmode=disable", 1,
            "error: the file of the database's password, \"DIR/p\", cannot be read: the file does not"
        ),
        (
            ": > p; chmod 600 p", "sslmode=disable", 1,
            "error: the file of the database's password, \"DIR/p\", is empty ["
        ),
        (
            "echo > p; chmod 600 p", "sslmode=disable", 1,
            "password, \"DIR/p\", is empty [database-file]"
        ),
        (
            "printf 'p\\nq\\n' > p; chmod 600 p", "sslmode=disable", 1,
            "\"DIR/p\", has several lines, or"
        ),
        (
            "mkdir p", "sslmode=disable", 1,
            "\"DIR/p\", cannot be read: it is not a regular file [database-file]"
        ),
        (
            "echo p > p; chmod 644 p", "sslmode=disable", 0,
            "warning: password file \"DIR/p\" has mode 0644, so every user of this machine can read it [key-readable"
        ),
        (
            "echo p > p; chmod 600 p", "\(verified)DIR/none.pem", 0,
            "warning: sslrootcert=DIR/none.pem of the database cannot be read: the file does not exist [database-file]"
        ),
        (
            "echo p > p; chmod 600 p; ln -s none ca.pem", "\(verified)DIR/ca.pem", 0,
            "cannot be read: it is a symbolic link to nothing [database-file]"
        ),
        (
            "echo p > p; chmod 600 p", "\(verified)DIR/certs/dev.key", 0,
            "sslrootcert=DIR/certs/dev.key of the database cannot be used: no certificate in PEM form"
        ),
        (
            "echo p > p; chmod 600 p; openssl x509 -trustout -in certs/dev-ca.pem -out ca.pem",
            "\(verified)DIR/ca.pem", 0, ""
        ),
        ("echo p > p; chmod 600 p certs/dev.key", client, 0, ""),
        (
            "echo p > p; chmod 600 p; chmod 660 certs/dev.key", client, 0,
            "sslkey=DIR/certs/dev.key of the database has mode 0660, and the library refuses a key that others can read ["
        ),
        (
            "echo p > p; chmod 600 p; rm certs/dev.pem", client, 66,
            "warning: sslcert=DIR/certs/dev.pem of the database cannot be read: the file does not exist [database-file]"
        ),
    ]

    @Test("a file that keeps a node from its database is found before a start", arguments: files)
    func finds(_ command: String, _ options: String, _ status: Int32, _ finding: String) throws {
        let outcome = try lint(options, preparedBy: command)
        #expect(outcome.status == status, "\(outcome.output)")
        let isSaid =
            outcome.output.contains("[database-file]") || outcome.output.contains("password file")
        #expect(isSaid == !finding.isEmpty, "\(outcome.output)")
        #expect(outcome.output.contains(finding) || finding.isEmpty, "\(outcome.output)")
    }

    @Test func `so is that the library cannot be loaded`() throws {
        // The system's loader takes the first file of the name, and this one is none.
        let without = try lint(
            "sslmode=disable", preparedBy: "echo p > p; chmod 600 p; mkdir lib; : > lib/libpq.so.5",
            variables: ["LD_LIBRARY_PATH": "DIR/lib"])
        #expect(without.status == 0)
        #expect(
            without.output.contains(
                ": warning: PostgreSQL's client library cannot be loaded: DIR/lib/libpq.so.5: "),
            "\(without.output)")
        #expect(
            without.output.contains("[database-library]\n")
                && without.output.contains("\n    install libpq 14 or later"))
        // A store that is a file needs none.
        let file = try lint(
            nil, preparedBy: "mkdir lib; : > lib/libpq.so.5",
            variables: ["LD_LIBRARY_PATH": "DIR/lib"])
        #expect(file.status == 0 && !file.output.contains("[database"), "\(file.output)")
    }

    @Test(.enabled(if: getuid() == 0, "needs root"), arguments: [("0", true), ("65534", false)])
    func `a key that its group can read has to belong to root`(
        owner: String, isTaken: Bool
    ) throws {
        let command =
            "echo p > p; chmod 600 p; chown \(owner) certs/dev.key; chmod 640 certs/dev.key"
        let outcome = try lint(Self.client, preparedBy: command)
        #expect(outcome.status == 0, "\(outcome.output)")
        let finding = "sslkey=DIR/certs/dev.key of the database has mode 0640, and the library"
        #expect(outcome.output.contains(finding) == !isTaken, "\(outcome.output)")
    }

    @Test func `without an environment, no file of a machine is read`() throws {
        let outcome = try lint("\(Self.verified)/none.pem", preparedBy: ":", environment: [])
        #expect(outcome.status == 0 && !outcome.output.contains("[database"), "\(outcome.output)")
    }

    /// Lints a configuration; in all texts, `DIR` is its directory.
    /// - Parameter options: of the database's URL; nil for a store that is a file.
    private func lint(
        _ options: String?, preparedBy command: String, variables: [String: String] = [:],
        environment: [String] = ["--env", "dev"]
    ) throws -> Program.Outcome {
        try withServableSite { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            func placed(_ text: String) -> String { text.replacing("DIR", with: directory.path) }
            let store =
                options.map {
                    "    store: \"postgresql://waymark@db.example/waymark?\(placed($0))\"\n    store-password: p\n"
                } ?? "    store: links.db\n"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try Data((text + store).utf8).write(to: URL(filePath: path))
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-euc", command]
            shell.currentDirectoryURL = directory
            try shell.run()
            shell.waitUntilExit()
            let outcome = try Program.run(
                ["lint", path] + environment, variables: variables.mapValues(placed))
            return Program.Outcome(
                status: outcome.status,
                output: outcome.output.replacing(directory.path, with: "DIR"),
                messages: outcome.messages)
        }
    }
}
