/// Texts around every page.
extension ConsoleText {
    static let skip = ConsoleText("Skip to the content", "Zum Inhalt springen")
    static let overview = ConsoleText("Overview", "Übersicht")
    static let links = ConsoleText("Links", "Links")
    static let preview = ConsoleText("Try a link", "Link ausprobieren")
    static let visits = ConsoleText("Visits", "Besuche")
    static let misses = ConsoleText("Misses", "Fehlgriffe")
    static let pages = ConsoleText("Pages", "Seiten")
    static let signedInAs = ConsoleText("Signed in as {name}", "Angemeldet als {name}")
    static let signOut = ConsoleText("Sign out", "Abmelden")
    static let signOutEverywhere = ConsoleText("Sign out everywhere", "Überall abmelden")
    static let viewer = ConsoleText("Viewer", "Leserecht")
    static let editor = ConsoleText("Editor", "Redaktion")
    static let admin = ConsoleText("Administrator", "Verwaltung")
}
