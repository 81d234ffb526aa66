private import JSONSyntax
private import Markup
private import URISyntax

/// A column of the list of links, beside that of the link itself.
enum ListColumn: String, CaseIterable {
    case destination, collection, tags, state, visits, made, changed, starts, ends, note

    /// Those of a list for which nobody has chosen any.
    static let usual: [ListColumn] = [.destination, .tags, .state, .visits, .made]

    var label: ConsoleText {
        switch self {
        case .destination: .destination
        case .collection: .collection
        case .tags: .tags
        case .state: .state
        case .visits: .visits
        case .made: .made
        case .changed: .lastChanged
        case .starts: .from
        case .ends: .until
        case .note: .note
        }
    }

    /// The member of a link that is a moment; nil for a column without one.
    var member: String? {
        switch self {
        case .made: "created"
        case .changed: "updated"
        case .starts: "from"
        case .ends: "until"
        default: nil
        }
    }
}

extension PageWriter {
    /// The cell of a link.
    /// - Parameters:
    ///   - view: whose days of visits the column has.
    ///   - visits: of the link; nil if they cannot be read now.
    mutating func cell(_ column: ListColumn, of link: LinkWords, in view: ListView, visits: Int?) {
        switch column {
        case .destination: longCell(link.destination ?? "–")
        case .note: longCell(link.link["note"]?.text ?? "")
        case .collection: cell(.collection, link.link["collection"]?.text ?? "")
        case .tags:
            raw("<td>")
            for tag in link.tags.prefix(8) {
                self.link(view.kept(by: PagePath("links").with("tag", tag)), style: "tag") {
                    $0.value(tag)
                }
                raw(" ")
            }
            raw("</td>")
        case .state:
            raw("<td>")
            if link.state != .active { badge(link.state) }
            raw("</td>")
        case .visits:
            write("<td class=\"number\" data-label=\"\(filled(view.visitsLabel))\">")
            value(visits.map { numeral($0) } ?? "–")
            raw("</td>")
        case .made, .changed, .starts, .ends:
            let moment = link.link[column.member ?? ""]?.text ?? ""
            raw("<td class=\"quiet\"")
            if !moment.isEmpty { attribute("data-label", filled(column.label)) }
            raw(">")
            let shown = (try? Timestamp(moment)).map { setting.clock.shown($0.seconds) } ?? ""
            let day = String(decoding: shown.utf8.prefix(10), as: UTF8.self)
            if !day.isEmpty { value(self.day(day)) }
            raw("</td>")
        }
    }

    private mutating func longCell(_ text: String) {
        raw("<td class=\"long\"><span class=\"goal\">")
        // Two lines of it are seen.
        write("\(text.shortened(to: 160))</span></td>")
    }
}
