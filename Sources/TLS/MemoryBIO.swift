internal import COpenSSL

/// Calls `body` with a BIO that reads `bytes`.
func withReadingBIO<Result>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Result?) -> Result? {
    unsafe bytes.withUnsafeBytes { buffer in
        guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, CInt(clamping: buffer.count))
        else { return nil }
        defer { unsafe BIO_free(bio) }
        return unsafe body(bio)
    }
}

/// The bytes that `body` writes to a BIO; nil if it returns false.
func bytesWritten(_ body: (OpaquePointer) -> Bool) -> [UInt8]? {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { return nil }
    defer { unsafe BIO_free(bio) }
    guard unsafe body(bio) else { return nil }
    var data: UnsafeMutablePointer<CChar>?
    let count = unsafe waymark_BIO_memory(bio, &data)
    guard count > 0, let data = unsafe data else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: data, count: count))
}
