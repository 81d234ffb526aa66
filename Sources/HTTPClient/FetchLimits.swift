/// The limits of one request. A phase ends when its own time is over, or the whole time.
package struct FetchLimits: Sendable {
    package var resolveMilliseconds = 5_000
    package var connectMilliseconds = 5_000
    package var handshakeMilliseconds = 5_000
    /// From the end of the request to the first byte of the response.
    package var firstByteMilliseconds = 10_000
    package var totalMilliseconds = 20_000
    /// The content before and after decoding. Apple's devices read as much of an association file.
    package var contentBytesMax = 131_072
    /// Everything that comes besides the content: heads, interim responses, the framing of chunks,
    /// and records of TLS without content.
    package var overheadBytesMax = 1_048_576

    package init() {}
}
