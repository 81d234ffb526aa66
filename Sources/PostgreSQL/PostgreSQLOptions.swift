private import Diagnostics
internal import URISyntax

/// The options behind the question mark of a location.
struct PostgreSQLOptions {
    private var values = [String: String]()

    subscript(_ name: String) -> String? { values[name] }

    private static let known = [
        "host", "sslmode", "sslrootcert", "sslcert", "sslkey", "target_session_attrs",
    ]
    /// The values of options that have few. The primary is looked for always.
    private static let choices = [
        "target_session_attrs": ["read-write", "primary"],
        "sslmode": ["disable", "require", "verify-ca", "verify-full"],
    ]

    init(_ query: ArraySlice<UInt8>?) throws(PostgreSQLLocation.Fault) {
        for item in (query ?? []).split(separator: UInt8(ascii: "&")) {
            let sign = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let (name, value) = (
                percentDecoded(item[..<sign]), percentDecoded(item[sign...].dropFirst())
            )
            guard Self.known.contains(name) else { throw Self.unknown(name) }
            guard values[name] == nil else {
                throw PostgreSQLLocation.Fault(
                    "\(name) stands twice in the URL of the database", advice: "write it once")
            }
            guard !value.isEmpty, !PostgreSQLLocation.hasControl(value) else {
                throw PostgreSQLLocation.Fault(
                    "\(name) in the URL of the database has no value",
                    advice: Self.choices[name].map(Self.advice) ?? "leave it out")
            }
            if let choices = Self.choices[name], !choices.contains(value) {
                throw PostgreSQLLocation.Fault(
                    "\(name) in the URL of the database is \(quoted(value))",
                    advice: Self.advice(choices))
            }
            values[name] = value
        }
        // The library would look for them where the process was started, and takes some words for other things.
        for name in ["sslrootcert", "sslcert", "sslkey"] {
            guard let path = values[name], path.utf8.first != UInt8(ascii: "/") else { continue }
            throw PostgreSQLLocation.Fault(
                "\(name) in the URL of the database is \(quoted(path)), which is no absolute path",
                advice: "write a path that begins with a slash"
                    + (name == "sslrootcert"
                        ? ", such as /etc/ssl/certs/ca-certificates.crt for the authorities of the system"
                        : ""))
        }
    }

    private static func advice(_ choices: [String]) -> String {
        "write one of \(choices.joined(separator: ", "))"
    }

    private static func unknown(_ name: String) -> PostgreSQLLocation.Fault {
        guard name != "password" else {
            return PostgreSQLLocation.Fault(
                "the URL of the database has a password",
                advice: "write it into a file that `store-password` names, and take it out here")
        }
        let nearest = nearestName(to: name, among: known)
        return PostgreSQLLocation.Fault(
            "\(quoted(name)) is no option of the URL of a database",
            advice: nearest.map { "did you mean `\($0)`?" }
                ?? "there are \(known.joined(separator: ", "))")
    }

    func protection(isHere: Bool) throws(PostgreSQLLocation.Fault) -> PostgreSQLProtection {
        var client: PostgreSQLProtection.ClientCertificate?
        switch (values["sslcert"], values["sslkey"]) {
        case (let certificate?, let key?):
            client = PostgreSQLProtection.ClientCertificate(certificate: certificate, key: key)
        case (nil, nil): break
        default:
            throw PostgreSQLLocation.Fault(
                "sslcert and sslkey belong together", advice: "write both, or none of them")
        }
        let (mode, roots) = (values["sslmode"], values["sslrootcert"])
        switch (mode, roots) {
        case (nil, nil) where isHere && client == nil, ("disable", nil) where client == nil:
            return .none
        case (nil, _):
            throw PostgreSQLLocation.Fault(
                "the URL of the database does not say how the connection is protected",
                advice:
                    "add ?sslmode=verify-full&sslrootcert=FILE, or ?sslmode=disable in a network "
                    + "that nobody else reads")
        case ("require", nil): return .encrypted(client)
        case ("verify-ca", let roots?): return .verified(roots: roots, name: false, client)
        case ("verify-full", let roots?): return .verified(roots: roots, name: true, client)
        case (let mode?, nil) where mode != "disable":
            throw PostgreSQLLocation.Fault(
                "sslmode=\(mode) needs certificates of authorities",
                advice: "add sslrootcert=FILE, such as /etc/ssl/certs/ca-certificates.crt")
        default:
            throw PostgreSQLLocation.Fault(
                "sslmode=\(mode ?? "") checks no certificate, and the URL of the database names one",
                advice: "write sslmode=verify-full, or leave the certificates out")
        }
    }
}
