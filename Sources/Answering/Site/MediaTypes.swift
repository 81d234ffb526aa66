/// The media type of a file by its name, and whether compressing it is worth it.
enum MediaTypes {
    static func type(of path: String) -> (text: String, isCompressible: Bool) {
        let name = path.split(separator: "/").last ?? ""
        let bytes = Array(name.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else {
            return wellKnownTypes[path] ?? ("application/octet-stream", false)
        }
        let suffix = String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased()
        return types[suffix] ?? ("application/octet-stream", false)
    }

    static func isHTML(_ path: String) -> Bool { type(of: path).text == type(of: ".html").text }

    /// Files without a suffix whose readers require a type. Browsers refuse `webauthn` and
    /// `passkey-endpoints` of another one (WebAuthn Level 3 §5.11, W3C "Passkey Endpoints").
    private static let wellKnownTypes = Dictionary(
        uniqueKeysWithValues: [
            "webauthn", "passkey-endpoints", "windows-app-web-link", "nodeinfo",
            "openid-configuration", "oauth-authorization-server", "oauth-protected-resource",
        ].map { (".well-known/\($0)", (text: "application/json", isCompressible: true)) }
            + ["apple-developer-merchantid-domain-association", "atproto-did"].map {
                (".well-known/\($0)", (text: "text/plain; charset=utf-8", isCompressible: true))
            })

    private static let types: [String: (text: String, isCompressible: Bool)] = [
        "html": ("text/html; charset=utf-8", true),
        "htm": ("text/html; charset=utf-8", true),
        "css": ("text/css; charset=utf-8", true),
        "js": ("text/javascript; charset=utf-8", true),
        "mjs": ("text/javascript; charset=utf-8", true),
        "json": ("application/json", true),
        "map": ("application/json", true),
        "webmanifest": ("application/manifest+json", true),
        "xml": ("application/xml; charset=utf-8", true),
        "txt": ("text/plain; charset=utf-8", true),
        "svg": ("image/svg+xml", true),
        "ico": ("image/vnd.microsoft.icon", true),
        "png": ("image/png", false),
        "jpg": ("image/jpeg", false),
        "jpeg": ("image/jpeg", false),
        "gif": ("image/gif", false),
        "webp": ("image/webp", false),
        "avif": ("image/avif", false),
        "woff": ("font/woff", false),
        "woff2": ("font/woff2", false),
        "mp4": ("video/mp4", false),
        "webm": ("video/webm", false),
        "pdf": ("application/pdf", false),
        "wasm": ("application/wasm", true),
    ]
}
