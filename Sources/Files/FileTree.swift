internal import Glibc

/// A file found under a directory.
package struct FoundFile: Hashable, Sendable {
    /// Its path under the directory, parts separated by `/`.
    package let relativePath: String
    /// Where it really is, every symbolic link resolved.
    package let realPath: String
}

/// Something under a directory that cannot be served.
package enum FileTreeError: Error, Hashable, Sendable {
    /// The directory itself cannot be read.
    case unreadable(path: String, FileError)
    /// Something in it cannot, by its path under the directory.
    case unreadableEntry(path: String, FileError)
    /// A symbolic link to nothing.
    case dangling(path: String)
    /// A symbolic link that leads out of the directory.
    case escapes(path: String, to: String)
    /// A name that is not UTF-8.
    case notUTF8(directory: String)
    case tooDeep(path: String, limit: Int)
}

/// Every regular file under `directory`, in order of their paths. Symbolic links are followed as
/// long as they stay inside; names that begin with a full stop are left out, but for
/// `.well-known`.
package func findFiles(
    under directory: String, depthMax: Int = 32
) throws(FileTreeError) -> [FoundFile] {
    try findAll(under: directory, depthMax: depthMax).files.sorted {
        $0.relativePath < $1.relativePath
    }
}

/// Where the directories really are in which `findFiles` looks, those without a file included.
package func findDirectories(
    under directory: String, depthMax: Int = 32
) throws(FileTreeError) -> [String] {
    try findAll(under: directory, depthMax: depthMax).directories
}

private func findAll(
    under directory: String, depthMax: Int
) throws(FileTreeError) -> (files: [FoundFile], directories: [String]) {
    guard let root = realPath(directory) else {
        throw .unreadable(path: directory, .current())
    }
    var found = [FoundFile]()
    var directories = [String]()
    var waiting = [(path: root, relative: "", depth: 0)]
    while let (path, relative, depth) = waiting.popLast() {
        guard depth < depthMax else { throw .tooDeep(path: relative, limit: depthMax) }
        directories.append(path)
        for name in try entries(of: path, relative) {
            let relativePath = relative.isEmpty ? name : "\(relative)/\(name)"
            guard let real = try realPath("\(path)/\(name)", relativePath) else { continue }
            guard real == root || real.utf8.starts(with: "\(root)/".utf8) else {
                throw .escapes(path: relativePath, to: real)
            }
            switch try kind(real, relativePath) {
            case S_IFDIR: waiting.append((real, relativePath, depth + 1))
            case S_IFREG: found.append(.init(relativePath: relativePath, realPath: real))
            default: break
            }
        }
    }
    return (found, directories)
}

private func entries(of path: String, _ relative: String) throws(FileTreeError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw unreadable(path, relative) }
    defer { unsafe closedir(directory) }
    var names = [String]()
    while true {
        errno = 0
        guard let entry = unsafe readdir(directory) else { break }
        let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
            unsafe Array(buffer.prefix { $0 != 0 })
        }
        guard let name = String(validating: bytes, as: UTF8.self) else {
            throw .notUTF8(directory: relative)
        }
        if name.utf8.first != UInt8(ascii: ".") || name == ".well-known" { names.append(name) }
    }
    // What could not be read to its end is not all there is.
    guard errno == 0 else { throw unreadable(path, relative) }
    return names
}

/// What the failed call on the line above says of a directory.
private func unreadable(_ path: String, _ relative: String) -> FileTreeError {
    let reason = FileError.current()
    return relative.isEmpty
        ? .unreadable(path: path, reason) : .unreadableEntry(path: relative, reason)
}

private func kind(_ path: String, _ relative: String) throws(FileTreeError) -> mode_t {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
        throw .unreadableEntry(path: relative, .current())
    }
    return status.st_mode & S_IFMT
}

/// Where an entry really is; nil for one that was taken away since its name was read: whoever
/// changes files under a server does not want to be told of a name that is gone.
private func realPath(_ path: String, _ relative: String) throws(FileTreeError) -> String? {
    if let real = realPath(path) { return real }
    let reason = FileError.current()
    guard reason == .missing else { throw .unreadableEntry(path: relative, reason) }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    throw .dangling(path: relative)
}

private func realPath(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
}
