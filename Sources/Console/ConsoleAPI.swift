internal import Diagnostics
package import JSONSyntax
private import URISyntax

/// The operations of the API, with the rights of one person. Pages show and change everything by them, so the console
/// has no checks of its own.
package struct ConsoleAPI {
    /// A request to the API: the segments of its path after `/v1`, decoded, the items of its query, the fields that it
    /// has besides `Content-Type` and `Authorization`, with names in lower case, and its content or nothing.
    package struct Question: Sendable {
        package let method: String
        package let path: [String]
        package let query: [(name: String, value: String)]
        package let fields: [String: String]
        package let content: [UInt8]?
        /// The type of the content.
        package var type = "application/json"
    }

    /// An answer of the API, with the fields that it sets.
    package struct Answer: Sendable {
        package let status: Int
        package let type: String
        /// By their names as the API writes them, such as `ETag` and `Link`.
        package let fields: [String: String]
        package let content: [UInt8]
        /// The content as JSON, which is read once; nil if it is none.
        package let json: JSONValue?

        package init(status: Int, type: String, fields: [String: String], content: [UInt8]) {
            (self.status, self.type, self.fields, self.content) = (status, type, fields, content)
            let isJSON = ["application/json", "application/problem+json"].contains(type)
            json = isJSON ? JSONDocument(content, file: "").root : nil
        }

        /// The place behind the last link of a list, where there are more.
        var after: String? {
            guard let field = fields["Link"],
                let mark = field.utf8.firstIndex(of: UInt8(ascii: "?")),
                let end = field.utf8.firstIndex(of: UInt8(ascii: ">")), mark < end
            else { return nil }
            let query = String(decoding: field.utf8[mark..<end].dropFirst(), as: UTF8.self)
            return queryItems(query).last { $0.name == "after" }?.value
        }

        package var isSuccess: Bool { (200..<300).contains(status) }
        /// Whether the person has not the rights.
        var isRefused: Bool { status == 403 }
    }

    private let answer: (Question) -> Answer
    private let page: (ServedPage.Question) -> ServedPage?
    /// The state of the server, without a wait; nil for who may not see it.
    let health: () -> ServerHealth?

    /// - Parameters:
    ///   - answer: answers a question, and may wait for the store.
    ///   - page: the page that a client gets; nil for what is none.
    ///   - health: the state of the server, without a wait; nil for who may not see it.
    package init(
        _ answer: @escaping (Question) -> Answer,
        page: @escaping (ServedPage.Question) -> ServedPage? = { _ in nil },
        health: @escaping () -> ServerHealth? = { nil }
    ) {
        (self.answer, self.page, self.health) = (answer, page, health)
    }

    /// The page that a URL has for a client, for whom the API has explained it.
    func page(
        _ url: String, as client: String, in language: String, _ draft: ServedPage.Draft? = nil
    ) -> ServedPage? {
        page(ServedPage.Question(url: url, client: client, language: language, draft: draft))
    }

    func ask(
        _ method: String, _ path: [String], query: [(name: String, value: String)] = [],
        _ json: JSONText? = nil, fields: [String: String] = [:]
    ) -> Answer {
        answer(
            Question(
                method: method, path: path, query: query, fields: fields,
                content: json.map { Array($0.compact.utf8) }))
    }

    /// Sends the lines of an import.
    func importLines(
        _ content: [UInt8], type: String, query: [(name: String, value: String)],
        fields: [String: String] = [:]
    ) -> Answer {
        answer(
            Question(
                method: "POST", path: ["import"], query: query, fields: fields, content: content,
                type: type))
    }

    /// The collections that the person may see; none if the store does not answer.
    var collections: [JSONValue] {
        ask("GET", ["collections"]).json?["collections"]?.elements ?? []
    }
}
