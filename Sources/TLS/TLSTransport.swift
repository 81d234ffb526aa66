internal import COpenSSL

/// Connects OpenSSL with the sockets of one loop. OpenSSL reads the bytes that the loop received,
/// and writes into this transport's `outgoing`, which the loop sends in one piece.
///
/// One custom BIO serves every session of the loop, one session at a time. It has pointers only
/// while a session's method runs.
@safe
package struct TLSTransport: ~Copyable {
    /// The bytes that OpenSSL wants to send: the first `outgoingCount` bytes.
    package private(set) var outgoing: [UInt8]
    package private(set) var outgoingCount = 0

    let bio: OpaquePointer
    let window: UnsafeMutablePointer<BIOWindow>

    /// A transport for at most `outgoingCapacity` outgoing bytes.
    package init(outgoingCapacity: Int) throws(OpenSSLError) {
        outgoing = [UInt8](repeating: 0, count: outgoingCapacity)
        ERR_clear_error()
        guard let bio = unsafe BIO_new(bioMethod.pointer) else { throw .drained("no BIO") }
        unsafe self.bio = bio
        unsafe window = .allocate(capacity: 1)
        unsafe window.initialize(to: BIOWindow())
        unsafe BIO_set_data(bio, window)
        unsafe BIO_set_init(bio, 1)
    }

    deinit {
        unsafe BIO_set_data(bio, nil)
        unsafe BIO_free(bio)
        unsafe window.deinitialize(count: 1)
        unsafe window.deallocate()
    }

    /// Removes the outgoing bytes after they were sent.
    package mutating func removeOutgoing() { outgoingCount = 0 }

    /// Calls `body` while OpenSSL reads `input` and writes to `outgoing`. Returns its result and
    /// the number of bytes of `input` that OpenSSL has taken.
    mutating func withBuffers<Result>(
        _ input: [UInt8], _ range: Range<Int>, _ body: () -> Result
    ) -> (result: Result, taken: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= input.count)
        let window = unsafe window
        let filled = outgoingCount
        let outcome = unsafe input.withUnsafeBufferPointer { source in
            unsafe outgoing.withUnsafeMutableBufferPointer { target in
                unsafe window.pointee = BIOWindow(
                    input: source.baseAddress.map { unsafe $0 + range.lowerBound },
                    inputCount: range.count, output: target.baseAddress, outputCount: filled,
                    outputCapacity: target.count)
                let result = body()
                let left = unsafe window.pointee
                unsafe window.pointee = BIOWindow()
                return unsafe (result, range.count - left.inputCount, left.outputCount)
            }
        }
        outgoingCount = outcome.2
        return (outcome.0, outcome.1)
    }
}

/// The memory that a BIO can access now.
@unsafe
struct BIOWindow {
    var input: UnsafePointer<UInt8>?
    var inputCount = 0
    var output: UnsafeMutablePointer<UInt8>?
    var outputCount = 0
    var outputCapacity = 0
}

/// The functions of our BIO, which are made once for the process and never freed.
@safe
private struct BIOMethod: Sendable {
    // Threads can share it: nothing changes it after `init`.
    nonisolated(unsafe) let pointer: OpaquePointer?

    init() {
        let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        unsafe pointer = BIO_meth_new(type, "waymark")
        unsafe BIO_meth_set_read(pointer, readInput)
        unsafe BIO_meth_set_write(pointer, writeOutput)
        unsafe BIO_meth_set_ctrl(pointer, control)
    }
}

private let bioMethod = BIOMethod()

private func window(of bio: OpaquePointer?) -> UnsafeMutablePointer<BIOWindow>? {
    unsafe BIO_get_data(bio)?.assumingMemoryBound(to: BIOWindow.self)
}

private let readInput: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, CInt) -> CInt =
    {
        bio, target, room in
        unsafe waymark_BIO_clear_retry(bio)
        guard let window = unsafe window(of: bio), let target = unsafe target,
            let input = unsafe window.pointee.input, unsafe window.pointee.inputCount > 0
        else {
            unsafe waymark_BIO_set_retry_read(bio)
            return -1
        }
        let count = unsafe min(Int(room), window.pointee.inputCount)
        unsafe UnsafeMutableRawPointer(target).copyMemory(from: input, byteCount: count)
        unsafe window.pointee.input = input + count
        unsafe window.pointee.inputCount -= count
        return CInt(count)
    }

private let writeOutput: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt = {
    bio, source, count in
    unsafe waymark_BIO_clear_retry(bio)
    guard let window = unsafe window(of: bio), let source = unsafe source, count > 0,
        let output = unsafe window.pointee.output
    else { return 0 }
    let used = unsafe window.pointee.outputCount
    let moved = unsafe min(Int(count), window.pointee.outputCapacity - used)
    guard moved > 0 else {
        unsafe waymark_BIO_set_retry_write(bio)
        return -1
    }
    unsafe UnsafeMutableRawPointer(output + used).copyMemory(from: source, byteCount: moved)
    unsafe window.pointee.outputCount += moved
    return CInt(moved)
}

private let control:
    @convention(c) (OpaquePointer?, CInt, CLong, UnsafeMutableRawPointer?) -> CLong = {
        _, command, _, _ in
        // The output is sent at the end of a turn, so a flush has nothing to do.
        command == BIO_CTRL_FLUSH ? 1 : 0
    }
