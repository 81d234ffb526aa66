private import Diagnostics
private import Markup

/// The columns of a table that no preset knows, and what of a link each of them is.
struct ColumnChoice {
    private let titles: [String]
    private let examples: [String]

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

    /// What other services call them, without letter case and blanks.
    private static let guesses: [String: String] = [
        "url": "destination", "longurl": "destination", "target": "destination",
        "targeturl": "destination", "destinationurl": "destination",
        "originalurl": "destination", "link": "slug", "shorturl": "slug", "shortlink": "slug",
        "code": "slug", "shortcode": "slug", "backhalf": "slug", "keyword": "slug",
        "title": "page.title", "name": "page.title", "description": "note", "comment": "note",
        "comments": "note", "labels": "tags", "tag": "tags", "createdat": "created",
        "date": "created", "expires": "until", "expiresat": "until", "id": "externalId",
    ]

    init(_ content: [UInt8]) {
        var reader = CSVReader(recordBytesMax: 65_536, cellsMax: Self.columnsMax)
        reader.add(content)
        titles = ((try? reader.next(isEnd: true))?.cells ?? []).map(\.trimmed)
        examples = (try? reader.next(isEnd: true))?.cells ?? []
    }

    var isEmpty: Bool { titles.allSatisfy(\.isEmpty) }

    /// A row for each column: its heading, what the first line has in it, and the choice.
    func write(_ page: inout PageWriter) {
        page.raw("<table class=\"links\">\n<thead><tr>")
        for text in [ConsoleText.theirColumn, .theirExample, .ourColumn] { page.heading(text) }
        page.raw("</tr></thead>\n<tbody>\n")
        var taken = Set<String>()
        for (index, title) in titles.enumerated() where !title.isEmpty {
            page.raw("<tr><th scope=\"row\">")
            page.hidden("theirs.\(index)", title)
            page.raw("<label")
            page.attribute("for", "ours.\(index)")
            page.raw(">")
            page.value(title)
            page.raw("</label></th><td class=\"long quiet\">")
            let example = index < examples.count ? examples[index] : ""
            page.value(
                String(String.UnicodeScalarView(example.unicodeScalars.prefix(80))))
            page.raw("</td><td><select")
            page.attribute("id", "ours.\(index)")
            page.attribute("name", "ours.\(index)")
            page.raw(">\n")
            var guess = Self.guess(title)
            if !taken.insert(guess).inserted { guess = "" }
            for choice in Self.choices {
                page.option(
                    choice.name, page.filled(choice.text),
                    isChosen: choice.name == guess)
            }
            page.raw("</select></td></tr>\n")
        }
        page.raw("</tbody></table>\n")
    }

    private static func guess(_ title: String) -> String {
        let folded = String(
            decoding: title.utf8.compactMap { byte -> UInt8? in
                switch byte {
                case 0x41...0x5A: byte | 0x20
                case 0x20, 0x09, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): nil
                default: byte
                }
            }, as: UTF8.self
        )
        if let guess = guesses[folded] { return guess }
        return choices.first { $0.name.utf8.elementsEqual(folded.utf8) }?.name ?? ""
    }
}
