/// An address as people write it, such as `www.example.com/sale`, with its scheme; any other text as it is.
package func addressWithScheme(_ text: String) -> String {
    let host = text.utf8.prefix { !$0.endsAuthority }
    let isHost = host.allSatisfy {
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard isHost, host.dropFirst().dropLast().contains(UInt8(ascii: ".")) else { return text }
    return "https://" + text
}
