internal import Files

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
            FileStamp(of: StoreBackup.directory(of: path) + "/.") != nil && !isSymbolicLink(path)
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
