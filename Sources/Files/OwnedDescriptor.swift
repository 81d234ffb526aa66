internal import Glibc

/// A descriptor that is closed with its owner.
struct OwnedDescriptor: ~Copyable {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    deinit { close(number) }
}

/// O_PATH, which Swift's module lacks: opens a directory to pass through it or to examine it, not
/// to read it. The value is the same on all architectures that Swift supports.
let searchOnly: CInt = 0o10_000_000

/// Opens `name` in a directory without following a symbolic link, and without waiting for the other
/// end of a pipe or device; nil if it cannot be opened, with the reason in `errno`.
func openEntry(_ name: [UInt8], in directory: CInt, _ flags: CInt) -> OwnedDescriptor? {
    let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let number = unsafe withCString(name) { unsafe openat(directory, $0, flags) }
    return number >= 0 ? OwnedDescriptor(number) : nil
}

/// The status of the file for which a descriptor is open.
func status(of descriptor: CInt) throws(FileError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current() }
    return status
}

/// Calls `body` with a path or name as a C string. It must contain no zero byte.
func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe text.withUnsafeBufferPointer { text in
        // The buffer has at least one element.
        unsafe text.baseAddress.map { unsafe body($0) }
            ?? body("")
    }
}
