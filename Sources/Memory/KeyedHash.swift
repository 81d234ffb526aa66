/// The hash of a number and a text, with a key that each process chooses: a stranger who chooses
/// texts cannot make them meet (SipHash, Aumasson and Bernstein, 2012).
package func keyedHash(_ number: UInt32, _ text: Span<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
}
