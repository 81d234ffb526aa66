/// Texts about signing in at a provider of OpenID Connect.
extension ConsoleText {
    static let signInAt = ConsoleText("Sign in with {name}", "Mit {name} anmelden")
    static let stillSignedInAt = ConsoleText(
        "If you have signed in with {name}, you still are signed in there.",
        "Falls du dich mit {name} angemeldet hast, bist du dort noch angemeldet.")
    static let leadingOn = ConsoleText("You are led on", "Es geht weiter")
    static let leadingOnLead = ConsoleText(
        "You sign in at {name}, and come back then.",
        "Du meldest dich bei {name} an und kommst dann zurück.")
    static let signedIn = ConsoleText("You are signed in", "Du bist angemeldet")
    static let signedInLead = ConsoleText("The console opens.", "Die Konsole öffnet sich.")
    static let attemptInvalid = ConsoleText(
        "This sign-in cannot be finished", "Diese Anmeldung lässt sich nicht abschließen")
    static let attemptInvalidLead = ConsoleText(
        "It was begun in another browser or before another one, took more than ten minutes, or was finished already. "
            + "Begin again.",
        "Sie hat in einem anderen Browser oder vor einer anderen begonnen, hat mehr als zehn Minuten gedauert oder ist schon "
            + "abgeschlossen. Beginne noch einmal.")
    static let providerRefused = ConsoleText(
        "You were not signed in", "Du wurdest nicht angemeldet")
    static let providerRefusedLead = ConsoleText(
        "{name} has said no, or you have cancelled. Try again, or ask whoever runs this console.",
        "{name} hat abgelehnt, oder du hast abgebrochen. Versuche es noch einmal, oder frag, wer diese Konsole betreibt."
    )
    static let providerAway = ConsoleText(
        "You cannot be signed in right now", "Du kannst gerade nicht angemeldet werden")
    static let providerAwayLead = ConsoleText(
        "{name} does not answer, or not in time. Try again in a moment; the log of the server says more.",
        "{name} antwortet nicht oder nicht rechtzeitig. Versuche es gleich noch einmal; im Protokoll des Servers steht mehr."
    )
    static let providerWrong = ConsoleText(
        "You could not be signed in", "Du konntest nicht angemeldet werden")
    static let providerWrongLead = ConsoleText(
        "The answer of {name} is not right, so nobody was signed in. The log of the server says what is wrong with it.",
        "Die Antwort von {name} stimmt nicht, also wurde niemand angemeldet. Was daran falsch ist, steht im Protokoll des "
            + "Servers.")
    static let noRole = ConsoleText(
        "You have no role in this console", "Du hast in dieser Konsole keine Rolle")
    static let noRoleLead = ConsoleText(
        "{name} has signed you in, but none of your groups there has a role here. Ask whoever runs this console.",
        "{name} hat dich angemeldet, aber keine deiner Gruppen dort hat hier eine Rolle. Frag, wer diese Konsole betreibt."
    )
}
