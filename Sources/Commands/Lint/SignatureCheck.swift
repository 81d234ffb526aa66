import ArgumentParser
import Associations
import Diagnostics
import TLS

/// Checks the signatures of signed association files.
struct SignatureCheck {
    private let roots: [UInt8]?

    /// - Parameter path: a PEM file with trusted certificates; nil trusts the system's.
    /// - Throws: the exit status.
    init(_ path: String?) throws(ExitCode) {
        guard let path else {
            roots = nil
            return
        }
        roots = try readNamed(path, bytesMax: 1 << 20)
    }

    /// The fault of the signature, if there is one.
    func findings(in bytes: [UInt8], _ name: String) -> [Diagnostic] {
        guard SignedPayload.isLikely(bytes) else { return [] }
        do {
            try verifySignedMessage(bytes, trusting: roots)
            return []
        } catch {
            let position = SourcePosition(file: name, line: 1, column: 1)
            return [Diagnostic(.error, .signature, at: position, "\(error)")]
        }
    }
}
