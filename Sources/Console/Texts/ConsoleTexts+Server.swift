/// Texts of the pages about the server, its people and its tokens.
extension ConsoleText {
    static let server = ConsoleText("Server", "Server")
    static let collections = ConsoleText("Collections", "Sammlungen")
    static let audit = ConsoleText("Changes", "Änderungen")
    static let members = ConsoleText("People", "Personen")
    static let tokens = ConsoleText("Tokens", "Tokens")
    static let health = ConsoleText("Health", "Zustand des Servers")
    static let allOfThem = ConsoleText("all", "alle")

    static let never = ConsoleText("never", "nie")

    // MARK: People

    static let personName = ConsoleText("Name", "Name")
    static let personNameHint = ConsoleText(
        "A name such as anna, or an address for e-mail. The history of links shows it.",
        "Ein Name wie anna oder eine E-Mail-Adresse. Der Verlauf der Links zeigt ihn.")
    static let role = ConsoleText("Role", "Rolle")
    static let roleHint = ConsoleText(
        "A viewer sees links and visits, an editor makes and changes links, an administrator may do everything.",
        "Leserecht sieht Links und Besuche, Redaktion erstellt und ändert Links, Verwaltung darf alles."
    )
    static let lastSeen = ConsoleText("Last seen", "Zuletzt gesehen")
    static let sessionCount = ConsoleText("(sessions: {count})", "(Sitzungen: {count})")
    static let nobodyYet = ConsoleText("There is nobody yet.", "Es gibt noch niemanden.")
    static let removePerson = ConsoleText("Remove", "Entfernen")
    static let invite = ConsoleText("Invite somebody", "Jemanden einladen")
    static let inviteLead = ConsoleText(
        "Makes a link with which the person signs in once, within ten minutes. For a name from the list it is a new "
            + "link, with the role that is chosen here.",
        "Erstellt einen Link, mit dem sich die Person einmal anmeldet, innerhalb von zehn Minuten. Für einen Namen aus "
            + "der Liste ist es ein neuer Link, mit der Rolle, die hier gewählt ist.")
    static let personCollectionsHint = ConsoleText(
        "The role is for these. None chosen: for all, or for those that somebody from the list has already.",
        "Für diese gilt die Rolle. Keine gewählt: für alle, oder für die, die jemand aus der Liste schon hat."
    )
    static let makeInvitation = ConsoleText("Make a sign-in link", "Anmelde-Link erstellen")
    static let invitationLead = ConsoleText(
        "Send this link by a way that you trust. It signs in once, within ten minutes, and is shown only now.",
        "Schicke diesen Link auf einem Weg, dem du vertraust. Er gilt einmal, zehn Minuten lang, und wird nur jetzt gezeigt."
    )
    static let lastAdminRole = ConsoleText(
        "Nothing was changed yet. This is the only administrator: with another role, nobody can invite people or make "
            + "tokens here, and it takes a terminal on the server to change that.",
        "Noch ist nichts geändert. Das ist die einzige Verwaltung: Mit einer anderen Rolle kann hier niemand mehr "
            + "Personen einladen oder Tokens erstellen, und nur ein Terminal auf dem Server kann das wieder ändern."
    )
    static let lastAdminRemoval = ConsoleText(
        "Nobody was removed yet. This is the only administrator: without them, nobody can invite people or make "
            + "tokens here, and it takes a terminal on the server to change that.",
        "Noch ist niemand entfernt. Das ist die einzige Verwaltung: Ohne sie kann hier niemand mehr Personen einladen "
            + "oder Tokens erstellen, und nur ein Terminal auf dem Server kann das wieder ändern.")
    static let doItAnyway = ConsoleText("Do it anyway", "Trotzdem tun")
    static let personWasRemoved = ConsoleText(
        "The person is removed, and their sessions have ended.",
        "Die Person ist entfernt, ihre Sitzungen sind zu Ende.")
    static let personWasSignedOut = ConsoleText(
        "The person is signed out everywhere.", "Die Person ist überall abgemeldet.")

    // MARK: Tokens

    static let tokenName = ConsoleText("Name", "Name")
    static let tokenNameHint = ConsoleText(
        "What it is for, such as newsletter. The history of links shows it.",
        "Wofür es ist, zum Beispiel newsletter. Der Verlauf der Links zeigt ihn.")
    static let scopes = ConsoleText("Rights", "Rechte")
    static let scopeRead = ConsoleText("see links", "Links sehen")
    static let scopeCreate = ConsoleText("make links", "Links erstellen")
    static let scopeWrite = ConsoleText("make and change links", "Links erstellen und ändern")
    static let scopeDelete = ConsoleText("delete links for good", "Links endgültig löschen")
    static let scopeStats = ConsoleText("see visits", "Besuche sehen")
    static let scopeAudit = ConsoleText("see who changed what", "sehen, wer was geändert hat")
    static let scopeAdmin = ConsoleText(
        "everything, with people and tokens", "alles, mit Personen und Tokens")
    static let lastUsed = ConsoleText("Last used", "Zuletzt verwendet")
    static let expires = ConsoleText("Expires", "Läuft ab")
    static let expiresHint = ConsoleText(
        "Year-month-dayThour:minute in UTC, such as 2027-03-31T22:00. Empty: never.",
        "Jahr-Monat-TagTStunde:Minute in UTC, zum Beispiel 2027-03-31T22:00. Leer: nie.")
    static let noTokenYet = ConsoleText("There is no token yet.", "Es gibt noch kein Token.")
    static let revoke = ConsoleText("Revoke", "Widerrufen")
    static let newToken = ConsoleText("New token", "Neues Token")
    static let newTokenLead = ConsoleText(
        "With a token, a program uses the API. Give it the fewest rights that it needs.",
        "Mit einem Token verwendet ein Programm die API. Gib ihm so wenige Rechte, wie es braucht.")
    static let tokenCollectionsHint = ConsoleText(
        "The rights are for these. None chosen: for all.",
        "Für diese gelten die Rechte. Keine gewählt: für alle.")
    static let makeToken = ConsoleText("Make the token", "Token erstellen")
    static let tokenLead = ConsoleText(
        "Keep this token where only the program can read it. It is shown only now.",
        "Bewahre dieses Token dort auf, wo nur das Programm es lesen kann. Es wird nur jetzt gezeigt."
    )
    static let tokenWasRemoved = ConsoleText(
        "The token is revoked. What uses it gets no answer any more.",
        "Das Token ist widerrufen. Was es verwendet, bekommt keine Antwort mehr.")

    // MARK: Changes

    static let time = ConsoleText("Time", "Zeit")
    static let who = ConsoleText("Who", "Wer")
    static let what = ConsoleText("What", "Was")
    static let olderChanges = ConsoleText("Older changes", "Ältere Änderungen")
    static let nothingChanged = ConsoleText(
        "Nothing was changed yet.", "Noch wurde nichts geändert.")
    static let auditForAll = ConsoleText(
        "The changes of all links are for people who may see all collections. Each link’s page has its own.",
        "Die Änderungen aller Links sind für Leute, die alle Sammlungen sehen dürfen. Die Seite jedes Links hat seine."
    )
    static let linkMade = ConsoleText("made the link", "hat den Link erstellt")
    static let linkChanged = ConsoleText("changed the link", "hat den Link geändert")
    static let linkErased = ConsoleText(
        "deleted the link for good", "hat den Link endgültig gelöscht")
    static let linkNamed = ConsoleText(
        "gave the link another name", "hat dem Link einen weiteren Namen gegeben")
    static let signedInDeed = ConsoleText("signed in", "hat sich angemeldet")
    static let signedOutDeed = ConsoleText("signed out", "hat sich abgemeldet")
    static let signedOutEverywhereDeed = ConsoleText(
        "signed out everywhere", "hat sich überall abgemeldet")

    // MARK: Collections and health

    static let collectionsLead = ConsoleText(
        "A collection is a family of links with the same beginning. The configuration of the server has them.",
        "Eine Sammlung ist eine Familie von Links mit demselben Anfang. Sie stehen in der Konfiguration des Servers."
    )
    static let noCollection = ConsoleText(
        "There is no collection for you.", "Für dich gibt es keine Sammlung.")
    static let begins = ConsoleText("Links begin with", "Links beginnen mit")
    static let allowedDestinations = ConsoleText("They may lead to", "Sie dürfen führen zu")
    static let anywhere = ConsoleText("every address", "jeder Adresse")
    static let publishedFiles = ConsoleText("Published for apps", "Für Apps veröffentlicht")
    static let appleFile = ConsoleText("File for iPhone and iPad", "Datei für iPhone und iPad")
    static let androidFile = ConsoleText("File for Android", "Datei für Android")
    static let itsLinks = ConsoleText("Links of this collection", "Links dieser Sammlung")
    static let theStore = ConsoleText("Store of links", "Speicher der Links")
    static let reachable = ConsoleText("Well", "In Ordnung")
    static let unreachable = ConsoleText("Not reachable", "Nicht erreichbar")
    static let storeIsFile = ConsoleText(
        "It is a file of this server.", "Er ist eine Datei dieses Servers.")
    static let storeIsShared = ConsoleText(
        "It is a database that several servers share.",
        "Er ist eine Datenbank, die mehrere Server teilen.")
    static let nodes = ConsoleText("Servers that share it", "Server, die ihn teilen")
    static let node = ConsoleText("Server", "Server")
    static let version = ConsoleText("Version", "Version")
    static let behind = ConsoleText("Changes behind", "Änderungen im Rückstand")
    static let clockOffset = ConsoleText("Clock differs by", "Uhr weicht ab um")
    static let configurationsDiffer = ConsoleText(
        "The servers have different configurations.",
        "Die Server haben verschiedene Konfigurationen.")
}
