private import URISyntax

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
            if !distinct.isEmpty { directives.append("\(name) \(distinct.joined(separator: " "))") }
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
