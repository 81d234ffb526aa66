/// The items of a query, decoded, in their order (WHATWG URL §5.1). What has too many combining
/// marks in a row is `comparable`, not decoded to them.
package func queryItems(_ query: String) -> [(name: String, value: String)] {
    Array(query.utf8).split(separator: UInt8(ascii: "&")).map { item in
        let equals = item.firstIndex(of: UInt8(ascii: "="))
        let value = equals.map { item[($0 + 1)...] } ?? []
        return (decoded(item[..<(equals ?? item.endIndex)]), decoded(value))
    }
}

private func decoded(_ text: ArraySlice<UInt8>) -> String {
    var (result, index) = ([UInt8](), text.startIndex)
    while index < text.endIndex {
        if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
            let high = text[index + 1].hexDigitValue, let low = text[index + 2].hexDigitValue
        {
            result.append(UInt8(high << 4 | low))
            index += 3
        } else {
            result.append(text[index] == UInt8(ascii: "+") ? 0x20 : text[index])
            index += 1
        }
    }
    return String(decoding: result, as: UTF8.self).comparable
}
