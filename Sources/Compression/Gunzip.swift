private import CZlib

/// The result of decompressing.
package enum Gunzipped: Equatable, Sendable {
    case whole([UInt8])
    /// There is more than the limit allows; this is its beginning.
    case tooLarge([UInt8])
    /// The bytes are not gzip, or end early.
    case damaged
}

/// The content of a gzip form (RFC 1952), at most `bytesMax` bytes of it. Bytes after its end are
/// ignored. It never allocates more than this, whatever the form says.
package func gunzip(_ bytes: [UInt8], bytesMax: Int) -> Gunzipped {
    var stream = unsafe z_stream()
    guard unsafe waymark_inflate_gzip(&stream) == Z_OK else { return .damaged }
    defer { unsafe inflateEnd(&stream) }
    var input = bytes
    var content = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 16_384)
    return unsafe input.withUnsafeMutableBufferPointer { source in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = UInt32(clamping: source.count)
        while true {
            let status = unsafe piece.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                return unsafe inflate(&stream, Z_NO_FLUSH)
            }
            guard status == Z_OK || status == Z_STREAM_END else { return .damaged }
            content += unsafe piece[..<(piece.count - Int(stream.avail_out))]
            if content.count > bytesMax { return .tooLarge(Array(content[..<bytesMax])) }
            if status == Z_STREAM_END { return .whole(content) }
        }
    }
}
