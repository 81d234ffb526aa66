import QRCodes

/// The QR codes of several links on pages, which are still to be drawn. This takes some milliseconds for each, and no store.
package struct CodeSheet: Equatable, Sendable {
    /// A link as it stands below its code.
    struct Entry: Equatable, Sendable {
        let url: String
        let title: String?
    }

    let entries: [Entry]
    /// The side of each; nil for the usual one.
    let millimetres: Int?

    /// The sides in millimetres that a code may have with its margin.
    static let millimetres = CodeDrawing.millimetres.lowerBound...QRSheet.millimetresMax

    /// The bytes that drawing it takes at most: the operators of each code, of which a longer URL has more.
    var memoryBytes: Int { entries.reduce(0) { $0 + 32_768 + 128 * $1.url.utf8.count } }

    /// - Returns: the type and the bytes of the pages.
    func draw() throws(Problem) -> (type: String, content: [UInt8]?) {
        var items = [QRSheet.Item]()
        var largest: QRPicture?
        for entry in entries {
            guard let code = QRCode(Array(entry.url.utf8), .medium) else {
                throw Problem(.urlTooLong)
            }
            let picture = QRPicture(code, margin: QRCode.marginModules, label: entry.url)
            if largest.map({ $0.side < picture.side }) ?? true { largest = picture }
            let scheme = "https://"
            let isSecure = entry.url.utf8.starts(with: scheme.utf8)
            let address = entry.url.utf8.dropFirst(isSecure ? scheme.utf8.count : 0)
            items.append(
                QRSheet.Item(
                    picture,
                    lines: [String(decoding: address, as: UTF8.self)]
                        + [entry.title].compactMap(\.self)))
        }
        guard let largest else { throw .notFound }
        let side = try CodeDrawing.checked(millimetres, largest)
        return ("application/pdf", QRSheet(items, millimetres: side).pdf())
    }
}
