/// The limits of one request. A phase has what is left of the whole time, if that is less.
package struct FetchLimits: Sendable {
    package var resolveMilliseconds = 5_000
    package var connectMilliseconds = 5_000
    package var handshakeMilliseconds = 5_000
    /// From the end of the request to the first byte of the response.
    package var firstByteMilliseconds = 10_000
    package var totalMilliseconds = 20_000
    /// The content before and after decoding. Apple's devices read as much of an association file.
    package var contentBytesMax = 131_072
    /// Everything that comes besides the content: records of TLS that carry none, interim responses,
    /// heads, and the framing of chunks.
    package var overheadBytesMax = 1_048_576

    package init() {}
}
