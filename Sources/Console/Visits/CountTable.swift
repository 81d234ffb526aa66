internal import JSONSyntax
private import Markup

/// The visits of people by one thing, as a table with bars.
struct CountTable {
    let title: ConsoleText
    let rows: [(name: String, count: Int)]
    private let table: PagePath
    /// The sentence about rows that the table leaves out, with its values.
    var note: (ConsoleText, [String: String])?
    /// Texts for values that are no names.
    private let known: [String: ConsoleText]
    private let isOfCountries: Bool
    /// The line that belongs below countries; nil for none.
    var attribution: String?

    /// - Parameters:
    ///   - member: of each row that names it.
    ///   - table: the path of all rows as a table for spreadsheets.
    init(
        _ title: ConsoleText, _ answer: ConsoleAPI.Answer, _ member: String, table: PagePath
    ) {
        (self.title, self.table) = (title, table)
        isOfCountries = member == "country"
        known = isOfCountries ? Self.countries : Self.known
        let found = (answer.json?["rows"]?.elements ?? []).map { row in
            (name: row[member]?.text ?? "", count: row["visits"]?.count ?? 0)
        }
        rows = Array(found.sorted { $0.count > $1.count }.prefix(12))
    }

    func write(_ page: inout PageWriter) {
        page.raw("<section class=\"counts\">\n")
        page.element("h3", title)
        if rows.isEmpty {
            page.hint(.nothingCounted)
        } else {
            page.table(title, style: "", []) { page in
                for row in rows {
                    page.raw("<tr><th scope=\"row\">")
                    if let known = known[row.name] {
                        page.words(known)
                    } else {
                        page.value(isOfCountries ? page.country(row.name) : row.name)
                    }
                    page.raw("</th>")
                    page.barCell(row.count, of: rows[0].count)
                    page.cell(row.count)
                    page.raw("</tr>\n")
                }
            }
            if isOfCountries, let attribution { page.attribution(attribution) }
            if let note { page.hint(note.0, note.1) }
            page.download(table)
        }
        page.raw("</section>\n")
    }

    /// Texts for visits of which no country is named.
    static let countries: [String: ConsoleText] = [
        "other": .otherCountries, "unknown": .unknownCountry,
    ]

    /// Texts for the values that visits have.
    static let known: [String: ConsoleText] = [
        "ios": .iPhone, "ipad": .iPad, "android": .android, "desktop": .desktop,
        "page": .sawPage, "redirect": .wasRedirected, "store": .wentToStore, "": .directly,
        "(others)": .allOthers,
    ]
}
