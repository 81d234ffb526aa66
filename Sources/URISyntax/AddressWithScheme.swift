/// An address as people write it, such as `www.example.com/sale`, with its scheme; any other text as it is. A number with a
/// point, such as a price or a version in a column that was taken for another, is none (WHATWG URL, "ends in a number").
package func addressWithScheme(_ text: String) -> String {
    let host = text.utf8.prefix { !$0.endsAuthority }
    let isHost = host.allSatisfy {
        $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
    guard isHost, let dot = host.dropLast().lastIndex(of: UInt8(ascii: ".")), dot > host.startIndex,
        host[host.index(after: dot)].isLetter
    else { return text }
    return "https://" + text
}
