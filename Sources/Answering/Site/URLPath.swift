import URISyntax

/// Paths of public files as visitors ask for them.
enum URLPath {
    /// The path of a file under the public directory, percent-encoded (RFC 3986 §3.3); of an
    /// `index.html` that of its directory.
    static func of(file: String) -> String {
        let path = Array("/\(file)".utf8)
        let index = Array("index.html".utf8)
        let isIndex =
            path.count > index.count && path.suffix(index.count + 1) == [UInt8(ascii: "/")] + index
        return (isIndex ? path.dropLast(index.count) : path[...]).percentEncoded {
            $0.isUnreserved || "/!$&'()*+,;=:@".utf8.contains($0)
        }
    }
}
