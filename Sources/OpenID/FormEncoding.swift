import URISyntax

/// Items for a query or a form, in which only what needs no escape stays as it is.
func formEncoded(_ items: [(String, String)]) -> String {
    items.map { "\($0.0)=\($0.1.queryEscaped)" }.joined(separator: "&")
}

/// Base64 with the usual alphabet and padding (RFC 4648 §4).
func base64(_ bytes: [UInt8]) -> String {
    let text = base64URL(bytes).utf8.map { byte -> UInt8 in
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    return String(decoding: text + padding, as: UTF8.self)
}

/// The bytes of a text in base64url without padding, which is the only form that JSON Web Signatures have (RFC 7515 §2).
func strictBase64URLDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
    guard text.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }) else {
        return nil
    }
    return base64URLDecoded(String(Substring(text)))
}
