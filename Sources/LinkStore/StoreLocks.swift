internal import Files

/// The locks of a store and of its visits, without opening them.
final class StoreLocks {
    private let links: FileLock
    private let visits: FileLock
    /// Of the store's file under whatever name; nil if there is none.
    private let file: FileLock?

    init(_ path: String) throws(StoreError) {
        do throws(FileError) {
            links = try FileLock(path: path + ".lock", purpose: Self.purpose)
        } catch {
            throw StoreError(error, path: path)
        }
        do throws(FileError) {
            visits = try FileLock(path: path + ".visits.lock", purpose: Self.purpose)
            for lock in [path + ".lock", path + ".visits.lock"] {
                try giveFile(lock, toOwnerOf: parentDirectory(of: path))
            }
            file = FileStamp(of: path) == nil ? nil : try FileLock(of: path)
        } catch .taken {
            // Under another name, whose lock this is not.
            throw .isServed(path: path)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether a store that is locked is being restored.
    static func areOfRestore(_ path: String) -> Bool {
        let content = try? readBeginning(of: path + ".lock", count: purpose.utf8.count)
        return content?.elementsEqual(purpose.utf8) ?? false
    }

    private static let purpose = "restore"
}
