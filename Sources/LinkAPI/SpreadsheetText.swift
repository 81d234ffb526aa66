import Diagnostics

/// The texts of cells without the changes that spreadsheets and people make.
enum SpreadsheetText {
    /// The text of a cell: with line feeds at its line ends, whichever its program writes.
    /// - Parameter trims: whether blanks around it are left out.
    static func read(_ cell: String, trims: Bool) -> String {
        var bytes = ArraySlice(cell.utf8)
        if bytes.contains(0x0D) {
            var lines = [UInt8]()
            var wasReturn = false
            for byte in bytes {
                if byte == 0x0D { lines.append(0x0A) }
                if byte != 0x0D, byte != 0x0A || !wasReturn { lines.append(byte) }
                wasReturn = byte == 0x0D
            }
            bytes = lines[...]
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return trims ? withoutBlanks(text) : text
    }

    /// The damage that a spreadsheet has done to a value, in words; nil if it is a text.
    static func damage(_ cell: String) -> String? {
        let bytes = cell.utf8
        guard bytes.count <= textBytesMax else { return nil }
        if errors.contains(where: { $0.utf8.elementsEqual(bytes) }) {
            return "what a spreadsheet writes where it could not compute a cell"
        }
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "E")),
            bytes.first.map({ 0x31...0x39 ~= $0 }) == true
        else { return nil }
        let (digits, exponent) = (bytes[..<sign], bytes[bytes.index(after: sign)...])
        let isNumber =
            digits.allSatisfy { 0x30...0x39 ~= $0 || ".,".utf8.contains($0) }
            && exponent.first == UInt8(ascii: "+") && exponent.count > 1
            && exponent.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
        return isNumber ? "a number as a spreadsheet shortens it" : nil
    }

    private static let textBytesMax = 32
    /// In English, German, French, Spanish and Italian.
    private static let errors = [
        "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NULL!", "#NUM!", "#SPILL!", "#BEZUG!",
        "#WERT!", "#NV", "#ZAHL!", "#NOM?", "#VALEUR!", "#NOMBRE!", "#\u{00A1}REF!",
        "#\u{00BF}NOMBRE?", "#\u{00A1}VALOR!", "#NOME?", "#RIF!", "#VALORE!",
    ]
}
