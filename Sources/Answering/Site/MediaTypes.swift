/// The media type of a file by its name, and whether compressing it is worth it.
enum MediaTypes {
    static func type(of path: String) -> (text: String, isCompressible: Bool) {
        let name = path.split(separator: "/").last ?? ""
        let bytes = Array(name.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else {
            return ("application/octet-stream", false)
        }
        let suffix = String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased()
        return types[suffix] ?? ("application/octet-stream", false)
    }

    static func isHTML(_ path: String) -> Bool {
        type(of: path).text == type(of: ".html").text
    }

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
