private import Diagnostics
private import Markup

/// The columns of a table that no preset knows, and what of a link each of them is.
struct ColumnChoice {
    private let titles: [String]
    private let examples: [String]
    private let picks: [ImportForm.Pick]

    /// More columns are not kept.
    private static let columnsMax = 60

    /// The members of a link that a column may be, with the words of a colleague.
    private static let choices: [(name: String, text: ConsoleText)] = [
        ("", .columnNotKept), ("destination", .destination), ("slug", .slug),
        ("page.title", .linkTitle), ("page.description", .linkDescription), ("tags", .tags),
        ("note", .note), ("aliases", .aliases), ("from", .from), ("until", .until),
        ("created", .made), ("archived", .wasArchived), ("collection", .collection),
        ("externalId", .externalID), ("page.image", .picture),
    ]

    /// The members, by the names that other services give them, in lower case and without blanks.
    private static let guesses: [String: String] = [
        "url": "destination", "longurl": "destination", "target": "destination",
        "targeturl": "destination", "destinationurl": "destination",
        "originalurl": "destination", "link": "slug", "shorturl": "slug", "shortlink": "slug",
        "code": "slug", "shortcode": "slug", "backhalf": "slug", "keyword": "slug",
        "title": "page.title", "name": "page.title", "description": "note", "comment": "note",
        "comments": "note", "labels": "tags", "tag": "tags", "createdat": "created",
        "date": "created", "expires": "until", "expiresat": "until", "id": "externalId",
        "destinationlink": "destination", "ziel": "destination", "zielurl": "destination",
        "zieladresse": "destination", "ziellink": "destination", "adresse": "destination",
        "webadresse": "destination", "kürzel": "slug", "kurzname": "slug", "kurzlink": "slug",
        "kurzurl": "slug", "titel": "page.title", "bezeichnung": "page.title",
        "beschreibung": "page.description", "bemerkung": "note", "bemerkungen": "note",
        "hinweis": "note", "notiz": "note", "notizen": "note", "kommentar": "note",
        "schlagwörter": "tags", "schlagworte": "tags", "stichwörter": "tags",
        "etiketten": "tags", "erstellt": "created", "erstelltam": "created",
        "angelegt": "created", "datum": "created", "gültigab": "from", "beginn": "from",
        "gültigbis": "until", "ablauf": "until", "endet": "until", "sammlung": "collection",
        "bild": "page.image", "image": "page.image", "archiviert": "archived",
    ]

    /// - Parameter picks: what was chosen before, also for another table.
    init(_ content: [UInt8], picks: [ImportForm.Pick] = []) {
        var reader = CSVReader(recordBytesMax: 65_536, cellsMax: Self.columnsMax)
        reader.add(content)
        titles = ((try? reader.next(isEnd: true))?.cells ?? []).map(\.trimmed)
        examples = (try? reader.next(isEnd: true))?.cells ?? []
        self.picks = picks
    }

    var isEmpty: Bool { titles.allSatisfy(\.isEmpty) }

    /// The service whose export has such headings; nil if none is known.
    var service: String? { ImportFormat.service(of: Set(titles.map(Self.folded))) }

    /// The first column that may be chosen.
    var first: Int { titles.firstIndex { !$0.isEmpty && !isDouble($0) } ?? 0 }

    /// Whether several columns have this heading, so that none of them can be named.
    private func isDouble(_ title: String) -> Bool {
        titles.lazy.filter { $0.isScalarwise(title) }.count > 1
    }

    private func example(_ index: Int) -> String {
        let example = index < examples.count ? examples[index] : ""
        return String(String.UnicodeScalarView(example.unicodeScalars.prefix(80)))
    }

    /// A row for each column: its heading, what the first line has in it, and the choice.
    func write(_ page: inout PageWriter) {
        page.raw("<table class=\"links choices\">\n<thead><tr>")
        for text in [ConsoleText.theirColumn, .theirExample, .ourColumn] { page.heading(text) }
        page.raw("</tr></thead>\n<tbody>\n")
        var taken = Set<String>()
        for (index, title) in titles.enumerated() {
            if title.isEmpty, example(index).isEmpty { continue }
            let isOpen = !title.isEmpty && !isDouble(title)
            page.raw("<tr><th scope=\"row\">")
            if !title.isEmpty { page.hidden("theirs.\(index)", title) }
            if isOpen {
                page.raw("<label")
                page.attribute("for", "ours.\(index)")
                page.raw(">")
                page.value(title)
                page.raw("</label>")
            } else if title.isEmpty {
                page.words(.columnNumber, ["number": "\(index + 1)"])
            } else {
                page.value(title)
            }
            page.raw("</th><td class=\"long quiet\">")
            page.value(example(index))
            page.raw("</td><td>")
            if isOpen {
                writeList(index, chosen(index, title, &taken), &page)
            } else {
                page.words(title.isEmpty ? .columnUnnamed : .columnDouble)
            }
            page.raw("</td></tr>\n")
        }
        page.raw("</tbody></table>\n")
    }

    private func writeList(_ index: Int, _ chosen: String, _ page: inout PageWriter) {
        page.raw("<select")
        page.attribute("id", "ours.\(index)")
        page.attribute("name", "ours.\(index)")
        page.raw(">\n")
        for choice in Self.choices {
            page.option(
                choice.name, page.filled(choice.text),
                isChosen: choice.name.isScalarwise(chosen))
        }
        page.raw("</select>")
    }

    /// The member that was chosen for a column, or else the one that its heading suggests.
    private func chosen(_ index: Int, _ title: String, _ taken: inout Set<String>) -> String {
        if let pick = picks.first(where: { $0.number == index && $0.theirs.isScalarwise(title) }) {
            return pick.ours
        }
        let guess = Self.guess(title)
        return taken.insert(guess).inserted ? guess : ""
    }

    private static func folded(_ title: String) -> String {
        String(
            decoding: title.lowercased().utf8.filter {
                $0 != 0x20 && $0 != 0x09 && !"_-./".utf8.contains($0)
            }, as: UTF8.self)
    }

    private static func guess(_ title: String) -> String {
        let folded = folded(title)
        if let guess = guesses[folded] { return guess }
        return choices.first { Self.folded($0.name).utf8.elementsEqual(folded.utf8) }?.name ?? ""
    }
}
