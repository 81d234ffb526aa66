/// The form of what is imported: a table of ours, or one that another service has exported.
enum ImportFormat {
    /// As a form names them, with the titles that services give themselves. The first is taken by default.
    static let services: [(name: String, title: String)] = [
        ("bitly", "Bitly"), ("branch", "Branch"), ("dub", "Dub"),
        ("firebase", "Firebase Dynamic Links"), ("kutt", "Kutt"), ("rebrandly", "Rebrandly"),
        ("shlink", "Shlink"), ("short.io", "Short.io"), ("tinyurl", "TinyURL"),
        ("yourls", "YOURLS"),
    ]

    /// Headings by which the export of a service is known, without letter case and what joins words.
    private static let marks: [(title: String, headings: Set<String>)] = [
        ("YOURLS", ["keyword", "url", "timestamp"]), ("Rebrandly", ["slashtag", "destination"]),
        ("Shlink", ["shortcode", "longurl"]), ("TinyURL", ["tinyurl", "alias"]),
        ("Short.io", ["originalurl", "path"]),
        ("Short.io", ["originalurl", "shorturl"]), ("Branch", ["~id", "$fallbackurl"]),
        ("Dub", ["key", "domain", "url"]),
        ("Dub", ["shortlink", "destinationurl"]), ("Kutt", ["address", "target"]),
        ("Bitly", ["link", "longurl"]), ("Bitly", ["bitlink", "longurl"]),
        ("Bitly", ["id", "longurl", "archived"]),
    ]

    /// The service whose export has such headings; nil if none is known.
    static func service(of headings: Set<String>) -> String? {
        marks.first { $0.headings.isSubset(of: headings) }?.title
    }

    /// A table of ours (CSV).
    static let table = "csv"
    /// Lines of ours, each with a link in JSON.
    static let lines = "ndjson"
    /// A table of which somebody says by hand what its columns are.
    static let columns = "columns"
    /// The names of all.
    static let all = [table, lines, columns] + services.map(\.name)
}
