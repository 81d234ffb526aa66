/// The reason for which PostgreSQL, or the way to it, has refused something.
package struct PostgreSQLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of an error, by what a caller can do about it.
    package enum Fault: Sendable {
        /// The client library is not installed, or is no use. Only an operator can help.
        case library
        /// The server is not there, cannot take work now, or did not answer in time. The connection is of
        /// no use any more; another may succeed.
        case away
        /// Another transaction was in the way. The same transaction may succeed if it is repeated.
        case repeatable
        /// A unique value is taken: `constraint` says which.
        case conflict
        /// A name, a password, a right or a table is not as it has to be. Only an operator can help; it
        /// is tried again, slowly.
        case configuration
        /// The answer to COMMIT is missing or cannot be believed: the transaction may be in the database
        /// or not. Who wants to know looks for what it would have written.
        case unknown
        /// The statement or a value cannot be right, so it is our own mistake.
        case rejected
    }

    package let fault: Fault
    /// PostgreSQL's SQLSTATE; nil if the server did not say one.
    package let code: String?
    /// The name of the constraint that was violated.
    package let constraint: String?
    /// The server's or the library's words, in one line.
    package let description: String
    /// Whether the server has not answered in time: another connection would wait as long.
    package let isTimeOver: Bool

    init(
        _ fault: Fault, code: String? = nil, constraint: String? = nil, isTimeOver: Bool = false,
        _ words: String
    ) {
        (self.fault, self.code, self.constraint) = (fault, code, constraint)
        (self.isTimeOver, description) = (isTimeOver, words)
    }

    /// An error that the server has reported with a code, or the library without one.
    init(code: String?, constraint: String? = nil, _ words: String) {
        self.init(Self.fault(of: code), code: code, constraint: constraint, words)
    }

    static func library(_ words: String) -> PostgreSQLError { PostgreSQLError(.library, words) }

    /// The server has not answered within the deadline.
    static func timeOver(_ what: String, milliseconds: Int) -> PostgreSQLError {
        PostgreSQLError(
            .away, isTimeOver: true, "\(what) has no answer within \(seconds(milliseconds))")
    }

    private static func seconds(_ milliseconds: Int) -> String {
        milliseconds < 1_000 ? "\(milliseconds) ms" : "\((milliseconds + 500) / 1_000) s"
    }

    /// The same error of a COMMIT whose effect is not known.
    var asUnknown: PostgreSQLError {
        PostgreSQLError(.unknown, code: code, constraint: constraint, description)
    }

    /// The class of an SQLSTATE (PostgreSQL's appendix A).
    private static func fault(of code: String?) -> Fault {
        guard let code else { return .away }
        switch code {
        // Read-only; an idle transaction or session that the server has ended.
        case "25006", "25P03", "57P05": return .away
        // A statement that took too long for the server's own limit, or for a lock.
        case "57014", "55P03", "40001", "40P01": return .repeatable
        case "23505": return .conflict
        case "40003": return .unknown
        default: break
        }
        func isOf(_ classes: String...) -> Bool {
            classes.contains { code.utf8.starts(with: $0.utf8) }
        }
        // Connections, resources, an operator's intervention, the system beneath it, an inner error.
        if isOf("08", "53", "57", "58", "XX") { return .away }
        // Rules on a table; names and passwords, databases, schemas, syntax and rights, its configuration file.
        if isOf("0A", "28", "3D", "3F", "42", "F0") { return .configuration }
        return isOf("40") ? .repeatable : .rejected
    }
}

extension PostgreSQLError {
    /// The error of a connection that was not made. The library keeps no code of it, but writes it into its
    /// words if they are to be verbose: `FATAL:  28P01: password authentication failed`.
    init(ofConnecting words: String) {
        let line = oneLine(words)
        let bytes = Array(line.utf8)
        let codeBytes = 5
        for start in bytes.indices where bytes[start...].starts(with: ":  ".utf8) {
            let (first, end) = (start + 3, start + 3 + codeBytes)
            guard end + 1 < bytes.count, bytes[end...].starts(with: ": ".utf8),
                bytes[first..<end].allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 })
            else { continue }
            let code = String(decoding: bytes[first..<end], as: UTF8.self)
            let fault = Self.fault(of: code)
            // Nothing of ours was refused yet: a database takes no connections, for example (55000).
            self.init(
                fault == .rejected ? .configuration : fault, code: code,
                String(decoding: bytes[..<(start + 2)] + bytes[(end + 2)...], as: UTF8.self))
            return
        }
        self.init(Self.isOfOperator(line) ? .configuration : .away, line)
    }

    /// Whether the library itself has refused a connection for a reason that only an operator can remove. It has no
    /// codes for them, and words in English, because this process has set no other language.
    private static func isOfOperator(_ line: String) -> Bool {
        [
            "certificate verify failed", "does not match host name", "root certificate file",
            "certificate file", "private key file", "certificate present, but not private key",
            "does not support SSL", "no password supplied",
            "certificate does not match private key",
        ].contains { line.utf8.firstRange(of: $0.utf8) != nil }
    }
}

/// The first line of a text with something in it, at most 1,000 bytes of it.
func oneLine(_ words: String) -> String {
    let end = UInt8(ascii: "\n")
    let first = words.utf8.drop { $0 == end }.prefix { $0 != end }
    guard !first.isEmpty else { return "no reason was given" }
    return String(decoding: first.prefix(1_000), as: UTF8.self)
}
