internal import COpenSSL

/// The settings of connections, from the intermediate profile (TLSRef guideline 6.0, formerly
/// Mozilla's): TLS 1.2 and 1.3, ephemeral keys, authenticated ciphers, the client's preference.
enum IntermediateProfile {
    static let cipherList =
        "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
        + "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
        + "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
    static let cipherSuites =
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    static let groups = "X25519:prime256v1:secp384r1"
    /// A hybrid group, against attackers who record connections now to decrypt them in the future.
    /// OpenSSL has it since 3.5.
    static let hybridGroup = "X25519MLKEM768"

    /// A context that has only the profile.
    static func makeContext() throws(OpenSSLError) -> ContextHandle {
        ERR_clear_error()
        guard let pointer = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw .drained("no TLS context")
        }
        let context = unsafe ContextHandle(owning: pointer)
        try require("protocol versions") {
            unsafe waymark_SSL_CTX_set_protocols(pointer, TLS1_2_VERSION, TLS1_3_VERSION) == 1
        }
        try require("ciphers of TLS 1.2") {
            unsafe SSL_CTX_set_cipher_list(pointer, cipherList) == 1
        }
        try require("cipher suites of TLS 1.3") {
            unsafe SSL_CTX_set_ciphersuites(pointer, cipherSuites) == 1
        }
        try require("groups") { unsafe setGroups(pointer) }
        try require("options") { unsafe waymark_SSL_CTX_set_options(pointer) == 1 }
        try require("modes") { unsafe waymark_SSL_CTX_set_modes(pointer) == 1 }
        try require("early data") {
            // This is not the limit for receiving: early data that a client sends nevertheless must
            // be skipped (RFC 8446 §4.2.10).
            unsafe SSL_CTX_set_max_early_data(pointer, 0) == 1
        }
        return context
    }

    /// Checks whether OpenSSL accepts a certificate for this profile.
    static func check(
        _ leaf: Certificate, _ key: PrivateKey, _ intermediates: [Certificate]
    ) throws(OpenSSLError) {
        ERR_clear_error()
        let session = unsafe SSL_new(try checkContext.get().pointer)
        defer { unsafe SSL_free(session) }
        try require("certificate") { unsafe use(leaf, key, intermediates, for: session) }
    }

    /// The context of sessions that are only used for checks.
    static let checkContext = Result { () throws(OpenSSLError) in try makeContext() }

    private static func setGroups(_ context: OpaquePointer) -> Bool {
        if unsafe waymark_SSL_CTX_set_groups(context, "\(hybridGroup):\(groups)") == 1 {
            return true
        }
        ERR_clear_error()
        return unsafe waymark_SSL_CTX_set_groups(context, groups) == 1
    }
}

/// Performs a step that OpenSSL can refuse.
/// - Throws: what could not be done, and OpenSSL's reason.
func require(_ what: String, _ step: () -> Bool) throws(OpenSSLError) {
    guard step() else { throw .drained("OpenSSL refuses the \(what)") }
}
