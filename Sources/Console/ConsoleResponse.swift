internal import Markup

/// An answer of the console, with every field that its content and its safety need. The handler adds what belongs to the
/// connection, and cookies of sessions.
package struct ConsoleResponse: Sendable {
    package let status: Int
    package var fields: [(name: String, value: String)]
    package let type: String
    package let content: [UInt8]

    init(
        _ status: Int, type: String = "text/html; charset=utf-8",
        fields: [(name: String, value: String)] = [], _ content: [UInt8]
    ) {
        (self.status, self.type, self.content) = (status, type, content)
        self.fields = fields + ConsoleAssets.fields
    }

    /// Another page instead, which is asked for with GET (RFC 9110 §15.4.4).
    /// - Parameter location: a path of the console. A character that a field cannot have is escaped in it already.
    static func other(_ location: String) -> ConsoleResponse {
        ConsoleResponse(303, fields: [("Location", location)], [])
    }

    /// A file that the browser saves.
    /// - Parameters:
    ///   - name: of characters that a field can have.
    ///   - answer: the answer of the API that is the file.
    static func file(_ name: String, _ answer: ConsoleAPI.Answer) -> ConsoleResponse {
        file(name, type: answer.type, answer.content)
    }

    static func file(_ name: String, type: String, _ content: [UInt8]) -> ConsoleResponse {
        ConsoleResponse(
            200, type: type,
            fields: [("Content-Disposition", "attachment; filename=\"\(name)\"")], content)
    }
}
