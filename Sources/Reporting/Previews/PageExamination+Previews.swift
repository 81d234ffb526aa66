import Associations
import Diagnostics

/// The words of a page that previews choose from.
struct PreviewWords {
    let title: String
    let description: String
    let host: String

    init(_ examination: PageExamination) {
        let page = examination.page
        title = page.meta("og:title")?.content ?? page.title?.text ?? ""
        description =
            page.meta("og:description")?.content ?? page.meta("description")?.content ?? ""
        host = examination.url?.host ?? examination.canonical?.host ?? "(host unknown)"
    }
}

extension PageExamination {
    var previews: [Preview] { [messages, spotlight, facebook, xCard] }

    private var words: PreviewWords { PreviewWords(self) }

    /// The text in place of the image.
    private var pictureWords: String? {
        guard let picture else { return nil }
        let size = picture.size.map { "\($0.width)×\($0.height) " } ?? ""
        let path = (picture.url?.path ?? picture.address).utf8
        return size + String(decoding: path.split(separator: 0x2F).last ?? [], as: UTF8.self)
    }

    /// Whether the image is at least this large, or its size is not known.
    private func isPicture(atLeast width: Int, by height: Int) -> Bool {
        guard let size = picture?.size else { return picture != nil }
        return size.width >= width && size.height >= height
    }

    // MARK: Messages

    /// A bubble: the picture, the title, the host (Apple, TN3156).
    private var messages: Preview {
        var (drawing, notes) = (Drawing(width: 40), [String]())
        let title = wrapped(words.title, columns: 40, lines: 2)
        if let pictureWords, isPicture(atLeast: 150, by: 1) {
            let isVideo = page.meta("og:video") != nil || page.meta("og:video:url") != nil
            drawing.picture(rows: 5, (isVideo ? "▶ " : "") + pictureWords)
            for line in title.lines { drawing.row(line) }
            drawing.row(shown(words.host))
        } else {
            notes.append(
                picture == nil
                    ? "no og:image: an icon is shown, if there is one"
                    : "a picture under 150 pixels is shown as an icon")
            drawing.beside(wrapped(words.title, columns: 32, lines: 2).lines + [shown(words.host)])
        }
        if title.isCut { notes.append(cutNote("the title", words.title)) }
        return Preview(id: "messages", title: "Messages", drawing: drawing.boxed, notes: notes)
    }

    private func cutNote(_ what: String, _ text: String) -> String {
        "\(what) has \(characterCount(text)) characters, and is cut about here"
    }

    // MARK: Spotlight

    /// A search result: thumbnail, title, text, and buttons (Apple, WWDC 2015 session 709).
    private var spotlight: Preview {
        var (drawing, notes) = (Drawing(width: 56), [String]())
        let title = page.title?.text ?? words.title
        let description = page.meta("description")?.content ?? words.description
        let head = wrapped(title, columns: 48, lines: 1)
        let body = wrapped(description, columns: 48, lines: 2)
        let rows = head.lines + body.lines + [shown(words.host)]
        if picture == nil {
            notes.append("no og:image: no thumbnail")
            for row in rows { drawing.row(row) }
        } else {
            drawing.beside(rows)
        }
        let buttons = resultActions.filter { ["Call", "Directions", "Play"].contains($0.label) }
        if !buttons.isEmpty {
            drawing.row(buttons.map { "[ \($0.label) ]" }.joined(separator: "  "))
        }
        for fact in resultActions where ["Offer", "Rating"].contains(fact.label) {
            drawing.row(wrapped("\(fact.label): \(fact.detail)", columns: 56, lines: 1).lines[0])
        }
        if head.isCut { notes.append(cutNote("the title", title)) }
        if body.isCut { notes.append(cutNote("the description", description)) }
        return Preview(id: "spotlight", title: "Spotlight", drawing: drawing.boxed, notes: notes)
    }

    // MARK: Facebook

    /// A post: the picture, the host in capitals, title and description (Meta, "Sharing").
    private var facebook: Preview {
        var (drawing, notes) = (Drawing(width: 56), [String]())
        let title = wrapped(words.title, columns: 56, lines: 2)
        let description = wrapped(words.description, columns: 56, lines: 1)
        let host = shown(words.host.uppercased())
        if let pictureWords, isPicture(atLeast: 600, by: 315) {
            drawing.picture(rows: 7, pictureWords)
            for row in [host] + title.lines { drawing.row(row) }
            if title.lines.count < 2 { for row in description.lines { drawing.row(row) } }
        } else {
            let small = isPicture(atLeast: 200, by: 200)
            let narrow = wrapped(words.title, columns: 48, lines: 2).lines
            if small {
                drawing.beside([host] + narrow)
            } else {
                for row in [host] + title.lines + description.lines { drawing.row(row) }
            }
            notes.append(
                picture == nil
                    ? "no og:image: no picture"
                    : small
                        ? "a picture under 600×315 is shown small"
                        : "a picture under 200×200 is not shown")
        }
        if title.isCut { notes.append(cutNote("the title", words.title)) }
        if title.lines.count < 2, description.isCut {
            notes.append(cutNote("the description", words.description))
        }
        return Preview(id: "facebook", title: "Facebook", drawing: drawing.boxed, notes: notes)
    }

    // MARK: X

    /// A card; a large picture carries the title, and has no description (X, "Cards Markup").
    private var xCard: Preview {
        var (drawing, notes) = (Drawing(width: 56), [String]())
        let title = page.meta("twitter:title")?.content ?? words.title
        let description = page.meta("twitter:description")?.content ?? words.description
        let kind = page.metas("twitter:card").last?.content ?? ""
        switch kind {
        case "summary_large_image" where isPicture(atLeast: 300, by: 157):
            drawing.picture(rows: 7, pictureWords ?? "")
            let line = wrapped(title, columns: 56, lines: 1)
            drawing.row(line.lines.first ?? "")
            drawing.row("From \(shown(words.host))")
            if line.isCut { notes.append(cutNote("the title", title)) }
        case "summary", "summary_large_image":
            let head = wrapped(title, columns: 48, lines: 1)
            let body = wrapped(description, columns: 48, lines: 2)
            drawing.beside([shown(words.host)] + head.lines + body.lines)
            if head.isCut { notes.append(cutNote("the title", title)) }
            if body.isCut { notes.append(cutNote("the description", description)) }
        case "app", "player":
            drawing.row("(a card of the kind \(kind), which is not drawn here)")
            drawing.row(shown(words.host))
        default:
            drawing.row(shown(words.host))
            notes.append(
                kind.utf8.isEmpty
                    ? "no twitter:card: the address alone"
                    : "twitter:card is \(quoted(kind)): the address alone")
        }
        return Preview(id: "x", title: "X", drawing: drawing.boxed, notes: notes)
    }
}
