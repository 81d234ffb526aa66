/// The items of a query, decoded, in their order (WHATWG URL §5.1). What has too many combining
/// marks in a row is `comparable`, not decoded to them.
package func queryItems(_ query: String) -> [(name: String, value: String)] {
    Array(query.utf8).split(separator: UInt8(ascii: "&")).map { item in
        let equals = item.firstIndex(of: UInt8(ascii: "="))
        let value = equals.map { item[($0 + 1)...] } ?? []
        return (
            percentDecoded(item[..<(equals ?? item.endIndex)], plus: 0x20).comparable,
            percentDecoded(value, plus: 0x20).comparable
        )
    }
}

/// The query of a URL; empty where there is none.
package func query(of url: String) -> String {
    let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return "" }
    return String(decoding: text[text.index(after: mark)...], as: UTF8.self)
}

/// A URL with these query items in place of those that have their names.
package func replacingQueryItems(
    of url: String, with items: [(name: String, value: String)]
) -> String {
    guard !items.isEmpty else { return url }
    let bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?"))
    let others = query(of: url).utf8.split(
        separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
    )
    .map { String(decoding: $0, as: UTF8.self) }
    .filter { other in
        let name = queryItems(other).first?.name ?? ""
        return !items.contains { $0.name.utf8.elementsEqual(name.utf8) }
    }
    .joined(separator: "&")
    let added = items.map { "\($0.name)=\($0.value.queryEscaped)" }
    return String(decoding: bytes[..<(mark ?? end)], as: UTF8.self) + "?"
        + ((others.isEmpty ? [] : [others]) + added).joined(separator: "&")
        + String(decoding: bytes[end...], as: UTF8.self)
}

/// A text with its escapes decoded; bytes that are not UTF-8 are replaced.
/// - Parameter plus: what a plus sign stands for: itself, or in a query a space.
package func percentDecoded(_ text: ArraySlice<UInt8>, plus: UInt8 = UInt8(ascii: "+")) -> String {
    var (result, index) = ([UInt8](), text.startIndex)
    while index < text.endIndex {
        if text[index] == UInt8(ascii: "%"), index + 2 < text.endIndex,
            let high = text[index + 1].hexDigitValue, let low = text[index + 2].hexDigitValue
        {
            result.append(UInt8(high << 4 | low))
            index += 3
        } else {
            result.append(text[index] == UInt8(ascii: "+") ? plus : text[index])
            index += 1
        }
    }
    return String(decoding: result, as: UTF8.self)
}
