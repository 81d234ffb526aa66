/// Several texts in one cell, with commas between them. A text with a comma, with a quote at its
/// beginning, or with blanks around it is in quotes, which are doubled within.
package enum TableList {
    package static func cell(_ texts: [String]) -> String {
        texts.map(TableCell.listed).joined(separator: ",")
    }

    /// - Returns: nil if a quote is not closed, or text follows it.
    package static func texts(_ cell: String) -> [String]? {
        var (texts, text) = ([String](), [UInt8]())
        var (isOpen, wasQuoted) = (false, false)
        func end() {
            let plain = String(decoding: text, as: UTF8.self)
            let trimmed = wasQuoted ? plain : withoutBlanks(plain)
            if wasQuoted || !trimmed.isEmpty { texts.append(trimmed) }
            (text, wasQuoted) = ([], false)
        }
        var rest = cell.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\"") where isOpen:
                if rest.first == byte {
                    rest.removeFirst()
                    text.append(byte)
                } else {
                    isOpen = false
                }
            case _ where isOpen: text.append(byte)
            case UInt8(ascii: ","): end()
            case 0x20 where wasQuoted || text.isEmpty: break
            case UInt8(ascii: "\"") where !wasQuoted && text.isEmpty:
                (isOpen, wasQuoted) = (true, true)
            case _ where wasQuoted: return nil
            default: text.append(byte)
            }
        }
        guard !isOpen else { return nil }
        end()
        return texts
    }
}
