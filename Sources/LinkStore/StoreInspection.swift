internal import Files
package import LinkIndex
internal import SQLite

/// Looks at a file that is to be opened as a store, without opening it as a database, creating it or
/// locking it.
/// - Returns: why an origin could not use it; nil if nothing speaks against it.
package func findStoreFault(_ path: String, _ kind: StoreKind = .links) -> StoreError? {
    if let other = otherKindOfFile(at: path) { return .isNoFile(path: path, other) }
    var beginning = [UInt8]()
    do throws(FileError) {
        beginning = try readBeginning(of: path, count: headerBytes)
    } catch .missing {
        let isCreated =
            FileStamp(of: parentDirectory(of: path) + "/.") != nil && !isSymbolicLink(path)
        return isCreated ? nil : .cannotOpen(path: path, StoreError.missingPart(of: path))
    } catch {
        return StoreError(error, path: path)
    }
    // SQLite creates its database in an empty file.
    guard !beginning.isEmpty else { return nil }
    guard beginning.count == headerBytes, beginning.starts(with: "SQLite format 3\0".utf8) else {
        return .isForeign(path: path, kind)
    }
    let number = beginning[applicationOffset..<applicationOffset + 4]
    let identifier = number.reduce(0) { $0 << 8 | Int($1) }
    // A database without the number can be empty.
    return identifier == 0 || identifier == kind.applicationID ? nil : .isForeign(path: path, kind)
}

/// The size of a database's header, and the position of its program's number (SQLite, "Database File
/// Format", §1.3).
private let (headerBytes, applicationOffset) = (100, 68)

/// Reads the links of a store that no process serves, and changes and locks nothing.
/// - Returns: the index and the names of collections; nil if the store is served or cannot be read so,
///   also where its last changes are in its log of transactions.
package func readUnservedStore(
    _ path: String
) -> (index: LinkIndex, names: [UInt32: CollectionName])? {
    guard let before = FileStamp(of: path), before.bytes > 0, findStoreFault(path) == nil,
        (FileStamp(of: path + "-wal")?.bytes ?? 0) == 0,
        // Released at once.
        (try? FileLock(of: path)) != nil
    else { return nil }
    var loading = LinkLoading()
    do throws(SQLiteError) {
        let database = try SQLiteDatabase(path, .immutable)
        try loading.read(database)
    } catch {
        return nil
    }
    guard FileStamp(of: path) == before else { return nil }
    let names = loading.names
    return (loading.index(0), names)
}
