internal import COpenSSL
private import Synchronization

/// The keys that encrypt session tickets (RFC 5077 §4, RFC 8446 §4.6.1): the first encrypts, and
/// all decrypt. They belong to no context, so that a ticket is valid in every loop and after a
/// reload.
package final class TicketKeys: Sendable {
    private let keys: Mutex<[TicketKey]>

    /// A random key, which `rotate` replaces.
    package init() throws(OpenSSLError) { keys = Mutex([try TicketKey()]) }

    /// Keys that several servers share: the contents of key files in nginx's format, the current
    /// one first.
    /// - Throws: which of the files has the wrong length.
    package init(files: [[UInt8]]) throws(TicketKeyError) {
        precondition(!files.isEmpty)
        var read = [TicketKey]()
        for (index, file) in files.enumerated() {
            guard let key = TicketKey(file: file) else {
                throw TicketKeyError(index: index, bytes: file.count)
            }
            read.append(key)
        }
        keys = Mutex(read)
    }

    /// Encrypts with a new key from now on. Tickets of the two keys before it can still be
    /// decrypted. Older keys are erased, so that recorded connections of theirs cannot be decrypted
    /// later.
    package func rotate() throws(OpenSSLError) {
        let key = try TicketKey()
        keys.withLock { keys in
            keys.insert(key, at: 0)
            keys.removeLast(max(0, keys.count - (1 + previousMax)))
        }
    }

    /// The key that encrypts now.
    var current: TicketKey? { keys.withLock { $0.first } }

    /// The key with this name, and whether it is not the one that encrypts now.
    func find(_ name: UnsafePointer<UInt8>) -> (key: TicketKey, isOld: Bool)? {
        keys.withLock { keys in
            for (index, key) in keys.enumerated() where unsafe key.isNamed(name) {
                return (key, index > 0)
            }
            return nil
        }
    }
}

/// A file of ticket keys with the wrong length.
package struct TicketKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the file, and its length.
    package let index: Int
    package let bytes: Int

    package var description: String { "a ticket key file has \(bytes) bytes, must have 80 (or 48)" }
}

/// The number of keys before the current one that can decrypt tickets.
private let previousMax = 2
