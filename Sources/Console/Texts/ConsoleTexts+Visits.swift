/// Texts of statistics, of misses and of the help.
extension ConsoleText {
    static let visitsLead = ConsoleText(
        "People who opened a link in a browser. When the app opens, the server is not asked, and counts nothing.",
        "Leute, die einen Link im Browser geöffnet haben. Öffnet sich die App, wird der Server nicht gefragt und zählt nichts."
    )
    static let visitsUnavailable = ConsoleText(
        "Visits are not counted here, or cannot be read now.",
        "Besuche werden hier nicht gezählt oder sind gerade nicht lesbar.")
    static let sumsForAll = ConsoleText(
        "Sums of all links are for people who may see all collections. The page of each link has its own visits.",
        "Summen aller Links sehen nur Leute, die alle Sammlungen sehen dürfen. Die Seite jedes Links hat ihre eigenen Besuche."
    )
    static let lastThirtyDays = ConsoleText(
        "Visits in the last 30 days", "Besuche der letzten 30 Tage")
    static let chartSummary = ConsoleText(
        "{visits} in {days}. The most: {most} on {day}.",
        "{visits} in {days}. Die meisten: {most} am {day}.")
    static let noVisits = ConsoleText("No visits in this time.", "Keine Besuche in dieser Zeit.")
    static let asTable = ConsoleText("As a table", "Als Tabelle")
    static let day = ConsoleText("Day (UTC)", "Tag (UTC)")
    static let people = ConsoleText("People", "Personen")
    static let peopleOfUTC = ConsoleText("People (day of UTC)", "Personen (Tag in UTC)")
    static let byDevice = ConsoleText("By device", "Je Gerät")
    static let byReferrer = ConsoleText("Where they came from", "Woher sie kamen")
    static let byCountry = ConsoleText("By country", "Je Land")
    static let byOutcome = ConsoleText("What they got", "Was sie bekamen")
    static let nothingCounted = ConsoleText("Nothing yet.", "Noch nichts.")
    static let sawPage = ConsoleText("The link’s page", "Die Seite des Links")
    static let wasRedirected = ConsoleText("The destination", "Das Ziel")
    static let wentToStore = ConsoleText("The app’s store", "Den Store der App")
    static let directly = ConsoleText("Directly, or not said", "Direkt oder ohne Angabe")
    static let newestLinks = ConsoleText("Newest links", "Neueste Links")
    static let endSoon = ConsoleText("End soon", "Enden bald")
    static let noneEndsSoon = ConsoleText(
        "No link ends in the next {days} days.", "In den nächsten {days} Tagen endet kein Link.")
    static let endsAt = ConsoleText("Ends {time}", "Endet {time}")
    static let allThatEndSoon = ConsoleText(
        "All that end in the next 14 days", "Alle, die in den nächsten 14 Tagen enden")
    static let onlyEnding = ConsoleText("Ends within 14 days", "Endet in 14 Tagen")
    static let serverHealth = ConsoleText("The server", "Der Server")
    static let nothingUnwell = ConsoleText("Nothing needs you.", "Nichts braucht dich.")
    static let whereTo = ConsoleText(
        "Where should the new link lead?", "Wohin soll der neue Link führen?")
    static let missesLead = ConsoleText(
        "Addresses that somebody asked for and that no link has: a typo on a poster, perhaps.",
        "Adressen, die jemand aufgerufen hat und die kein Link hat: ein Tippfehler auf einem Plakat vielleicht."
    )
    static let missesOfAll = ConsoleText(
        "These are of the last 30 days, of all collections that you see, in UTC.",
        "Diese sind aus den letzten 30 Tagen, aus allen Sammlungen, die du siehst, in UTC.")
    static let missesOfPeriod = ConsoleText(
        "From {first} to {last}, of all collections that you see, in UTC.",
        "Vom {first} bis {last}, aus allen Sammlungen, die du siehst, in UTC.")
    static let noMissesThen = ConsoleText(
        "In this time, everybody found a link.",
        "In dieser Zeit hat jeder einen Link gefunden.")
    static let allMisses = ConsoleText("All misses", "Alle Fehlgriffe")
    static let noMisses = ConsoleText("No misses", "Keine Fehlgriffe")
    static let noMissesLead = ConsoleText(
        "In the last 30 days, everybody found a link.",
        "In den letzten 30 Tagen hat jeder einen Link gefunden.")
    static let path = ConsoleText("Path", "Pfad")
    static let times = ConsoleText("Times", "Wie oft")
    static let lastTime = ConsoleText("Last", "Zuletzt")
    static let makeThisLink = ConsoleText("Make this link", "Diesen Link erstellen")

    // MARK: Help

    static let help = ConsoleText("Help and keys", "Hilfe und Tasten")
    static let keys = ConsoleText("Keys", "Tasten")
    static let keySearch = ConsoleText("Search for a link", "Einen Link suchen")
    static let keyArrows = ConsoleText(
        "The next link of a list, and the one before", "Der nächste Link einer Liste, und der davor"
    )
    static let keysOn = ConsoleText("Turn the keys on", "Tasten einschalten")
    static let keysOff = ConsoleText("Turn the keys off", "Tasten ausschalten")
    static let wordsTitle = ConsoleText("Words", "Begriffe")
    static let slugMeaning = ConsoleText(
        "The end of a link, after the last slash.",
        "Das Ende eines Links, nach dem letzten Schrägstrich.")
    static let destinationMeaning = ConsoleText(
        "The page to which people without the app are led.",
        "Die Seite, zu der Leute ohne die App geführt werden.")
    static let landingPage = ConsoleText("The link’s page", "Die Seite des Links")
    static let landingMeaning = ConsoleText(
        "A page that the server makes of title and description, with ways into the app and to its store.",
        "Eine Seite, die der Server aus Titel und Beschreibung macht, mit Wegen in die App und zu ihrem Store."
    )
    static let collectionMeaning = ConsoleText(
        "A family of links with the same beginning, the same apps and the same allowed destinations.",
        "Eine Familie von Links mit demselben Anfang, denselben Apps und denselben erlaubten Zielen."
    )
    /// The name of a language in itself.
    static let languageName = ConsoleText("English", "Deutsch")
}
