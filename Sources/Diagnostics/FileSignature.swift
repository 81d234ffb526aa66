/// The first bytes of files that people take for text.
package enum FileSignature {
    /// All that is looked at, so that the answer does not depend on how many bytes have come.
    private static let textBytes = 64
    /// Names within a ZIP file say which program has written it.
    private static let archiveBytes = 4_096
    private static let archive: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// The number of bytes that tell the kind of a file that begins with these.
    package static func bytesNeeded(_ bytes: [UInt8]) -> Int {
        bytes.starts(with: archive) ? archiveBytes : textBytes
    }

    /// The kind of a file that begins with these bytes, and how to make a table of it; nil for a text.
    package static func otherFile(_ bytes: [UInt8]) -> (words: String, advice: String)? {
        if bytes.starts(with: archive) { return spreadsheet(bytes.prefix(archiveBytes)) }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return ("an Excel file (.xls)", save) }
        if bytes.starts(with: [0x1F, 0x8B]) {
            return ("a compressed file (gzip)", "decompress it first: `gunzip FILE`")
        }
        if bytes.starts(with: "%PDF".utf8) { return ("a PDF file", export) }
        let isHalf = bytes.count >= 2 && (bytes[0] == 0) != (bytes[1] == 0)
        if isHalf { return ("UTF-16 without a byte-order mark", save) }
        let start = bytes.prefix(textBytes).drop { $0 <= 0x20 }
        if start.first == UInt8(ascii: "<"), let next = start.dropFirst().first,
            0x41...0x5A ~= next & 0xDF || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
        {
            return ("HTML or XML", export)
        }
        return nil
    }

    private static func spreadsheet(_ bytes: ArraySlice<UInt8>) -> (words: String, advice: String) {
        func has(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
        if has("application/vnd.oasis.opendocument") {
            return ("a file of LibreOffice (.ods)", saveThere)
        }
        if has("[Content_Types].xml") || has("xl/") || has("docProps/") {
            return ("an Excel file (.xlsx)", save)
        }
        if has(".iwa") || has("Index/") || has("preview") { return ("a Numbers file", export) }
        return ("a ZIP file, which spreadsheets are, too", "unpack it, or " + export)
    }

    private static let save =
        "in Excel, save it as \"CSV UTF-8 (Comma delimited)\"; the other CSV formats are not UTF-8"
    private static let saveThere =
        "in LibreOffice, save it as \"Text CSV\" with the character set Unicode (UTF-8)"
    private static let export = "export it as CSV with the encoding UTF-8"
}
