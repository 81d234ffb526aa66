import Associations
import Diagnostics
import URISyntax

// Addresses as pages write them.

/// The URL of a reference on a page with this URL (RFC 3986 §5.2), as browsers resolve it:
/// whitespace around it and line ends within it are removed. Nil if it is not http or https, or if
/// it is relative and there is no base.
func resolve(_ reference: String, against base: LinkURL?) -> LinkURL? {
    let bytes = trimmed(reference).utf8.filter { ![0x09, 0x0A, 0x0D].contains($0) }
    if scheme(of: bytes) != nil { return try? LinkURL(utf8: bytes) }
    guard let base else { return nil }
    let scheme = base.isSecure ? "https:" : "http:"
    if bytes.starts(with: "//".utf8) { return try? LinkURL(utf8: Array(scheme.utf8) + bytes) }
    let origin = Array("\(scheme)//\(base.host)\(base.port.map { ":\($0)" } ?? "")".utf8)
    let path = Array(base.path.utf8)
    switch bytes.first {
    case UInt8(ascii: "/"): return try? LinkURL(utf8: origin + withoutDotSegments(bytes))
    case nil, UInt8(ascii: "#"):
        return try? LinkURL(
            utf8: origin + path + (base.query.map { Array("?\($0)".utf8) } ?? []) + bytes)
    case UInt8(ascii: "?"): return try? LinkURL(utf8: origin + path + bytes)
    default:
        let directory = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? [0x2F]
        return try? LinkURL(utf8: origin + withoutDotSegments(directory + bytes))
    }
}

/// The scheme that the text begins with, in lower case, without its colon (RFC 3986 §3.1).
func scheme(of text: some Collection<UInt8>) -> String? {
    guard let first = text.first, first.isLetter, let colon = text.firstIndex(of: 0x3A) else {
        return nil
    }
    let name = text[..<colon]
    guard name.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }) else {
        return nil
    }
    return String(decoding: name, as: UTF8.self).lowercased()
}

/// Whether the address runs code, or is a document in itself.
func isUnsafeAddress(_ text: String) -> Bool {
    let bytes = text.utf8.drop { $0 <= 0x20 }.filter { ![0x09, 0x0A, 0x0D].contains($0) }
    return ["javascript", "vbscript", "data"].contains(scheme(of: bytes) ?? "")
}

/// The path with `.` and `..` resolved; the rest is unchanged.
private func withoutDotSegments(_ text: some Collection<UInt8>) -> [UInt8] {
    let path = Array(text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    return (PathDecoding.resolvingDotSegments(path) ?? path) + text.dropFirst(path.count)
}

extension LinkURL {
    /// Scheme, host and port in one form, a fragment left out; equal for addresses of one page.
    var pageAddress: String {
        let scheme = isSecure ? "https" : "http"
        let standard: UInt16 = isSecure ? 443 : 80
        let port = port.flatMap { $0 == standard ? nil : ":\($0)" } ?? ""
        return "\(scheme)://\(host)\(port)\(target)"
    }

    /// Names of query items, as written.
    var queryNames: [String] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
            String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        }
    }

    func isSameHost(as other: LinkURL) -> Bool { host.isScalarwise(other.host) }
}

/// The encoding that a type names (`text/html; charset=utf-8`).
func charsetName(_ type: String) -> String? {
    for parameter in type.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
        let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard parts.count == 2 else { continue }
        let name = trimmed(String(decoding: parts[0], as: UTF8.self)).lowercased()
        let value = parts[1].filter { $0 != UInt8(ascii: "\"") }
        if name == "charset" { return trimmed(String(decoding: value, as: UTF8.self)).lowercased() }
    }
    return nil
}
