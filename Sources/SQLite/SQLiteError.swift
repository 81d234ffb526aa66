private import CSQLite
private import Glibc

/// The reason why SQLite refused an operation.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's words.
    package let description: String

    init(code: Int32, _ handle: OpaquePointer?) {
        self.code = code
        let words = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
        // The system's reason, such as a disk that became read-only.
        let reason = code & 0xFF == SQLITE_IOERR ? unsafe sqlite3_system_errno(handle) : 0
        let cause = reason == 0 ? nil : unsafe strerror(reason).map { unsafe String(cString: $0) }
        let text = [words ?? "unknown error", cause].compactMap(\.self).joined(separator: ": ")
        description = "\(text) (SQLite \(code))"
    }

    /// The kind of refusal.
    package enum Kind: Sendable {
        /// The file system has no room.
        case full
        case readOnly
        /// Another connection holds a lock.
        case busy
        case damaged
        /// The file is something else.
        case notADatabase
        case cannotOpen
        /// A constraint of the tables, such as a unique value.
        case constraint
        /// Reading or writing failed.
        case inputOutput
        case other
    }

    package var kind: Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT: .damaged
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_IOERR: .inputOutput
        default: .other
        }
    }
}
