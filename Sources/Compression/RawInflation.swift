private import CZlib

/// Decompresses a raw deflate stream (RFC 1951), as zip has it, piece by piece, so that memory does
/// not grow with it.
@safe package struct RawInflation: ~Copyable {
    // zlib keeps the stream's address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var piece = [UInt8](repeating: 0, count: 65_536)
    /// Whether the stream has ended.
    package private(set) var isAtEnd = false

    /// Nil only if there is no memory.
    package init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe waymark_inflate_raw(stream) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Decompresses all of `bytes`, and gives what comes of it to `take` in pieces of at most 64 KiB,
    /// until that returns false or the stream ends. Bytes after its end are ignored.
    /// - Returns: whether the bytes are deflate so far.
    package mutating func inflate(_ bytes: [UInt8], _ take: (ArraySlice<UInt8>) -> Bool) -> Bool {
        guard bytes.count <= Int(UInt32.max) else { return false }
        var input = bytes
        let stream = unsafe self.stream
        return unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe stream.pointee.next_in = source.baseAddress
            unsafe stream.pointee.avail_in = UInt32(source.count)
            while !isAtEnd {
                let status = unsafe piece.withUnsafeMutableBufferPointer { target in
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(target.count)
                    return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
                }
                isAtEnd = status == Z_STREAM_END
                // Z_BUF_ERROR says only that there is nothing to do now.
                guard isAtEnd || status == Z_OK || status == Z_BUF_ERROR else { return false }
                let count = unsafe piece.count - Int(stream.pointee.avail_out)
                if count > 0, !take(piece[..<count]) { return true }
                if count < piece.count, unsafe stream.pointee.avail_in == 0 { return true }
                if count == 0 { return isAtEnd }
            }
            return true
        }
    }
}
