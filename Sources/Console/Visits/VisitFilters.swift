private import Markup

/// The form in which people choose what they see of visits.
struct VisitFilters {
    let choice: VisitChoice
    let collections: [String]
    /// The name of the field in which something is wrong.
    var wrong: String?

    /// Zones that many people have; any other can be typed.
    private static let zones = [
        "UTC", "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Istanbul",
        "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
        "America/Sao_Paulo", "Asia/Dubai", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney",
        "Pacific/Auckland",
    ]
    static let periodTexts: [ConsoleText] = [.days7, .days30, .days90, .ownPeriod]

    /// The name of a thing by which visits are counted.
    static func text(_ dimension: String) -> ConsoleText {
        switch dimension {
        case "hour": .hourOfZone
        case "platform": .device
        case "outcome": .outcome
        case "referrer": .byReferrer
        case "country": .country
        case "collection": .collection
        case "tag": .tagOne
        case "campaign": .campaignOne
        case "link": .linkOne
        default: .dayOfZone
        }
    }

    /// The label of a field.
    static func label(_ field: String) -> ConsoleText {
        switch field {
        case "from": .firstDay
        case "to": .lastDay
        case "zone": .timeZone
        case "period": .period
        case "by": .countedBy
        default: .countedAnd
        }
    }

    /// Whether one of the choices is made that are folded away.
    private var hasMore: Bool {
        let isChosen = ["from", "to"].contains { choice.day($0) != nil }
        return isChosen || !choice.isHome || choice.lacksDays
            || (VisitChoice.filters + ["compare"]).contains { choice.request.item($0) != nil }
    }

    func write(_ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"filters\" role=\"search\" data-pairs")
        page.attribute("action", PagePath("visits").text(below: page.setting.base) + "#sum")
        page.raw(">\n")
        let periods = zip(VisitChoice.periods, Self.periodTexts).map { ($0, page.filled($1)) }
        select("period", .period, periods, choice.period, &page)
        page.hidden("was", choice.period)
        let own = choice.offered.map { ($0, page.filled(Self.text($0))) }
        let shown = choice.dimensions
        select("by", .countedBy, own, shown[0], &page)
        select(
            "and", .countedAnd, [("", page.filled(.nothingElse))] + own,
            shown.count > 1 ? shown[1] : "", &page)
        page.raw("<button class=\"primary\">")
        page.words(.show)
        page.raw(hasMore ? "</button>\n<details open>" : "</button>\n<details>")
        page.raw("<summary>")
        page.words(.moreFilters)
        page.raw("</summary>\n<div class=\"filters\">\n")
        writeMore(&page)
        page.raw("</div></details></form>\n")
    }

    private func writeMore(_ page: inout PageWriter) {
        input("from", .firstDay, choice.day("from"), type: "date", &page)
        input("to", .lastDay, choice.day("to"), type: "date", &page)
        zone(&page)
        let asked = choice.request.item("collection") ?? ""
        let names = collections + (asked.isEmpty || collections.contains(asked) ? [] : [asked])
        let all = [("", page.filled(.all))] + names.map { ($0, $0) }
        select("collection", .collection, all, asked, &page)
        input("tag", .tagOne, choice.request.item("tag"), type: "text", &page)
        input("campaign", .campaignOne, choice.request.item("campaign"), type: "text", &page)
        page.raw("<div><label class=\"box\"><input type=\"checkbox\" name=\"compare\" value=\"1\"")
        if choice.request.item("compare") != nil { page.raw(" checked") }
        page.raw("> ")
        page.words(.compare)
        page.raw("</label></div>\n")
    }

    private func select(
        _ name: String, _ label: ConsoleText, _ choices: [(value: String, text: String)],
        _ chosen: String, _ page: inout PageWriter
    ) {
        page.filter(name, label, choices, chosen: chosen, isWrong: name == wrong)
    }

    private func input(
        _ name: String, _ label: ConsoleText, _ value: String?, type: MarkupLiteral,
        _ page: inout PageWriter
    ) {
        page.filter(name, label, isWrong: name == wrong) { page in
            page.raw("<input autocomplete=\"off\"")
            page.attribute("type", type.text)
            page.attribute("id", name)
            page.attribute("name", name)
            page.attribute("value", value ?? "")
            if name == wrong { page.pointToFaults() }
            page.raw(">")
        }
    }

    private func zone(_ page: inout PageWriter) {
        page.filter("zone", .timeZone, isWrong: wrong == "zone") { page in
            page.raw("<input id=\"zone\" name=\"zone\" list=\"zones\" autocomplete=\"off\"")
            page.attribute("value", choice.wantedZone)
            if wrong == "zone" { page.pointToFaults() }
            page.raw("><datalist id=\"zones\">")
            for zone in Self.zones {
                page.raw("<option")
                page.attribute("value", zone)
                page.raw("></option>")
            }
            page.raw("</datalist>")
        }
    }
}
