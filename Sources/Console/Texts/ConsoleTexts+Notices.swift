/// Texts of pages about signing in, and of requests that are not answered.
extension ConsoleText {
    static let signIn = ConsoleText("Sign in", "Anmelden")
    static let signInLead = ConsoleText(
        "This link signs you in once. Press the button to use it.",
        "Mit diesem Link meldest du dich einmal an. Drücke den Knopf, um ihn zu verwenden.")
    static let linkInvalid = ConsoleText(
        "This sign-in link cannot be used", "Dieser Anmelde-Link gilt nicht")
    static let signInNeeded = ConsoleText("You are not signed in", "Du bist nicht angemeldet")
    static let cameFromElsewhere = ConsoleText(
        "You are signed in, and came here from another site or a message? Then go on.",
        "Du bist angemeldet und kommst von einer anderen Seite oder aus einer Nachricht? Dann weiter."
    )
    static let ledHere = ConsoleText("Go on to the console", "Weiter zur Konsole")
    static let ledHereLead = ConsoleText(
        "A link of another site or of a message has led you here. If you are signed in, go on. If not, you sign in with a link that "
            + "works once; whoever runs this server makes one with: waymark console login NAME",
        "Ein Link einer anderen Seite oder einer Nachricht hat dich hierher geführt. Bist du angemeldet, dann weiter. Wenn nicht, "
            + "meldest du dich mit einem Link an, der einmal gilt; wer diesen Server betreibt, erstellt ihn mit: waymark console "
            + "login NAME")
    static let goOn = ConsoleText("Go on", "Weiter")
    static let signedOut = ConsoleText("You are signed out", "Du bist abgemeldet")
    static let signedInByProxy = ConsoleText("You are still signed in", "Du bist noch angemeldet")
    static let signedInByProxyLead = ConsoleText(
        "Your organization's sign-in page has signed you in. Sign out there.",
        "Die Anmeldeseite deiner Organisation hat dich angemeldet. Melde dich dort ab.")
    static let unknownPerson = ConsoleText(
        "The console does not know you", "Die Konsole kennt dich nicht")
    static let unknownPersonLead = ConsoleText(
        "You have signed in, but nobody has given you rights here. Whoever runs this server does that with: "
            + "waymark console login NAME --role ROLE",
        "Du hast dich angemeldet, aber hier hat dir noch niemand Rechte gegeben. Wer diesen Server betreibt, tut das "
            + "mit: waymark console login NAME --role ROLE")
    static let signInHow = ConsoleText(
        "You sign in with a link that works once. An administrator makes one for you on the page People, and whoever runs this "
            + "server with: waymark console login NAME",
        "Du meldest dich mit einem Link an, der einmal gilt. Wer hier verwaltet, erstellt ihn für dich auf der Seite Personen, "
            + "und wer diesen Server betreibt, mit: waymark console login NAME")
    static let linkInvalidLead = ConsoleText(
        "A sign-in link works once, and an invitation for three days, any other for ten minutes. If you have used this one here, you may still be signed in: go on. If not, ask "
            + "whoever invited you for a new one. Whoever runs this server makes one, too: waymark console login NAME",
        "Ein Anmelde-Link gilt einmal, als Einladung drei Tage lang und sonst zehn Minuten. Hast du diesen hier schon verwendet, bist du vielleicht noch "
            + "angemeldet: Dann weiter. Sonst bitte die Person, die dich eingeladen hat, um einen neuen. Wer diesen Server "
            + "betreibt, erstellt auch einen: waymark console login NAME")
    static let sessionEnded = ConsoleText("Your session has ended", "Deine Sitzung ist zu Ende")
    static let sessionEndedLead = ConsoleText(
        "Nothing is lost. Leave this page open, sign in in another tab, and then send what you have typed again.",
        "Es ist nichts verloren. Lass diese Seite offen, melde dich in einem anderen Tab an, und sende dann noch "
            + "einmal, was du geschrieben hast.")
    static let sessionEndedNow = ConsoleText(
        "Your session has ended. Nothing is lost: leave this page open, and sign in in another tab.",
        "Deine Sitzung ist zu Ende. Es ist nichts verloren: Lass diese Seite offen, und melde dich in einem anderen Tab an."
    )
    static let sessionEndedBefore = ConsoleText(
        "Your session has ended, and nothing was sent. Leave this page open, sign in in another tab, and then press the button again.",
        "Deine Sitzung ist zu Ende, und nichts wurde gesendet. Lass diese Seite offen, melde dich in einem anderen Tab an und drücke dann noch einmal."
    )
    static let signInInOtherTab = ConsoleText(
        "Sign in with {name} in another tab", "In einem anderen Tab mit {name} anmelden")
    static let goneMeanwhile = ConsoleText(
        "Nothing was saved: the link is gone",
        "Nichts wurde gespeichert: Den Link gibt es nicht mehr")
    static let goneMeanwhileLead = ConsoleText(
        "It was deleted for good meanwhile, or you may not see it any more. Copy what you need from here.",
        "Er wurde inzwischen endgültig gelöscht, oder du darfst ihn nicht mehr sehen. Kopiere von hier, was du brauchst."
    )
    static let openOtherTab = ConsoleText("Sign in in another tab", "In einem anderen Tab anmelden")
    static let sendAgain = ConsoleText("Send again", "Noch einmal senden")
    static let otherOrigin = ConsoleText(
        "This request does not come from the console", "Diese Anfrage kommt nicht aus der Konsole")
    static let otherOriginLead = ConsoleText(
        "Nothing was changed. Open the page in the console, and try again there.",
        "Es wurde nichts geändert. Öffne die Seite in der Konsole und versuche es dort noch einmal."
    )
    static let tooMany = ConsoleText("Too many attempts", "Zu viele Versuche")
    static let tooManyLead = ConsoleText(
        "Wait a moment, then try again.", "Warte einen Moment und versuche es dann noch einmal.")
    static let tooOften = ConsoleText("Too many requests", "Zu viele Anfragen")
    static let notFound = ConsoleText("There is no such page", "Diese Seite gibt es nicht")
    static let notFoundLead = ConsoleText(
        "It was deleted, or its address is wrong, or it is not for you.",
        "Sie wurde gelöscht, die Adresse stimmt nicht, oder sie ist nicht für dich.")
    static let noCollectionForYou = ConsoleText(
        "There is no collection for you", "Es gibt keine Sammlung für dich")
    static let noCollectionLead = ConsoleText(
        "Links are made in collections, and none of those that are served is for you. Whoever runs this server adds one to the "
            + "configuration, or gives you rights for another.",
        "Links entstehen in Sammlungen, und keine von denen, die ausgeliefert werden, ist für dich. Wer diesen Server betreibt, "
            + "nimmt eine in die Konfiguration auf oder gibt dir Rechte für eine andere.")
    static let methodNotAllowed = ConsoleText(
        "This page takes no such request", "Diese Seite nimmt so eine Anfrage nicht an")
    static let formTooLarge = ConsoleText(
        "This form cannot be taken", "Dieses Formular wird nicht angenommen")
    static let formTooLargeLead = ConsoleText(
        "Nothing was changed. It is too long. Go back, and write less in its fields.",
        "Es wurde nichts geändert. Es ist zu lang. Geh zurück und schreib weniger in die Felder.")
    static let otherFormLead = ConsoleText(
        "Nothing was changed. It is no form of the console. Programs use the API.",
        "Es wurde nichts geändert. Es ist kein Formular der Konsole. Programme verwenden die API.")
    static let foreignChoiceLead = ConsoleText(
        "Nothing was changed. It has a choice that no page offers. Go back, and choose again.",
        "Es wurde nichts geändert. Es hat eine Auswahl, die keine Seite anbietet. Geh zurück und wähle noch einmal."
    )
    static let storeUnavailable = ConsoleText(
        "The store of links cannot be reached", "Der Speicher der Links ist nicht erreichbar")
    static let storeUnavailableLead = ConsoleText(
        "Links go on working. Nothing can be shown or changed here until the store is back; try again in a moment.",
        "Die Links funktionieren weiter. Hier kann nichts gezeigt oder geändert werden, bis der Speicher wieder da "
            + "ist; versuche es gleich noch einmal.")
    static let notSentLead = ConsoleText(
        "Links go on working, and nothing is lost. Leave this page open, and send what you have typed again in a moment.",
        "Die Links funktionieren weiter, und es ist nichts verloren. Lass diese Seite offen, und sende gleich noch "
            + "einmal, was du geschrieben hast.")
    static let failed = ConsoleText("That is our fault", "Das ist unser Fehler")
    static let failedLead = ConsoleText(
        "The page could not be made. What happened is in the log of the server.",
        "Die Seite konnte nicht erstellt werden. Was passiert ist, steht im Protokoll des Servers.")
}
