/// Texts of the page of visits.
extension ConsoleText {
    static let period = ConsoleText("Period", "Zeitraum")
    static let days7 = ConsoleText("Last 7 days", "Letzte 7 Tage")
    static let days30 = ConsoleText("Last 30 days", "Letzte 30 Tage")
    static let days90 = ConsoleText("Last 90 days", "Letzte 90 Tage")
    static let ownPeriod = ConsoleText(
        "From the first to the last day", "Vom ersten bis zum letzten Tag")
    static let firstDay = ConsoleText("First day", "Erster Tag")
    static let lastDay = ConsoleText("Last day", "Letzter Tag")
    static let timeZone = ConsoleText("Time zone", "Zeitzone")
    static let countedBy = ConsoleText("By", "Nach")
    static let countedAnd = ConsoleText("And by", "Und nach")
    static let nothingElse = ConsoleText("Nothing else", "Sonst nichts")
    static let dayOfZone = ConsoleText("Day", "Tag")
    static let hourOfZone = ConsoleText("Hour", "Stunde")
    static let device = ConsoleText("Device", "Gerät")
    static let outcome = ConsoleText("What they got", "Was sie bekamen")
    static let linkOne = ConsoleText("Link", "Link")
    static let tagOne = ConsoleText("Tag", "Schlagwort")
    static let campaignOne = ConsoleText("Campaign (UTM)", "Kampagne (UTM)")
    static let periodBefore = ConsoleText("Before", "Davor")
    static let compare = ConsoleText(
        "Compare with the period before", "Mit dem Zeitraum davor vergleichen")
    static let show = ConsoleText("Show", "Anzeigen")
    static let sumOfVisits = ConsoleText("{count} visits", "{count} Besuche")
    static let moreThanBefore = ConsoleText(
        "{percent} % more than in the period before ({before}).",
        "{percent} % mehr als im Zeitraum davor ({before}).")
    static let lessThanBefore = ConsoleText(
        "{percent} % less than in the period before ({before}).",
        "{percent} % weniger als im Zeitraum davor ({before}).")
    static let asBefore = ConsoleText(
        "As many as in the period before.", "So viele wie im Zeitraum davor.")
    static let noneBefore = ConsoleText(
        "None in the period before.", "Keine im Zeitraum davor.")
    static let notCompared = ConsoleText(
        "The period before cannot be compared: {reason}",
        "Der Zeitraum davor lässt sich nicht vergleichen: {reason}")
    static let downloadTable = ConsoleText(
        "Download as a table (CSV)", "Als Tabelle laden (CSV)")
    static let noValue = ConsoleText("None", "Keine Angabe")
    static let allOthers = ConsoleText("Others", "Andere")
    static let omittedRows = ConsoleText(
        "{count} more are in the table that you can download.",
        "{count} weitere stehen in der Tabelle zum Laden.")
    static let severalTags = ConsoleText(
        "A link with several tags counts with each of them.",
        "Ein Link mit mehreren Schlagwörtern zählt bei jedem.")
}
