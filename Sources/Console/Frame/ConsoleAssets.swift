private import TLS
private import URISyntax

/// The style and the script of every page, and the fields that let a browser use nothing else.
enum ConsoleAssets {
    /// The picture of a way with its mark.
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1757d6"/>\
        <path d="M7 10l4 13 5-11 5 11 4-13" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round" \
        stroke-linecap="round"/></svg>
        """

    /// The fields of every response.
    static let fields: [(name: String, value: String)] = [
        ("Content-Security-Policy", policy), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"), ("X-Robots-Tag", "noindex, nofollow"),
        ("X-Frame-Options", "DENY"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        // The path of a sign-in link is a secret. With no-referrer, browsers would send `Origin: null` with forms.
        ("Referrer-Policy", "strict-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ("Vary", "Accept-Language, Cookie"),
    ]

    private static let policy = [
        "default-src 'none'", "style-src \(source(of: ConsoleStyle.bytes))",
        "script-src \(source(of: bytes(ConsoleScript.text))) "
            + source(of: bytes(PasskeyScript.text)),
        "img-src 'self'", "connect-src 'self'", "frame-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// An inline style or script as the hash of its text.
    private static func source(of bytes: [UInt8]) -> String { "'sha256-\(base64(sha256(bytes)))'" }

    private static func bytes(_ text: StaticString) -> [UInt8] { Array(text.description.utf8) }
}
