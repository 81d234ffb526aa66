// Numbers in binary formats. Each is nil where the bytes end before it does.

extension [UInt8] {
    /// An unsigned number, the most significant byte first.
    func big(_ size: Int, at offset: Int) -> Int? {
        guard let bytes = part(offset, size) else { return nil }
        return number(bytes)
    }

    /// An unsigned number, the least significant byte first.
    func little(_ size: Int, at offset: Int) -> Int? {
        guard let bytes = part(offset, size) else { return nil }
        return number(bytes.reversed())
    }

    /// Bytes of this size from the offset on.
    func part(_ offset: Int, _ size: Int) -> ArraySlice<UInt8>? {
        let (end, overflows) = offset.addingReportingOverflow(size)
        guard !overflows, offset >= 0, size >= 0, end <= count else { return nil }
        return self[offset..<end]
    }
}

/// Nil for a number beyond `Int`.
private func number(_ bytes: some Collection<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
        guard value <= Int.max >> 8 else { return nil }
        value = value << 8 | Int(byte)
    }
    return value
}
