private import Diagnostics
private import JSONSyntax
private import Markup
private import URISyntax

/// A choice on the page of visits for which there is no answer, in words for people.
struct VisitFault {
    /// The name of the field that it is about; nil if it is about none.
    let field: String?
    private let text: ConsoleText?
    private var values = [String: String]()
    /// The names of things by which visits are counted, by the words in braces that stand for them.
    private var names = [String: String]()
    /// The words of the API, where there are no others.
    private var detail: String?

    /// - Returns: nil if the API can be asked.
    init?(_ choice: VisitChoice) {
        for (name, offered) in [
            ("period", VisitChoice.periods), ("by", VisitChoice.dimensions),
            ("and", VisitChoice.dimensions),
        ] {
            guard let asked = choice.request.item(name),
                !offered.contains(where: { $0.isScalarwise(asked) })
            else { continue }
            (field, text, values) = (name, .notOffered, ["value": asked])
            return
        }
        for name in ["from", "to"] {
            guard let day = choice.day(name), !Self.isDay(day) else { continue }
            (field, text, values) = (name, .notADay, ["value": day])
            return
        }
        if let first = choice.day("from"), let last = choice.day("to"),
            last.utf8.lexicographicallyPrecedes(first.utf8)
        {
            (field, text) = ("to", .endsBeforeItBegins)
            return
        }
        let names = choice.dimensions
        guard names.count == 2 else { return nil }
        if names.allSatisfy({ VisitChoice.ofLinks.contains($0) }) {
            let kept = names.contains("link") ? "link" : names[0]
            let other = names[0] == kept ? names[1] : names[0]
            (field, text) = ("and", .notTogether)
            self.names = ["first": names[0], "second": names[1], "kept": kept, "other": other]
        } else if choice.isOfCountries,
            names.contains(where: { VisitChoice.notOfCountries.contains($0) })
        {
            (field, text) = ("and", .countryAlone)
        } else if choice.isOfReferrers, !names.contains("day") {
            (field, text) = ("and", .referrerAlone)
        } else if names.contains("day"), names.contains("hour") {
            (field, text) = ("and", .dayAndHour)
        } else {
            return nil
        }
    }

    /// A refusal of the API.
    init(_ answer: ConsoleAPI.Answer, _ choice: VisitChoice) {
        let detail = answer.json?["detail"]?.text ?? ""
        guard !Self.isBeforeCalendar(detail) else {
            (field, text) = (choice.day("from") == nil ? "to" : "from", .beginsBeforeCalendar)
            return
        }
        guard detail.utf8.starts(with: "zone is".utf8) else {
            (field, text, self.detail) = (nil, nil, detail)
            return
        }
        field = "zone"
        values = ["value": choice.zone]
        if detail.contains("which is no zone") {
            text = .noSuchZone
        } else if detail.contains("whole number of hours") {
            text = .zoneOfPartHours
        } else {
            (text, self.detail) = (nil, detail)
        }
    }

    /// Whether the API refuses a period because it begins before 1970.
    static func isBeforeCalendar(_ detail: String) -> Bool {
        detail.utf8.starts(with: "the period begins before 1970".utf8)
    }

    static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10 && (try? Timestamp("\(text)T00:00:00Z")) != nil
    }

    /// The summary above the form, with a link to the field.
    func write(_ page: inout PageWriter) {
        page.faults { page in
            page.raw("<p>")
            if let field {
                page.field(field, VisitFilters.label(field))
                page.raw(": ")
            }
            if let text {
                let named = names.mapValues { page.filled(VisitFilters.text($0)) }
                page.words(text, values.merging(named) { first, _ in first })
            } else {
                if page.setting.language != .en {
                    page.words(.notAnswered)
                    page.raw(" ")
                }
                page.foreign(detail ?? "")
            }
            page.raw("</p>\n")
        }
    }
}
