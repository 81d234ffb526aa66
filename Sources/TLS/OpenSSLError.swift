internal import COpenSSL

/// The version of the library that this process runs with, such as `3.0.17`.
package var openSSLVersion: String {
    unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
}

/// Lets the process exit while other threads use OpenSSL, which else takes itself down first and
/// them with it. To be called before anything else of OpenSSL is used.
package func keepOpenSSLWhileExiting() { OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) }

/// What OpenSSL's error queue said, most specific first, in OpenSSL's own words.
package struct OpenSSLError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Takes everything from this thread's queue; what stays in it would be blamed on the next
    /// call.
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
