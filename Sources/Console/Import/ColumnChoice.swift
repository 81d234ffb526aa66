internal import Diagnostics
private import Markup

/// The columns of a table that no preset knows, and what of a link each of them is.
struct ColumnChoice {
    private let titles: [String]
    /// The reason for which the content cannot be read as a table; nil if it can.
    let fault: TableFault?
    private let examples: [String]
    private let picks: [ImportForm.Pick]

    /// More columns are not kept.
    private static let columnsMax = 60
    /// The lines in which examples are looked for.
    private static let linesMax = 100

    /// The members of a link that a column may be, with the words of a colleague.
    private static let choices: [(name: String, text: ConsoleText)] = [
        ("", .columnNotKept), ("destination", .destination), ("slug", .slug),
        ("page.title", .linkTitle), ("page.description", .linkDescription), ("tags", .tags),
        ("note", .note), ("aliases", .aliases), ("from", .from), ("until", .until),
        ("created", .made), ("archived", .wasArchived), ("collection", .collection),
        ("externalId", .externalID), ("page.image", .picture), ("utm_source", .utmSource),
        ("utm_medium", .utmMedium), ("utm_campaign", .utmCampaign), ("utm_term", .utmTerm),
        ("utm_content", .utmContent),
        ("web.ios", .onIPhone), ("web.ipad", .onIPad), ("web.android", .onAndroid),
        ("web.desktop", .onDesktop), ("web.default", .onOthers), ("after", .after),
        ("app.path", .appPath), ("app.data", .appData),
    ]

    /// The members, by the words of the list in each language, in lower case and without blanks.
    private static let ownWords: [String: String] = choices.reduce(into: [:]) { words, choice in
        for language in ConsoleLanguage.allCases where !choice.name.isEmpty {
            words[Self.folded(choice.text(language))] = choice.name
        }
    }

    /// The members, by the names that other services give them, in lower case and without blanks.
    private static let guesses: [String: String] = [
        "url": "destination", "longurl": "destination", "target": "destination",
        "targeturl": "destination", "destinationurl": "destination",
        "originalurl": "destination", "link": "slug", "shorturl": "slug", "shortlink": "slug",
        "code": "slug", "shortcode": "slug", "backhalf": "slug", "keyword": "slug",
        "title": "page.title", "name": "page.title", "description": "note", "comment": "note",
        "comments": "note", "labels": "tags", "tag": "tags", "createdat": "created",
        "date": "created", "expires": "until", "expiresat": "until", "id": "externalId",
        "start": "from", "startdate": "from", "validfrom": "from", "end": "until",
        "enddate": "until", "validuntil": "until", "validto": "until", "startdatum": "from",
        "startet": "from", "ende": "until", "enddatum": "until", "gültigvon": "from",
        "destinationlink": "destination", "ziel": "destination", "zielurl": "destination",
        "zieladresse": "destination", "ziellink": "destination", "adresse": "destination",
        "webadresse": "destination", "kürzel": "slug", "kurzname": "slug", "kurzlink": "slug",
        "kurzurl": "slug", "titel": "page.title", "bezeichnung": "page.title",
        "beschreibung": "page.description", "bemerkung": "note", "bemerkungen": "note",
        "hinweis": "note", "notiz": "note", "notizen": "note", "kommentar": "note",
        "schlagwörter": "tags", "schlagworte": "tags", "stichwörter": "tags",
        "etiketten": "tags", "erstellt": "created", "erstelltam": "created",
        "angelegt": "created", "datum": "created", "gültigab": "from", "beginn": "from",
        "gültigbis": "until", "läuftbis": "until", "ablauf": "until", "endet": "until",
        "sammlung": "collection", "überschrift": "page.title", "kanal": "utm_medium",
        "werbemittel": "utm_content",
        "kampagne": "utm_campaign", "campaign": "utm_campaign", "kampagnenname": "utm_campaign",
        "campaignname": "utm_campaign",
        "bild": "page.image", "image": "page.image", "archiviert": "archived",
    ]

    /// - Parameter picks: what was chosen before, also for another table.
    init(_ content: [UInt8], picks: [ImportForm.Pick] = []) {
        var reader = CSVReader(recordBytesMax: 65_536, cellsMax: Self.columnsMax)
        reader.add(content)
        do throws(TableFault) {
            titles = (try reader.next(isEnd: true)?.cells ?? []).map(\.trimmed)
            fault = nil
        } catch {
            (titles, fault) = ([], error)
        }
        var examples = [String](repeating: "", count: titles.count)
        for _ in 0..<Self.linesMax {
            guard let record = try? reader.next(isEnd: true) else { break }
            for (index, cell) in record.cells.enumerated()
            where index < examples.count && examples[index].isEmpty { examples[index] = cell }
        }
        (self.examples, self.picks) = (examples, picks)
    }

    var isEmpty: Bool { titles.allSatisfy(\.isEmpty) }

    /// The service whose export has such headings; nil if none is known.
    var service: String? { ImportFormat.service(of: Set(titles.map(Self.folded))) }

    /// The first column that may be chosen.
    var first: Int { titles.indices.first { isShown($0) && isTakeable($0) } ?? 0 }

    /// Whether it has anything to choose for: a heading, or a cell.
    private func isShown(_ index: Int) -> Bool { !titles[index].isEmpty || !example(index).isEmpty }

    /// The name by which the API knows a column: its heading, or its position where it has none, or shares it with another one.
    private func name(_ index: Int) -> String {
        let title = titles[index]
        let isAlone = titles.lazy.filter { $0.isScalarwise(title) }.count == 1
        return isAlone && !title.isEmpty ? title : "#\(index + 1)"
    }

    /// Whether the API finds the column by its name: a position that is a heading, too, is that heading there.
    private func isTakeable(_ index: Int) -> Bool {
        let own = name(index)
        let count = titles.lazy.filter { $0.isScalarwise(own) }.count
        return count == (own.isScalarwise(titles[index]) ? 1 : 0)
    }

    private func example(_ index: Int) -> String {
        String(String.UnicodeScalarView(examples[index].unicodeScalars.prefix(80)))
    }

    /// A row for each column: its heading, the first cell that it has, and the choice.
    /// - Parameter isWrong: whether something has to be chosen still, beginning with the first.
    func write(isWrong: Bool, _ page: inout PageWriter) {
        let chosen = chosen
        page.table(
            .importColumns, style: "links choices",
            [.text(.theirColumn), .text(.theirExample), .text(.ourColumn)]
        ) { page in
            for index in titles.indices where isShown(index) {
                writeRow(index, chosen[index], isWrong: isWrong && index == first, &page)
            }
        }
    }

    private func writeRow(_ index: Int, _ chosen: String, isWrong: Bool, _ page: inout PageWriter) {
        page.raw("<tr><th scope=\"row\">")
        if isTakeable(index) {
            page.hidden("theirs.\(index)", name(index))
            page.write("<label for=\"ours.\(index)\">")
            writeTitle(index, &page)
            page.raw("</label>")
        } else {
            writeTitle(index, &page)
        }
        page.write("</th><td class=\"long quiet\">\(example(index))</td><td>")
        if isTakeable(index) {
            writeList(index, chosen, isWrong: isWrong, &page)
        } else {
            page.words(.columnNotFound, ["name": name(index)])
        }
        page.raw("</td></tr>\n")
    }

    /// The heading of a column, with its position where the heading is none or not its name.
    private func writeTitle(_ index: Int, _ page: inout PageWriter) {
        let title = titles[index]
        guard !title.isEmpty else { return page.words(.columnNumber, ["number": "\(index + 1)"]) }
        page.value(title)
        guard !name(index).isScalarwise(title) else { return }
        page.write(" <span class=\"quiet\">\(.columnNumber, ["number": "\(index + 1)"])</span>")
    }

    private func writeList(
        _ index: Int, _ chosen: String, isWrong: Bool, _ page: inout PageWriter
    ) {
        page.write("<select id=\"ours.\(index)\" name=\"ours.\(index)\"")
        if isWrong { page.pointToFaults() }
        page.raw(">\n")
        for choice in Self.choices {
            page.option(
                choice.name, page.filled(choice.text),
                isChosen: choice.name.isScalarwise(chosen))
        }
        page.raw("</select>")
    }

    /// The members that were chosen, or else those that headings suggest, each once; where none is a destination, the first column
    /// whose example is an address.
    private var chosen: [String] {
        var (result, taken) = ([String](repeating: "", count: titles.count), Set<String>())
        // What nobody can choose is suggested to be nothing.
        var isChosen = titles.indices.map { !isTakeable($0) }
        for index in titles.indices where !isChosen[index] {
            let own = name(index)
            let pick = picks.first { $0.number == index && $0.theirs.isScalarwise(own) }
            if let pick { (result[index], isChosen[index]) = (pick.ours, true) }
            if let pick, !pick.ours.isEmpty { taken.insert(pick.ours) }
        }
        // What is called exactly so comes before what is called almost so.
        for guess in [Self.guess, Self.nearest] {
            for index in titles.indices where !isChosen[index] && result[index].isEmpty {
                let guess = guess(titles[index])
                if !guess.isEmpty, taken.insert(guess).inserted { result[index] = guess }
            }
        }
        if !taken.contains("destination") {
            let address = titles.indices.first { index in
                !isChosen[index] && result[index].isEmpty
                    && ["https://", "http://"].contains {
                        example(index).utf8.starts(with: $0.utf8)
                    }
            }
            if let address { result[address] = "destination" }
        }
        return result
    }

    private static func folded(_ title: String) -> String {
        String(
            decoding: title.lowercased().utf8.filter {
                $0 != 0x20 && $0 != 0x09 && !"_-./".utf8.contains($0)
            }, as: UTF8.self)
    }

    private static func guess(_ title: String) -> String {
        let folded = folded(title)
        // The list's own words come before those of other services.
        if let own = ownWords[folded] ?? guesses[folded] { return own }
        return choices.first { Self.folded($0.name).utf8.elementsEqual(folded.utf8) }?.name ?? ""
    }

    /// The member with a name that is like a heading; empty if none is.
    private static func nearest(_ title: String) -> String {
        let folded = folded(title)
        guard folded.utf8.count >= 4, folded.utf8.count <= 64 else { return "" }
        return nearestName(to: folded, among: names).map(guess) ?? ""
    }

    private static let names =
        guesses.keys.sorted() + ownWords.keys.sorted()
        + choices.map { Self.folded($0.name) }.filter { !$0.isEmpty }
}
