/// The permissions of a page, as a `Content-Security-Policy` (W3C, "Content Security Policy Level
/// 3"): to use only its own styles and scripts, by hash, and images of the hosts that it names.
struct SecurityPolicy {
    var styles = [String]()
    var scripts = [String]()
    var imageOrigins = [String]()
    var hasFonts = false
    var hasManifest = false

    /// The field's value.
    var value: String {
        var directives = ["default-src 'none'"]
        func add(_ name: String, _ sources: [String]) {
            var seen = Set<String>()
            let distinct = sources.filter { seen.insert($0).inserted }
            if !distinct.isEmpty {
                directives.append("\(name) \(distinct.joined(separator: " "))")
            }
        }
        add("style-src", styles)
        add("script-src", scripts)
        add("img-src", ["'self'"] + imageOrigins)
        if hasFonts { add("font-src", ["'self'"]) }
        if hasManifest { add("manifest-src", ["'self'"]) }
        directives += ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
        return directives.joined(separator: "; ")
    }

    /// The bytes of a style or script in the policy, and the limit for those of all templates and
    /// the hosts of their images, because a response's head is limited.
    static let sourceBytes = 54
    static let sourcesBytesMax = 4096

    /// An inline style or script as the hash of its text.
    static func source(of text: String, _ digest: ([UInt8]) -> [UInt8]) -> String {
        "'sha256-\(base64(digest(Array(text.utf8))))'"
    }
}

/// RFC 4648 §4.
private func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result = [UInt8]()
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        var bits = group.reduce(0) { $0 << 8 | Int($1) }
        bits <<= 8 * (3 - group.count)
        for position in 0..<4 {
            let digit = alphabet[bits >> (18 - 6 * position) & 63]
            result.append(position <= group.count ? digit : UInt8(ascii: "="))
        }
    }
    return String(decoding: result, as: UTF8.self)
}
