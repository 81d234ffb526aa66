import Answering
import URISyntax

/// The items of a form that a page has sent.
struct ConsoleForm: Sendable {
    let items: [(name: String, value: String)]

    /// As much as a request to the API may have.
    static let bytesMax = AppQuestions.contentBytesMax
    private static let itemsMax = 500

    /// The reason for which a form is not taken.
    enum Fault: Error {
        /// It has more items than any page has.
        case tooLong
        case otherType
    }

    /// Reads what a browser has sent (`application/x-www-form-urlencoded`).
    init(of request: HandledRequest) throws(Fault) {
        var content = [UInt8]()
        while case .piece(let bytes) = request.takeContent() { content += bytes }
        let type = (request.head.value(of: "content-type") ?? "").utf8
            .prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        let isForm = String(decoding: type, as: UTF8.self).lowercased()
            .utf8.elementsEqual("application/x-www-form-urlencoded".utf8)
        guard content.isEmpty || isForm else { throw .otherType }
        guard content.count(where: { $0 == UInt8(ascii: "&") }) < Self.itemsMax else {
            throw .tooLong
        }
        items = queryItems(String(decoding: content, as: UTF8.self))
    }

    func value(_ name: String) -> String? {
        items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
