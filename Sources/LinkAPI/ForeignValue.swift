import Diagnostics
import URISyntax

/// Values as the tables of other services write them.
enum ForeignValue {
    /// Texts with bars or commas between them.
    static func list(_ text: String) -> [String] {
        let bar = UInt8(ascii: "|")
        if !text.utf8.contains(bar), let texts = TableList.texts(text) { return texts }
        let separator = text.utf8.contains(bar) ? bar : UInt8(ascii: ",")
        return text.utf8.split(separator: separator)
            .map { withoutBlanks(String(decoding: $0, as: UTF8.self)) }.filter { !$0.isEmpty }
    }

    static func truth(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "yes", "y": true
        case "0", "no", "n": false
        default: TableCell.truth(text)
        }
    }
}
