import Diagnostics
import Files
import PostgreSQL
import Services
import SiteConfiguration
import Snapshots
import TLS

/// The findings about what a node needs on its own machine to reach the database of its store. A start serves all the
/// same, and makes no links. Whether the server answers is for the time of a start.
///
/// The files of the URL and the library are those of the machine that serves, which need not be this one.
struct DatabaseCheck {
    private(set) var findings = [Diagnostic]()
    private let database: DatabaseReference

    init(_ database: DatabaseReference) {
        self.database = database
        checkPassword()
        switch database.location.login.protection {
        case .none: break
        case .encrypted(let client): check(client)
        case .verified(let roots, _, let client):
            check(roots: roots)
            check(client)
        }
        checkLibrary()
    }

    private mutating func checkPassword() {
        guard let file = database.password else { return }
        do throws(SecretFileFault) {
            _ = try readSecret(file)
        } catch {
            findings.append(
                Diagnostic(
                    .error, .databaseFile, at: file.position,
                    "the file of the database's password, \(quotedPath(file.path)), \(error.reason)",
                    advice:
                        "write the password of the role \(quoted(database.location.login.user)) into it, in one "
                        + "line; until then no link can be made, and a node answers only the stored ones that it knew before"
                ))
        }
        findings += database.passwordExposure
    }

    private mutating func check(roots path: String) {
        guard let file = content(of: path, "sslrootcert") else { return }
        // Only the library reads this form, in which `openssl x509 -trustout` writes.
        guard CredentialForm(of: file.bytes) != .otherPEM("TRUSTED CERTIFICATE") else { return }
        do throws(OpenSSLError) {
            _ = try TLSClientContext(.pem(file.bytes))
        } catch {
            add(
                "sslrootcert=\(path) of the database cannot be used: \(error)",
                "give the certificate of the authority that has signed the server's, in PEM form")
        }
    }

    private mutating func check(_ client: PostgreSQLProtection.ClientCertificate?) {
        guard let client else { return }
        _ = content(of: client.certificate, "sslcert")
        guard let key = content(of: client.key, "sslkey") else { return }
        // The library takes 0640 of a key, too, if it belongs to root.
        guard key.mode & (key.owner == 0 ? 0o037 : 0o077) != 0 else { return }
        add(
            "sslkey=\(client.key) of the database has mode 0\(String(key.mode, radix: 8)), and the library refuses a key "
                + "that others can read",
            "run chmod 600, or chmod 640 if it belongs to root and Waymark reads it through a group"
        )
    }

    /// The content of a file of the URL; nil where there is a finding.
    private mutating func content(of path: String, _ option: String) -> FileContent? {
        do throws(FileError) {
            return try readFile(path, bytesMax: Self.fileBytesMax)
        } catch {
            add(
                "\(option)=\(path) of the database cannot be read: \(error.words(at: path))",
                error.linkCure(at: path)
                    ?? "it is the path on the machine that serves: put the file there, and let Waymark's user read it"
            )
            return nil
        }
    }

    private mutating func add(_ fact: String, _ advice: String) {
        findings.append(
            Diagnostic(.warning, .databaseFile, at: database.position, fact, advice: advice))
    }

    private mutating func checkLibrary() {
        do throws(PostgreSQLError) {
            _ = try PostgreSQLLibrary()
        } catch {
            findings.append(
                Diagnostic(
                    .warning, .databaseLibrary, at: database.position, error.description,
                    advice:
                        "install libpq 14 or later on the machine that serves: the package `libpq5` of Debian and "
                        + "Ubuntu"))
        }
    }

    /// The authorities of a system have some hundred kilobytes.
    private static let fileBytesMax = 1 << 24
}

extension DatabaseReference {
    /// A warning if every user can read the file with the password, which a start has, too.
    var passwordExposure: [Diagnostic] {
        guard let password, let mode = (try? readFile(password.path, bytesMax: 1 << 20))?.mode
        else { return [] }
        return exposure(ofKeyFile: password, "password file", mode: mode)
    }
}
