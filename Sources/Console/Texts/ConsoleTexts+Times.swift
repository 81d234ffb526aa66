/// The sentences of the API about times, and those that people read instead.
extension FaultText {
    static let timeFacts: [FaultText] = [
        FaultText(
            "{time} is over, so nobody would get the link",
            "{time} ist vorbei, niemand bekäme den Link"),
        FaultText(
            "{what} never begins: `until` {until} is not later than `from` {from}",
            "Der Link beginnt nie: Das Ende {until} liegt nicht nach dem Beginn {from}",
            en: "the link never begins: the end {until} is not later than the start {from}"),
        FaultText(
            "{what} has `after` but no `until`, so it does not end",
            "Der Link hat etwas für danach, aber kein Ende",
            en: "the link has something for the time after its end, and no end"),
        FaultText(
            "{time} is a day, and a day begins at another moment in each zone",
            "{time} ist ein Tag, und der beginnt in jeder Zeitzone zu einer anderen Zeit",
            en: "{time} is a day alone"),
        FaultText(
            "{time} has no zone, so it is another moment in each country",
            "{time} hat keine Zeitzone und ist in jedem Land ein anderer Moment",
            en: "{time} is another moment in each country"),
        FaultText(
            "{time} is not a moment of the calendar between 1970 and 9999",
            "{time} gibt es im Kalender zwischen 1970 und 9999 nicht",
            en: "{time} is not in the calendar between 1970 and 9999"),
        FaultText("{time} has a year of two digits", "{time} hat eine Jahreszahl aus zwei Ziffern"),
        FaultText(
            "{time} is not a time with its zone",
            "{time} ist kein Tag mit Uhrzeit",
            en: "{time} is no day and time"),
    ]

    static let timeAdvice: [FaultText] = [
        // Only the longer of the two has a blank behind the time.
        FaultText(
            "write the year with four digits: {time} for UTC, or the offset of your zone, as +02:00",
            "schreib das Jahr mit vier Ziffern, zum Beispiel 31.03.2027",
            en: "write the year with four digits, such as 2027-03-31"),
        FaultText(
            "write the year with four digits: {time}",
            "schreib das Jahr mit vier Ziffern, zum Beispiel 31.03.2027 22:00",
            en: "write the year with four digits, such as 2027-03-31 22:00"),
        FaultText(
            "write {time} for UTC, or the offset of your zone, as +02:00",
            "schreib {time} für UTC oder den Abstand deiner Zeitzone, wie +02:00",
            en: "write {time} for UTC, or how far your clock is from it, as +02:00"),
        FaultText(
            "check the month, the day and the hour; hours are from 00 to 23",
            "prüfe Monat, Tag und Stunde; Stunden gehen von 00 bis 23"),
        FaultText(
            "write year, month and day in this order: {time} (RFC 3339)",
            "schreib Tag und Zeit, zum Beispiel 31.03.2027 22:00",
            en: "write day and time, such as 2027-03-31 22:00"),
        FaultText("write a later time, or none", "schreib eine spätere Zeit oder keine"),
        FaultText(
            "write a later `until`, or exchange the two",
            "schreib ein späteres Ende oder tausche die beiden",
            en: "write a later end, or exchange the two"),
        FaultText(
            "add `until`, or remove `after`",
            "schreib ein Ende oder lass beides weg",
            en: "write an end, or leave both out"),
    ]
}
