/// A bound on the values and names of a text of JSON, which take memory beside the text, however short they are. Each begins the
/// text, or stands behind one of these signs; those within strings count, too.
package func jsonValueCountMax(_ text: [UInt8]) -> Int {
    1
        + text.count {
            switch $0 {
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"): true
            default: false
            }
        }
}

/// The same without those within strings, where the text may be JSON; a reader that goes on behind a fault may take what is
/// within them for values.
func jsonValueCountBesideStrings(_ text: [UInt8]) -> Int {
    var (count, isInString, isEscaped, isBehindString) = (1, false, false, false)
    for byte in text {
        if isInString {
            guard byte >= 0x20 else { return jsonValueCountMax(text) }
            if isEscaped || byte == UInt8(ascii: "\\") {
                isEscaped.toggle()
            } else if byte == UInt8(ascii: "\"") {
                (isInString, isBehindString) = (false, true)
            }
            continue
        }
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"): (count, isBehindString) = (count + 1, false)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): isBehindString = false
        case 0x20, 0x09, 0x0A, 0x0D: break
        case _ where isBehindString: return jsonValueCountMax(text)
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
        default: break
        }
    }
    return count
}
