import Answering
import URISyntax

/// The items of a form that a page has sent.
struct ConsoleForm: Sendable {
    let items: [(name: String, value: String)]

    /// As much as a request to the API may have.
    static let bytesMax = AppQuestions.contentBytesMax
    private static let itemsMax = 500

    /// Reads what a browser has sent (`application/x-www-form-urlencoded`). Nil for another type, and for more items than
    /// any page has.
    init?(of request: HandledRequest) {
        var content = [UInt8]()
        while case .piece(let bytes) = request.takeContent() { content += bytes }
        let type = (request.head.value(of: "content-type") ?? "").utf8
            .prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        let isForm = String(decoding: type, as: UTF8.self).lowercased()
            .utf8.elementsEqual("application/x-www-form-urlencoded".utf8)
        let count = content.count { $0 == UInt8(ascii: "&") } + 1
        guard content.isEmpty || isForm && count <= Self.itemsMax else { return nil }
        items = queryItems(String(decoding: content, as: UTF8.self))
    }

    func value(_ name: String) -> String? {
        items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
