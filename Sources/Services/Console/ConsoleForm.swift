import Answering
import Console
import HTTPMessages
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

    /// The most bytes of the form of an import: a table that comes back, a third longer, another one that takes its place,
    /// and the choices.
    static let importBytesMax = 5 * 1_048_576

    /// The most bytes that the form of a request may have.
    static func bytesMax(of head: HandledHead) -> Int { isImport(head) ? importBytesMax : bytesMax }

    /// Whether a request sends a table that is to be imported.
    static func isImport(_ head: HandledHead) -> Bool {
        head.method == .post && head.path.utf8.elementsEqual("/console/import".utf8)
    }

    init() { items = [] }

    /// Reads the content of a request whose content has come whole.
    init(of request: HandledRequest) throws(Fault) {
        var content = [UInt8]()
        while case .piece(let bytes) = request.takeContent() { content += bytes }
        try self.init(content, request.head)
    }

    /// Reads what a browser has sent: `application/x-www-form-urlencoded`, or `multipart/form-data`, where the bytes of a
    /// file become base64url, and its name an item of its own.
    init(_ content: [UInt8], _ head: HandledHead) throws(Fault) {
        let type = head.value(of: "content-type") ?? ""
        let media = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
        switch String(decoding: media, as: UTF8.self).lowercased() {
        case "application/x-www-form-urlencoded":
            guard content.count(where: { $0 == UInt8(ascii: "&") }) < Self.itemsMax else {
                throw .tooLong
            }
            items = queryItems(String(decoding: content, as: UTF8.self))
        case "multipart/form-data" where Self.isImport(head):
            guard let form = try? MultipartForm(content, type: type) else { throw .otherType }
            items = form.parts.flatMap { part in
                guard let fileName = part.fileName else {
                    // A pasted table is bytes, which one cell with many marks must not change.
                    let text = String(decoding: part.content, as: UTF8.self)
                    let isTable = part.name.utf8.elementsEqual("text".utf8)
                    return [(name: part.name.comparable, value: isTable ? text : text.comparable)]
                }
                return [
                    (name: part.name.comparable, value: base64URL(part.content)),
                    (name: part.name.comparable + ".name", value: fileName.comparable),
                ]
            }
        case _ where content.isEmpty: items = []
        default: throw .otherType
        }
    }

    /// The page of the console that was asked for before somebody had to sign in.
    var next: String? { value("next").flatMap { Console.isOwn($0, "/console/") ? $0 : nil } }

    func value(_ name: String) -> String? {
        items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
