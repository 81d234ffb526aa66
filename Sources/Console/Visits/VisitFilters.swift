private import Markup

/// The form in which people choose what they see of visits.
struct VisitFilters {
    let choice: VisitChoice
    let collections: [String]

    /// Zones that many people have; any other can be typed.
    private static let zones = [
        "UTC", "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Istanbul",
        "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
        "America/Sao_Paulo", "Asia/Dubai", "Asia/Singapore", "Asia/Tokyo", "Australia/Sydney",
        "Pacific/Auckland",
    ]
    private static let periodTexts: [ConsoleText] = [.days7, .days30, .days90, .ownPeriod]

    /// The name of a thing by which visits are counted.
    static func text(_ dimension: String) -> ConsoleText {
        switch dimension {
        case "hour": .hourOfZone
        case "platform": .device
        case "outcome": .outcome
        case "collection": .collection
        case "tag": .tagOne
        case "campaign": .campaignOne
        case "link": .linkOne
        default: .dayOfZone
        }
    }

    func write(_ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"filters\" role=\"search\"")
        page.attribute("action", PagePath("visits").text(below: page.setting.base))
        page.raw(">\n")
        let periods = zip(VisitChoice.periods, Self.periodTexts).map { ($0, page.filled($1)) }
        select("period", .period, periods, choice.period, &page)
        input("from", .firstDay, type: "date", &page)
        input("to", .lastDay, type: "date", &page)
        zone(&page)
        let own = VisitChoice.dimensions.map { ($0, page.filled(Self.text($0))) }
        let shown = choice.dimensions
        select("by", .countedBy, own, shown[0], &page)
        select(
            "and", .countedAnd, [("", page.filled(.nothingElse))] + own,
            shown.count > 1 ? shown[1] : "", &page)
        let asked = choice.request.item("collection") ?? ""
        let names = collections + (asked.isEmpty || collections.contains(asked) ? [] : [asked])
        let all = [("", page.filled(.all))] + names.map { ($0, $0) }
        select("collection", .collection, all, asked, &page)
        input("tag", .tagOne, type: "text", &page)
        input("campaign", .campaignOne, type: "text", &page)
        page.raw(
            "<div><label><input type=\"checkbox\" class=\"check\" name=\"compare\" value=\"1\"")
        if choice.request.item("compare") != nil { page.raw(" checked") }
        page.raw("> ")
        page.words(.compare)
        page.raw("</label></div>\n<button class=\"primary\">")
        page.words(.show)
        page.raw("</button></form>\n")
    }

    private func select(
        _ name: String, _ label: ConsoleText, _ choices: [(value: String, text: String)],
        _ chosen: String, _ page: inout PageWriter
    ) {
        begin(name, label, &page)
        page.raw("<select")
        page.attribute("id", name)
        page.attribute("name", name)
        page.raw(">\n")
        for one in choices {
            page.raw("<option")
            page.attribute("value", one.value)
            if one.value == chosen { page.raw(" selected") }
            page.raw(">")
            page.value(one.text)
            page.raw("</option>\n")
        }
        page.raw("</select></div>\n")
    }

    private func input(
        _ name: String, _ label: ConsoleText, type: MarkupLiteral, _ page: inout PageWriter
    ) {
        begin(name, label, &page)
        page.raw("<input autocomplete=\"off\"")
        page.attribute("type", type.text)
        page.attribute("id", name)
        page.attribute("name", name)
        page.attribute("value", choice.request.item(name) ?? "")
        page.raw("></div>\n")
    }

    private func zone(_ page: inout PageWriter) {
        begin("zone", .timeZone, &page)
        page.raw("<input id=\"zone\" name=\"zone\" list=\"zones\" autocomplete=\"off\"")
        page.attribute("value", choice.zone)
        page.raw("><datalist id=\"zones\">")
        for zone in Self.zones {
            page.raw("<option")
            page.attribute("value", zone)
            page.raw("></option>")
        }
        page.raw("</datalist></div>\n")
    }

    private func begin(_ name: String, _ label: ConsoleText, _ page: inout PageWriter) {
        page.raw("<div><label")
        page.attribute("for", name)
        page.raw(">")
        page.words(label)
        page.raw("</label>")
    }
}
