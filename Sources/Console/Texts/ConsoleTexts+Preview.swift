/// Texts of "What will this link do?".
extension ConsoleText {
    static let previewLead = ConsoleText(
        "This is what the server answers right now.",
        "Das antwortet der Server in diesem Moment.")
    static let draftWaits = ConsoleText(
        "Here you see what the link will do on each device, as soon as the form has what a link needs. “Look first” shows it, too, and saves nothing.",
        "Hier siehst du, was der Link auf jedem Gerät tun wird, sobald im Formular steht, was ein Link braucht. Auch „Erst ansehen“ zeigt es und speichert nichts."
    )
    static let draftIsOld = ConsoleText(
        "This is from before: something in the form is not right yet.",
        "Das ist von vorhin: Im Formular stimmt etwas noch nicht.")
    static let draftFrom = ConsoleText(
        "The link begins at {time}. This is how it will be then:",
        "Der Link beginnt um {time}. So wird er dann sein:")
    static let draftTooLong = ConsoleText(
        "The texts are too long for this picture. Once the link is saved, its own preview shows its page.",
        "Für dieses Bild sind die Texte zu lang. Ist der Link gespeichert, zeigt seine eigene Vorschau die Seite."
    )
    static let urlToTry = ConsoleText("Address of the link", "Adresse des Links")
    static let tryIt = ConsoleText("Try it", "Ausprobieren")
    static let client = ConsoleText("Where it is tapped", "Wo darauf getippt wird")
    static let theApp = ConsoleText("With the app", "Mit der App")
    static let withoutApp = ConsoleText("Without the app", "Ohne die App")
    static let goodToKnow = ConsoleText("Good to know", "Gut zu wissen")
    static let why = ConsoleText("Why?", "Warum?")
    static let iPhone = ConsoleText("iPhone", "iPhone")
    static let iPad = ConsoleText("iPad", "iPad")
    static let android = ConsoleText("Android", "Android")
    static let desktop = ConsoleText("Computer", "Computer")
    static let instagram = ConsoleText("Instagram", "Instagram")
    static let whatsApp = ConsoleText("WhatsApp, preview", "WhatsApp, Vorschau")
    static let slack = ConsoleText("Slack, preview", "Slack, Vorschau")
    static let google = ConsoleText("Google, search", "Google, Suche")
    static let applebot = ConsoleText("Apple, search", "Apple, Suche")
    static let opensApp = ConsoleText("Opens the app", "Öffnet die App")
    static let opensNoApp = ConsoleText("Opens no app", "Öffnet keine App")
    static let keepsLink = ConsoleText(
        "Stays in Instagram’s own browser", "Bleibt im Browser von Instagram")
    static let goesTo = ConsoleText("Goes to", "Führt zu")
    static let goesToStore = ConsoleText("Goes to the app’s store:", "Führt zum Store der App:")
    static let seesLanding = ConsoleText("Sees the link’s page", "Sieht die Seite des Links")
    static let getsCard = ConsoleText(
        "Gets a card with the title, description and picture that the link has",
        "Bekommt eine Karte mit Titel, Beschreibung und Bild, soweit der Link sie hat")
    static let seesFile = ConsoleText("Sees the page", "Sieht die Seite")
    static let seesNothing = ConsoleText("Finds nothing (404)", "Findet nichts (404)")
    static let seesGone = ConsoleText(
        "Reads that the link is over (410)", "Liest, dass es den Link nicht mehr gibt (410)")
    static let isRefused = ConsoleText(
        "Is refused: the address is wrong", "Wird abgelehnt: Die Adresse stimmt nicht")
    static let answeredEarlier = ConsoleText(
        "Something else is at this address", "Unter dieser Adresse ist etwas anderes")
    static let thePage = ConsoleText("The page itself", "Die Seite selbst")
    static let thePageHint = ConsoleText(
        "As the server answers it right now. Here its scripts do not run, and its buttons lead nowhere.",
        "Wie der Server sie in diesem Moment ausliefert. Ihre Skripte laufen hier nicht, und ihre Knöpfe führen nirgends hin."
    )
    static let nobodySeesPage = ConsoleText(
        "Nobody sees a page of this link: all are led on, as the table says.",
        "Niemand sieht eine Seite dieses Links: Alle werden weitergeleitet, wie es in der Tabelle steht."
    )
    static let nothingToSee = ConsoleText(
        "There is nothing: whoever asks for the link gets what the table says.",
        "Es gibt keine: Wer den Link aufruft, bekommt, was in der Tabelle steht.")
    static let stateNow = ConsoleText("The link right now:", "Der Link im Moment:")
    static let lightScheme = ConsoleText("Light", "Hell")
    static let darkScheme = ConsoleText("Dark", "Dunkel")
    static let pageTitle = ConsoleText("The page, {scheme}", "Die Seite, {scheme}")
    static let theCard = ConsoleText("The card in chats", "Die Karte in Chats")
    static let cardWithoutPicture = ConsoleText("No picture", "Kein Bild")
    static let cardHint = ConsoleText(
        "Title, text, the address of the picture and the host, as WhatsApp and others get them. Each program lays them out in its way.",
        "Titel, Text, Adresse des Bilds und Host, wie WhatsApp und andere sie bekommen. Jedes Programm ordnet sie auf seine Weise an."
    )
    static let noCard = ConsoleText(
        "Chats get no card: the link leads on, and they show what is there.",
        "Chats bekommen keine Karte: Der Link führt weiter, und sie zeigen, was dort ist.")
    static let messagesApp = ConsoleText(
        "Messages (iMessage), preview", "Nachrichten (iMessage), Vorschau")
    static let iPhoneCaveat = ConsoleText(
        "A tap opens the app; typing the address into Safari does not. Who once chose to stay in Safari stays there until they choose the app again.",
        "Tippen öffnet die App; die Adresse in Safari einzugeben nicht. Wer einmal in Safari geblieben ist, bleibt dort, bis er wieder die App wählt."
    )
    static let iPadCaveat = ConsoleText(
        "Safari on an iPad says that it is a Mac, so the server cannot always tell them apart.",
        "Safari auf dem iPad gibt sich als Mac aus, der Server kann sie also nicht immer unterscheiden."
    )
    static let androidCaveat = ConsoleText(
        "Opens once Android has verified the app, within minutes of its installation.",
        "Öffnet sich, sobald Android die App geprüft hat, wenige Minuten nach der Installation.")
    static let instagramCaveat = ConsoleText(
        "Apps that have a browser of their own keep links there. The link’s page says how to get out.",
        "Apps mit eigenem Browser behalten Links bei sich. Die Seite des Links erklärt den Weg hinaus."
    )
    static let cardCaveat = ConsoleText(
        "The card is fetched when the link is sent, and is kept for days. Change the title before you share it.",
        "Die Karte wird beim Senden geholt und tagelang behalten. Ändere den Titel, bevor du ihn teilst."
    )
    static let searchCaveat = ConsoleText(
        "Only programs that fill search results. People who find it there get what is above.",
        "Nur Programme, die Suchergebnisse füllen. Leute, die ihn dort finden, bekommen, was oben steht."
    )
    static let applebotCaveat = ConsoleText(
        "For Siri and Spotlight. It may look like a Mac.",
        "Für Siri und Spotlight. Es kann wie ein Mac aussehen.")
}
