/// The texts of a debug page, in one language.
struct DebugTexts {
    let language: String
    let title, refused: String
    private let androidPhone, computer, otherOnIPad, chat: String
    let withApp, opens, withoutApp: String
    let goesTo, seesFile, seesPage, seesCard, findsNothing: String
    let why, notKept: String

    /// - Parameter language: German, or else English.
    init(_ language: String) {
        let isGerman = language == "de"
        func text(_ english: String, _ german: String) -> String { isGerman ? german : english }
        self.language = isGerman ? "de" : "en"
        title = text("What this link does", "Was dieser Link tut")
        refused = text("This link leads nowhere", "Dieser Link führt nirgendwohin")
        androidPhone = text("Android phone", "Android-Handy")
        computer = text("Computer", "Computer")
        otherOnIPad = text("iPad (other browsers)", "iPad (andere Browser)")
        chat = text("Preview in a chat", "Vorschau in einem Chat")
        withApp = text("With the app", "Mit der App")
        opens = text("It opens:", "Sie öffnet sich:")
        withoutApp = text("Without the app", "Ohne die App")
        goesTo = text("Goes to", "Führt zu")
        seesFile = text("Shows the page", "Zeigt die Seite")
        seesPage = text("Shows the link’s own page", "Zeigt die eigene Seite des Links")
        seesCard = text("Shows title, text and picture", "Zeigt Titel, Text und Bild")
        findsNothing = text("Finds nothing", "Findet nichts")
        why = text("Why", "Warum")
        notKept = text("Not kept", "Nicht übernommen")
    }

    /// The names of clients that have one way. Both kinds of browsers on an iPad are one iPad.
    func names(of clients: [DebugPage.Client]) -> String {
        let areBoth = clients.contains(.safariOnIPad) && clients.contains(.ipad)
        return clients.filter { !areBoth || $0 != .ipad }
            .map { areBoth && $0 == .safariOnIPad ? "iPad" : name(of: $0) }
            .joined(separator: ", ")
    }

    func name(of client: DebugPage.Client) -> String {
        switch client {
        case .iphone: "iPhone"
        case .safariOnIPad: "iPad (Safari)"
        case .ipad: otherOnIPad
        case .android: androidPhone
        case .desktop: computer
        case .preview: chat
        }
    }
}
