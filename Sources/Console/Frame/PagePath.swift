internal import URISyntax

/// A path of the console with its query, escaped.
struct PagePath: Sendable {
    private let segments: [String]
    private var query = [(name: String, value: String)]()

    /// - Parameter segments: none for the first page.
    init(_ segments: String...) { self.segments = segments }

    init(_ segments: [String]) { self.segments = segments }

    /// The same with an item of the query; without it if the value is nil or empty.
    func with(_ name: String, _ value: String?) -> PagePath {
        guard let value, !value.isEmpty else { return self }
        var path = self
        path.query.append((name, value))
        return path
    }

    func text(below base: String) -> String {
        var text = base + segments.map(\.queryEscaped).joined(separator: "/")
        for (index, item) in query.enumerated() {
            text +=
                (index == 0 ? "?" : "&") + item.name.queryEscaped + "=" + item.value.queryEscaped
        }
        return text
    }
}
