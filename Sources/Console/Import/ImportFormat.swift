/// The form of what is imported: a table of ours, or one that another service has exported.
enum ImportFormat {
    /// As a form names them, with the titles that services give themselves. The first is taken by default.
    static let services: [(name: String, title: String)] = [
        ("bitly", "Bitly"), ("branch", "Branch"), ("dub", "Dub"),
        ("firebase", "Firebase Dynamic Links"), ("kutt", "Kutt"), ("rebrandly", "Rebrandly"),
        ("shlink", "Shlink"), ("short.io", "Short.io"), ("tinyurl", "TinyURL"),
        ("yourls", "YOURLS"),
    ]

    /// A table of ours (CSV).
    static let table = "csv"
    /// Lines of ours, each with a link in JSON.
    static let lines = "ndjson"
    /// A table of which somebody says by hand what its columns are.
    static let columns = "columns"
}
