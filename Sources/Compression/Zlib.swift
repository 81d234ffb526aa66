private import CZlib

/// The zlib form of `bytes` at zlib's best level (RFC 1950), as PNG and PDF contain it. Nil only if
/// there is no memory.
package func zlibCompressed(_ bytes: [UInt8]) -> [UInt8]? {
    var input = bytes
    let room = Int(compressBound(UInt(bytes.count)))
    var count = UInt(room)
    var status = Z_OK
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, written in
        unsafe input.withUnsafeMutableBufferPointer { source in
            status = unsafe compress2(
                target.baseAddress, &count, source.baseAddress, UInt(source.count),
                Z_BEST_COMPRESSION)
        }
        written = status == Z_OK ? Int(count) : 0
    }
    return status == Z_OK ? compressed : nil
}

/// The CRC-32 that PNG and gzip have (RFC 1952 §8).
package func crc32(of bytes: [UInt8]) -> UInt32 {
    var input = bytes
    return unsafe input.withUnsafeMutableBufferPointer { source in
        UInt32(truncatingIfNeeded: unsafe crc32(0, source.baseAddress, UInt32(source.count)))
    }
}
