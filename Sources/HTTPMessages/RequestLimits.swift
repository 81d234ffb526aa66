/// Limits on the size of a request (RFC 9110 §2.3, RFC 9112 §3 and §5).
package struct RequestLimits: Hashable, Sendable {
    /// The request-target; above it 414. RFC 9112 §3 asks for at least 8,000 for the whole line.
    package var targetBytesMax = 8192
    /// One field line; above it 431.
    package var fieldLineBytesMax = 8192
    /// Request line and field section together; above it 431.
    package var headBytesMax = 16384
    /// Field lines; above it 431. At most `FieldSection.capacity`.
    package var fieldLinesMax = 100
    /// Content of a request, which this origin reads and discards; above it 413.
    package var contentBytesMax = 65536
    /// A chunk's size line with its extensions, in bytes.
    package var chunkLineBytesMax = 1024
    /// The trailer section of a chunked request, in bytes; above it 431.
    package var trailerBytesMax = 8192

    /// The maximum of `headBytesMax`, because offsets in a head have 16 bits.
    package static let headBytesMost = Int(UInt16.max)

    package init() {}

    func check() {
        precondition(targetBytesMax <= headBytesMax && fieldLineBytesMax <= headBytesMax)
        precondition(headBytesMax <= Self.headBytesMost)
        precondition(fieldLinesMax <= FieldSection.capacity)
    }
}
