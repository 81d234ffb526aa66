private import CZlib

/// The gzip form of `bytes` at zlib's best level (RFC 1952), without name and time, so that equal
/// inputs give equal outputs. Nil only if there is no memory.
package func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe waymark_deflate_gzip(&stream, Z_BEST_COMPRESSION) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    guard bytes.count <= Int(UInt32.max) else { return nil }
    var input = bytes
    let compressed = unsafe input.withUnsafeMutableBufferPointer { source in
        let room = unsafe Int(deflateBound(&stream, UInt(source.count)))
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = UInt32(source.count)
        return unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
            unsafe stream.next_out = target.baseAddress
            unsafe stream.avail_out = UInt32(room)
            let finished = unsafe deflate(&stream, Z_FINISH)
            count = finished == Z_STREAM_END ? unsafe Int(stream.total_out) : 0
        }
    }
    // A copy has no more room than it needs. `Array(_:)` of a slice would keep the room.
    var exact = [UInt8]()
    exact.reserveCapacity(compressed.count)
    exact += compressed
    return exact
}
