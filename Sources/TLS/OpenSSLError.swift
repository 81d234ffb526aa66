internal import COpenSSL

/// The version of the library in this process, such as `3.0.17`.
package var openSSLVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
}

/// Lets the process exit while other threads use OpenSSL. Otherwise OpenSSL frees its data at exit,
/// and these threads crash. Call it before any other function of OpenSSL.
package func keepOpenSSLWhileExiting() { OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) }

/// The content of OpenSSL's error queue, the most specific first, in OpenSSL's words.
package struct OpenSSLError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Removes all errors from this thread's queue, because the next call would be blamed for those
    /// that stay.
    static func drained(_ doing: String) -> OpenSSLError {
        var reasons = [String]()
        while case let code = ERR_get_error(), code != 0 {
            if let reason = unsafe ERR_reason_error_string(code) {
                reasons.append(unsafe String(cString: reason))
            }
        }
        return .init(
            description: reasons.isEmpty ? doing : "\(doing): \(reasons.joined(separator: "; "))")
    }
}
