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
    static let notSignedIn = ConsoleText("not signed in", "nicht angemeldet")

    // MARK: People

    static let personName = ConsoleText("Name", "Name")
    static let personNameHint = ConsoleText(
        "A name such as anna, or an address for e-mail. The history of links shows it.",
        "Ein Name wie anna oder eine E-Mail-Adresse. Der Verlauf der Links zeigt ihn.")
    static let role = ConsoleText("Role", "Rolle")
    static let roleHint = ConsoleText(
        "A viewer sees links and visits, an editor makes and changes links, an administrator may do everything. For some "
            + "collections, an administrator may do what an editor may.",
        "Leserecht sieht Links und Besuche, Redaktion erstellt und ändert Links, Verwaltung darf alles. Für einzelne "
            + "Sammlungen darf Verwaltung dasselbe wie Redaktion.")
    static let lastSeen = ConsoleText("Last seen", "Zuletzt gesehen")
    static let sessionCount = ConsoleText("(sessions: {count})", "(Sitzungen: {count})")
    static let nobodyYet = ConsoleText("There is nobody yet.", "Es gibt noch niemanden.")
    static let removePerson = ConsoleText("Remove", "Entfernen")
    static let invite = ConsoleText("Invite somebody", "Jemanden einladen")
    static let inviteLead = ConsoleText(
        "Makes a link with which the person signs in once, within three days. Somebody from the list gets a new one by the "
            + "button beside their name, and other rights here.",
        "Erstellt einen Link, mit dem sich die Person einmal anmeldet, innerhalb von drei Tagen. Wer schon in der Liste "
            + "steht, bekommt einen neuen mit dem Knopf neben dem Namen, und andere Rechte hier.")
    static let newSignInLink = ConsoleText("New sign-in link", "Neuer Anmelde-Link")
    static let rightsQuestion = ConsoleText(
        "{name} is here already, with the role {before}. Nothing was changed yet. Shall the role be {after}? Then {name} is "
            + "signed out, and signs in anew.",
        "{name} ist schon da, mit der Rolle {before}. Noch ist nichts geändert. Soll die Rolle {after} sein? Dann wird "
            + "{name} abgemeldet und meldet sich neu an.")
    static let changeRights = ConsoleText(
        "Change the role, and make a link", "Rolle ändern und Link erstellen")
    static let keepRights = ConsoleText(
        "Keep the role, and make a link", "Rolle behalten und Link erstellen")
    static let linkWasMade = ConsoleText(
        "Nothing was done. A sign-in link for {name} was made since this page was shown, and it is shown only once. Make "
            + "another here if you need it: the one before stops working then.",
        "Es wurde nichts getan. Ein Anmelde-Link für {name} wurde erstellt, seit diese Seite gezeigt wurde, und er wird nur "
            + "einmal gezeigt. Erstelle hier einen neuen, wenn du ihn brauchst: Der alte gilt dann nicht mehr."
    )
    static let personIsGone = ConsoleText(
        "Nothing was done: {name} is not here any more. Somebody has removed them, perhaps you yourself in another tab.",
        "Es wurde nichts getan: {name} ist nicht mehr da. Jemand hat die Person entfernt, vielleicht du selbst in einem anderen Tab."
    )
    static let nameMissing = ConsoleText("Write a name.", "Schreib einen Namen.")
    static let personCollectionsHint = ConsoleText(
        "The role is for these. None chosen: for all, or for those that somebody from the list has already.",
        "Für diese gilt die Rolle. Keine gewählt: für alle, oder für die, die jemand aus der Liste schon hat."
    )
    static let makeInvitation = ConsoleText("Make a sign-in link", "Anmelde-Link erstellen")
    static let invitationLead = ConsoleText(
        "This link is for {name}. Send it by a way that you trust. It signs in once, until {end}, and is shown only now.",
        "Dieser Link ist für {name}. Schicke ihn auf einem Weg, dem du vertraust. Er gilt einmal, bis {end}, und wird nur jetzt gezeigt."
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
    static let removalQuestion = ConsoleText(
        "Nobody was removed yet. Shall {name} ({role}), last seen: {seen}, be removed? Their sessions and passkeys end, and "
            + "they come back only by a new invitation.",
        "Noch ist niemand entfernt. Soll {name} ({role}), zuletzt gesehen: {seen}, entfernt werden? Sitzungen und Passkeys "
            + "enden dann, und zurück geht es nur mit einer neuen Einladung.")
    static let removeForGood = ConsoleText("Remove this person", "Diese Person entfernen")
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
    static let tokenEnded = ConsoleText("Ended", "Abgelaufen")
    static let expiresHint = ConsoleText(
        "Day and time ({zone}), such as 2027-03-31 22:00. A day alone: its end. Empty: never.",
        "Tag und Zeit ({zone}), zum Beispiel 31.03.2027 22:00. Ein Tag allein: sein Ende. Leer: nie."
    )
    static let noTokenYet = ConsoleText("There is no token yet", "Es gibt noch kein Token")
    static let noTokenYetLead = ConsoleText(
        "A program needs one: for example a newsletter that makes its own links, or a spreadsheet that fetches visits.",
        "Ein Programm braucht eines: zum Beispiel ein Newsletter, der seine Links selbst erstellt, oder eine Tabelle, die "
            + "Besuche abholt.")
    static let revoke = ConsoleText("Revoke", "Widerrufen")
    static let revokeQuestion = ConsoleText(
        "Nothing was revoked yet. Shall the token {name} (…{ending}), last used: {used}, be revoked? What uses it gets no "
            + "answer any more, and it cannot be brought back.",
        "Noch ist nichts widerrufen. Soll das Token {name} (…{ending}), zuletzt verwendet: {used}, widerrufen werden? Was es "
            + "verwendet, bekommt dann keine Antwort mehr, und es lässt sich nicht zurückholen.")
    static let revokeForGood = ConsoleText("Revoke for good", "Endgültig widerrufen")
    static let newToken = ConsoleText("New token", "Neues Token")
    static let newTokenLead = ConsoleText(
        "With a token, a program uses the API. Give it the fewest rights that it needs.",
        "Mit einem Token verwendet ein Programm die API. Gib ihm so wenige Rechte, wie es braucht.")
    static let tokenCollectionsHint = ConsoleText(
        "The rights are for these. None chosen: for all.",
        "Für diese gelten die Rechte. Keine gewählt: für alle.")
    static let scopeMissing = ConsoleText(
        "Choose at least one right.", "Wähle mindestens ein Recht.")
    static let expiresWrong = ConsoleText(
        "Write a day and a time ({zone}) that is still to come, as 2027-03-31 22:00, or nothing.",
        "Schreib einen Tag und eine Zeit ({zone}), die noch kommt, als 31.03.2027 22:00, oder nichts."
    )
    static let tokenWasMade = ConsoleText(
        "Nothing was done. A token of this name was made since this page was shown, and it is shown only once. If nobody has "
            + "it, revoke it, and make another.",
        "Es wurde nichts getan. Ein Token mit diesem Namen wurde erstellt, seit diese Seite gezeigt wurde, und es wird nur "
            + "einmal gezeigt. Wenn es niemand hat, widerrufe es und erstelle ein neues.")
    static let tokenIsGone = ConsoleText(
        "Nothing was done: this token is revoked already, perhaps by you in another tab.",
        "Es wurde nichts getan: Dieses Token ist schon widerrufen, vielleicht von dir in einem anderen Tab."
    )
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

    static let linksImported = ConsoleText("imported links", "hat Links importiert")
    static let importedNew = ConsoleText("{count} made", "{count} erstellt")
    static let importedChanged = ConsoleText("{count} changed", "{count} geändert")
    static let signedInByProxyDeed = ConsoleText(
        "signed in by a proxy", "hat sich über einen Proxy angemeldet")
    static let signedInByProviderDeed = ConsoleText(
        "signed in with OpenID Connect", "hat sich über OpenID Connect angemeldet")
    static let withoutRoleDeed = ConsoleText(
        "was not signed in with OpenID Connect: no group with a role",
        "wurde über OpenID Connect nicht angemeldet: keine Gruppe mit einer Rolle")
    static let signedInByPasskeyDeed = ConsoleText(
        "signed in with the passkey {name}", "hat sich mit dem Passkey {name} angemeldet")
    static let passkeyAddedDeed = ConsoleText(
        "added the passkey {name}", "hat den Passkey {name} hinzugefügt")
    static let passkeyRemovedDeed = ConsoleText(
        "removed the passkey {name}", "hat den Passkey {name} entfernt")
    static let personAddedDeed = ConsoleText(
        "added {name} with the role {role}", "hat {name} mit der Rolle {role} hinzugefügt")
    static let personChangedDeed = ConsoleText(
        "gave {name} the role {role}", "hat {name} die Rolle {role} gegeben")
    static let personRemovedDeed = ConsoleText("removed {name}", "hat {name} entfernt")
    static let personSignedOutDeed = ConsoleText(
        "signed {name} out everywhere", "hat {name} überall abgemeldet")
    static let invitedDeed = ConsoleText(
        "made a sign-in link for {name}", "hat einen Anmelde-Link für {name} erstellt")
    static let tokenMadeDeed = ConsoleText("made the token {name}", "hat das Token {name} erstellt")
    static let tokenRevokedDeed = ConsoleText(
        "revoked the token {name}", "hat das Token {name} widerrufen")

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
