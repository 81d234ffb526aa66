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
    static let country = ConsoleText("Country", "Land")
    static let otherCountries = ConsoleText(
        "Others, or too few to be named", "Andere, oder zu wenige")
    static let unknownCountry = ConsoleText("Not known", "Nicht bekannt")
    static let fewOfCountry = ConsoleText(
        "A country is named where it has at least five visits on a day, in a week or in four weeks. Days are those of UTC.",
        "Ein Land ist genannt, wenn es an einem Tag, in einer Woche oder in vier Wochen mindestens fünf Besuche hat. Tage sind "
            + "die von UTC.")
    static let countryAlone = ConsoleText(
        "Countries are kept by day, and not with anything else of a visit, so that nobody can be found by them. Choose the "
            + "country alone, or with the day or something of links.",
        "Länder werden je Tag behalten, und mit nichts sonst von einem Besuch, damit niemand durch sie gefunden wird. Wähle das "
            + "Land allein, oder mit dem Tag oder etwas von Links.")
    static let referrerAlone = ConsoleText(
        "Where people came from is kept by day, and with nothing else, so that nobody can be found by it. Choose it alone or with "
            + "the day, and write a collection, a tag or a campaign in its filter.",
        "Woher Leute kamen, wird je Tag behalten, und mit nichts sonst, damit niemand dadurch gefunden wird. Wähle es allein oder "
            + "mit dem Tag, und schreib eine Sammlung, ein Schlagwort oder eine Kampagne in ihren Filter."
    )
    static let peopleAndReferrers = ConsoleText(
        "People, and where they came from", "Personen, und woher sie kamen")
    static let onePersonOfLinks = ConsoleText(
        "1 person, counted for each link and day", "1 Person, je Link und Tag gezählt")
    static let peopleOfLinks = ConsoleText(
        "{count} people, counted for each link and day", "{count} Personen, je Link und Tag gezählt"
    )
    static let peopleOfLinksMeaning = ConsoleText(
        "Somebody who opens two of these links, or one of them on two days, counts each time. How many different people that are "
            + "cannot be known: nothing is kept by which somebody could be found again at another link or on another day.",
        "Wer zwei dieser Links öffnet, oder einen davon an zwei Tagen, zählt jedes Mal. Wie viele verschiedene Personen das sind, "
            + "lässt sich nicht wissen: Es wird nichts behalten, woran jemand bei einem anderen Link oder an einem anderen Tag "
            + "wiederzuerkennen wäre.")
    static let daysOfUTC = ConsoleText(
        "These days are those of UTC.", "Diese Tage sind die von UTC.")
    static let linkOne = ConsoleText("Link", "Link")
    static let tagOne = ConsoleText("Tag", "Schlagwort")
    static let campaignOne = ConsoleText("Campaign (UTM)", "Kampagne (UTM)")
    static let periodBefore = ConsoleText("Before", "Davor")
    static let compare = ConsoleText(
        "Compare with the period before", "Mit dem Zeitraum davor vergleichen")
    static let show = ConsoleText("Show", "Anzeigen")
    static let sumOfVisits = ConsoleText("{count} visits", "{count} Besuche")
    static let oneVisit = ConsoleText("1 visit", "1 Besuch")
    static let oneDay = ConsoleText("1 day", "1 Tag")
    static let severalDays = ConsoleText("{count} days", "{count} Tagen")
    static let oneHour = ConsoleText("1 hour", "1 Stunde")
    static let severalHours = ConsoleText("{count} hours", "{count} Stunden")
    static let countedHours = ConsoleText(
        "The table has the hours with visits.", "Die Tabelle hat die Stunden mit Besuchen.")
    static let hoursKept = ConsoleText(
        "Hours are kept for 90 days; of earlier days, choose the day.",
        "Stunden werden 90 Tage lang behalten; für frühere Tage wähle den Tag.")
    static let shownPeriod = ConsoleText(
        "{first} to {last} ({zone})", "{first} bis {last} ({zone})")
    static let saidReferrer = ConsoleText(
        "Of {sum} visits, {count} say where they came from. The others typed or scanned the address, or their browser or app "
            + "does not say.",
        "Von {sum} Besuchen sagen {count}, woher sie kamen. Bei den anderen wurde die Adresse getippt oder gescannt, oder ihr "
            + "Browser oder ihre App sagt es nicht.")
    static let noDayWritten = ConsoleText(
        "No day was written, so these are the last 30 days.",
        "Es ist kein Tag geschrieben, darum sind das die letzten 30 Tage.")
    static let moreFilters = ConsoleText("Days, time zone and filters", "Tage, Zeitzone und Filter")
    static let notOffered = ConsoleText(
        "“{value}” is not among the choices. Choose another.",
        "„{value}“ ist keine der Möglichkeiten. Wähle eine andere.")
    static let notADay = ConsoleText(
        "“{value}” is no day. Write one as 2027-03-31.",
        "„{value}“ ist kein Tag. Schreib ihn als 2027-03-31.")
    static let beginsBeforeCalendar = ConsoleText(
        "The period begins before 1970. Write a later day.",
        "Der Zeitraum beginnt vor 1970. Schreib einen späteren Tag.")
    static let endsBeforeItBegins = ConsoleText(
        "The last day is before the first.", "Der letzte Tag liegt vor dem ersten.")
    static let notTogether = ConsoleText(
        "{first} and {second} cannot be counted together. Choose {kept} alone, and write one value in the filter "
            + "{other}.",
        "{first} und {second} lassen sich nicht zusammen zählen. Wähle {kept} allein, und schreib einen Wert in den "
            + "Filter {other}.")
    static let dayAndHour = ConsoleText(
        "Each hour is of one day. Choose the hour alone.",
        "Jede Stunde gehört zu einem Tag. Wähle die Stunde allein.")
    static let noSuchZone = ConsoleText(
        "There is no time zone “{value}”. Write one as Europe/Berlin, or UTC.",
        "Eine Zeitzone „{value}“ gibt es nicht. Schreib sie als Europe/Berlin, oder UTC.")
    static let zoneOfPartHours = ConsoleText(
        "The clocks of {value} are not whole hours from UTC, and visits are counted by the hour. Choose another zone.",
        "Die Uhren von {value} gehen nicht um ganze Stunden anders als UTC, und Besuche werden je Stunde gezählt. Wähle "
            + "eine andere Zone.")
    static let noSuchTag = ConsoleText(
        "No link has the tag “{tag}”.", "Kein Link hat das Schlagwort „{tag}“.")
    static let notAnswered = ConsoleText("That cannot be shown.", "Das lässt sich nicht zeigen.")
    static let moreThanBefore = ConsoleText(
        "{percent} % more than in the period before ({before}).",
        "{percent} % mehr als im Zeitraum davor ({before}).")
    static let lessThanBefore = ConsoleText(
        "{percent} % less than in the period before ({before}).",
        "{percent} % weniger als im Zeitraum davor ({before}).")
    static let asBefore = ConsoleText(
        "As many as in the period before.", "So viele wie im Zeitraum davor.")
    static let noneBefore = ConsoleText("None in the period before.", "Keine im Zeitraum davor.")
    static let notCompared = ConsoleText(
        "The period before cannot be compared:",
        "Der Zeitraum davor lässt sich nicht vergleichen:")
    static let noPeriodBefore = ConsoleText(
        "There is nothing to compare with: the period before would begin before 1970.",
        "Es gibt nichts zu vergleichen: Der Zeitraum davor würde vor 1970 beginnen.")
    static let downloadTable = ConsoleText("Download as a table (CSV)", "Als Tabelle laden (CSV)")
    static let noValue = ConsoleText("None", "Keine Angabe")
    static let allOthers = ConsoleText("Others", "Andere")
    static let omittedRows = ConsoleText(
        "{count} more are in the table that you can download.",
        "{count} weitere stehen in der Tabelle zum Laden.")
    static let severalTags = ConsoleText(
        "A link with several tags counts with each of them.",
        "Ein Link mit mehreren Schlagwörtern zählt bei jedem.")
}
