internal import Glibc

/// A descriptor that is closed with its owner.
struct OwnedDescriptor: ~Copyable {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    deinit { close(number) }
}

/// O_PATH, which Swift's module lacks: opens a place to go through, or to look at, and not to read.
/// Every architecture for which there is Swift has this value.
let searchOnly: CInt = 0o10_000_000

/// Opens `name` in a directory without following a symbolic link, and without waiting for whoever
/// holds a pipe or device; nil when it cannot be opened, and `errno` says why.
func openEntry(_ name: [UInt8], in directory: CInt, _ flags: CInt) -> OwnedDescriptor? {
    let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let number = unsafe withCString(name) { unsafe openat(directory, $0, flags) }
    return number >= 0 ? OwnedDescriptor(number) : nil
}

/// The status of what a descriptor is open for.
func status(of descriptor: CInt) throws(FileError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current() }
    return status
}

/// The bytes of a path or name as the system takes them. None of them is zero.
func withCString<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let text = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe text.withUnsafeBufferPointer { text in
        // It has one element at least.
        unsafe text.baseAddress.map { unsafe body($0) }
            ?? body("")
    }
}
