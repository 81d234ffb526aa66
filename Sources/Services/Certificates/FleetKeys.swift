package import Diagnostics
import Files
package import SiteConfiguration
import Snapshots
import TLS
private import URISyntax

/// The keys with which the nodes of a fleet encrypt what they have together besides links, derived from the secrets in
/// their files.
struct FleetKeys: Equatable, Sendable {
    /// The current one first. The others read what was written before.
    private let all: [SealingKey]

    /// - Throws: a finding about a file that cannot be used.
    init(_ files: [FileReference]) throws(Unusable) {
        var keys = [SealingKey]()
        for file in files {
            do throws(SecretFileFault) {
                let secret = Array(try readSecret(file).utf8)
                guard secret.count >= Self.secretBytesMin else {
                    throw SecretFileFault(
                        reason:
                            "has \(secret.count) bytes, must have at least \(Self.secretBytesMin)")
                }
                guard let key = try? SealingKey(secret: secret, purpose: Self.purpose) else {
                    throw SecretFileFault(reason: "gives no key")
                }
                keys.append(key)
            } catch {
                throw Unusable(
                    diagnostic: Diagnostic(
                        .error, .certificateState, at: file.position,
                        "the file of the secret, \(quoted(file.path)), \(error.reason)",
                        advice:
                            "copy it from another node, or make it with `openssl rand -base64 48 > FILE`; "
                            + "until then this node serves the certificates that it has, and requests none"
                    ))
            }
        }
        all = keys
    }

    private static let secretBytesMin = 32
    private static let purpose = "waymark certificates"

    /// The current key's number; empty without a key.
    var id: [UInt8] { all.first?.id ?? [] }
    /// The numbers of all, for people.
    var names: String { all.map { Self.name($0.id) }.joined(separator: ", ") }

    /// Equal ones have the same keys.
    static func == (one: FleetKeys, other: FleetKeys) -> Bool {
        one.all.map(\.id) == other.all.map(\.id)
    }

    /// The number of a key, for people. In the database it can be any bytes.
    static func name(_ id: [UInt8]) -> String { id.prefix(8).hexadecimal }

    func has(_ id: [UInt8]) -> Bool { all.contains { $0.id == id } }

    func seal(_ content: [UInt8], as name: String) -> [UInt8]? {
        try? all.first?.seal(content, as: name)
    }

    func open(_ sealed: [UInt8], by id: [UInt8], as name: String) -> [UInt8]? {
        all.first { $0.id == id }?.open(sealed, as: name)
    }
}

extension Environment {
    /// Faults of the files with the secrets that its nodes have.
    package var secretFindings: [Diagnostic] {
        do throws(Unusable) {
            let files = store?.secrets ?? []
            _ = try FleetKeys(files)
            return files.flatMap { file in
                let mode = (try? readFile(file.path, bytesMax: 1 << 20))?.mode
                return mode.map { exposure(ofKeyFile: file, "secret", mode: $0) } ?? []
            }
        } catch {
            return [error.diagnostic]
        }
    }
}
