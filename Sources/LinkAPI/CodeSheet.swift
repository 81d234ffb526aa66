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

    /// Draws the codes.
    package var response: APIResponse {
        do throws(Problem) {
            return try draw()
        } catch {
            return error.response
        }
    }

    private func draw() throws(Problem) -> APIResponse {
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
        guard let pdf = QRSheet(items, millimetres: side).pdf() else { throw CodeDrawing.noMemory }
        var response = APIResponse(200)
        (response.type, response.content) = ("application/pdf", pdf)
        return response
    }
}

/// What is to be drawn for an answer.
package enum DrawnAnswer: Equatable, Sendable {
    case code(CodeDrawing)
    case sheet(CodeSheet)

    /// Draws it.
    package var response: APIResponse {
        switch self {
        case .code(let code): code.response
        case .sheet(let sheet): sheet.response
        }
    }
}
