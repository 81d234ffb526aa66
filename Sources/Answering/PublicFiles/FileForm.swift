import HTTPMessages

/// A file in one coding, or what is generated like one: the heads of its answers, and its content.
final class FileForm: Sendable {
    /// The bytes of the heads; those of `representation` are ranges of them.
    let heads: [UInt8]
    /// Its `body` is a range of the content.
    let representation: Representation
    let content: Source

    enum Source: Sendable {
        case memory([UInt8])
        /// Of a file that holds this form: it is not named here, or neither were ever freed.
        case disk(bytes: Int)
    }

    /// The form of a resource whose heads and content stand in `store`.
    init(_ representation: Representation, in store: [UInt8]) {
        (heads, self.representation, content) = (store, representation, .memory(store))
    }

    /// - Parameters:
    ///   - tag: the entity tag without its quotes.
    ///   - modified: seconds since 1970.
    init(_ content: Source, fields: [String], tag: String, modified: Int?) {
        let count =
            switch content {
            case .memory(let bytes): bytes.count
            case .disk(let bytes): bytes
            }
        var store = ResponseBytes()
        let prepared = store.addHeads(
            count: count, entityTag: "\"\(tag)\"", modified: modified, fields: fields)
        heads = store.joined()
        representation = Representation(
            head: prepared.head, notModified: prepared.notModified,
            sharedFields: prepared.sharedFields, contentType: prepared.contentType,
            body: 0..<count, validators: prepared.validators)
        self.content = content
    }
}
