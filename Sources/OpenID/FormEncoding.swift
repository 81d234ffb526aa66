import URISyntax

/// Items for a query or a form, in which only what needs no escape stays as it is.
func formEncoded(_ items: [(String, String)]) -> String {
    items.map { "\($0.0)=\($0.1.queryEscaped)" }.joined(separator: "&")
}

/// The bytes of a text in base64url without padding, which is the only form that JSON Web Signatures have (RFC 7515 §2).
func strictBase64URLDecoded(_ text: Substring.UTF8View) -> [UInt8]? {
    guard text.allSatisfy({ $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x5F }) else {
        return nil
    }
    return base64URLDecoded(String(Substring(text)))
}
