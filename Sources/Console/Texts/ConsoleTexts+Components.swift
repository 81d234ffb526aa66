/// Texts of the page that shows everything that pages are made of.
extension ConsoleText {
    static let deeds = ConsoleText("What can be done", "Was man tun kann")
    static let changedFields = ConsoleText("Fields that were changed", "Geänderte Felder")
    static let components = ConsoleText("Components", "Bausteine")
    static let componentsLead = ConsoleText(
        "Everything that the pages of the console are made of, drawn by the same code. Buttons and forms here do nothing.",
        "Alles, woraus die Seiten der Konsole bestehen, gezeichnet vom selben Code. Knöpfe und Formulare tun hier nichts."
    )
    static let typeSizes = ConsoleText("Type", "Schrift")
    static let typeLead = ConsoleText(
        "The type of the system, in these sizes. Text can be twice as large.",
        "Die Schrift des Systems, in diesen Größen. Text kann doppelt so groß sein.")
    static let smallHeading = ConsoleText(
        "A heading within a part", "Eine Überschrift in einem Teil")
    static let sampleSentence = ConsoleText(
        "A sentence says what is, and then what to do.",
        "Ein Satz sagt, was ist, und dann, was zu tun ist.")
    static let sampleHint = ConsoleText(
        "A hint helps with a field.", "Ein Hinweis hilft bei einem Feld.")
    static let colours = ConsoleText("Colours", "Farben")
    static let coloursLead = ConsoleText(
        "Each on light pages and on dark ones. No state is said by a colour alone.",
        "Jede auf hellen und auf dunklen Seiten. Kein Zustand ist nur an einer Farbe zu erkennen.")
    static let colourOfAccent = ConsoleText(
        "links, main buttons, bars, focus", "Links, Hauptknöpfe, Balken, Fokus")
    static let colourOfBackground = ConsoleText("around boxes", "um Kästen herum")
    static let colourOfSurface = ConsoleText("in boxes and fields", "in Kästen und Feldern")
    static let colourOfText = ConsoleText("text", "Text")
    static let colourOfMuted = ConsoleText(
        "hints and headings of tables", "Hinweise und Tabellenköpfe")
    static let colourOfLine = ConsoleText("lines between things", "Linien zwischen Dingen")
    static let colourOnAccent = ConsoleText("text on main buttons", "Text auf Hauptknöpfen")
    static let colourOfEdge = ConsoleText(
        "edges of fields and buttons", "Ränder von Feldern und Knöpfen")
    static let colourOfBad = ConsoleText(
        "faults, and what cannot be undone", "Fehler, und was endgültig ist")
    static let colourOfGood = ConsoleText("what is well or done", "was in Ordnung oder getan ist")
    static let colourOfTint = ConsoleText(
        "tags, and the page that is shown", "Schlagwörter, und die gezeigte Seite")
    static let colourOfPart = ConsoleText("a part of a bar", "ein Teil eines Balkens")
    static let colourOfPages = ConsoleText("all pages", "alle Seiten")
    static let gaps = ConsoleText("Spacing", "Abstände")
    static let gap = ConsoleText("Distance", "Abstand")
    static let buttonsAndLinks = ConsoleText("Buttons and links", "Knöpfe und Links")
    static let fields = ConsoleText("Fields", "Felder")
    static let messages = ConsoleText("Messages", "Meldungen")
    static let states = ConsoleText("States", "Zustände")
    static let tables = ConsoleText("Tables", "Tabellen")
    static let charts = ConsoleText("Charts", "Diagramme")
    static let emptyLists = ConsoleText("Lists that are empty", "Leere Listen")
    static let pagesOfLists = ConsoleText("Pages of a list", "Seiten einer Liste")
    static let noLinkForCode = ConsoleText(
        "There is no link yet, or the code of the newest cannot be shown now.",
        "Es gibt noch keinen Link, oder der Code des neuesten kann jetzt nicht gezeigt werden.")
}
