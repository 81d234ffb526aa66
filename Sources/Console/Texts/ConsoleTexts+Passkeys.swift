/// Texts about passkeys.
extension ConsoleText {
    static let passkeys = ConsoleText("Passkeys", "Passkeys")
    static let passkeysLead = ConsoleText(
        "With a passkey you sign in with your fingerprint, your face or your device's PIN, and need no link.",
        "Mit einem Passkey meldest du dich mit Fingerabdruck, Gesicht oder der PIN deines Geräts an und brauchst keinen "
            + "Link.")
    static let passkeysNeedHost = ConsoleText(
        "There are none here: passkeys need the console's own host over https, and a sign-in by link. Whom a proxy or a "
            + "provider has signed in needs none.",
        "Hier gibt es keine: Passkeys brauchen den eigenen Host der Konsole über https und eine Anmeldung mit Link. Wen ein "
            + "Proxy oder ein Anbieter angemeldet hat, braucht keinen.")
    static let noPasskeys = ConsoleText("You have no passkey yet", "Du hast noch keinen Passkey")
    static let noPasskeysLead = ConsoleText(
        "Add one here, on the device in front of you. It asks for your fingerprint, your face or its PIN, and after that you sign "
            + "in with it. Sign-in links go on working.",
        "Füge hier einen hinzu, auf dem Gerät vor dir. Es fragt nach Fingerabdruck, Gesicht oder seiner PIN, und danach meldest "
            + "du dich damit an. Anmelde-Links gelten weiter.")
    static let onePasskey = ConsoleText(
        "With a second one, on another device, you still sign in if you lose this one.",
        "Mit einem zweiten auf einem anderen Gerät meldest du dich auch an, wenn dieses verloren geht."
    )
    static let lastPasskeyQuestion = ConsoleText(
        "Nothing was removed yet. {name} is your only passkey: without it, you sign in by a link that an administrator makes "
            + "for you. Shall it be removed?",
        "Noch ist nichts entfernt. {name} ist dein einziger Passkey: Ohne ihn meldest du dich mit einem Link an, den dir die "
            + "Verwaltung erstellt. Soll er entfernt werden?")
    static let passkeyNameTooLong = ConsoleText(
        "The name is longer than 64 characters.", "Der Name ist länger als 64 Zeichen.")
    static let passkeyNameWithControls = ConsoleText(
        "The name has a tab or another character that cannot be seen. Write it without that.",
        "Der Name hat einen Tabulator oder ein anderes Zeichen, das man nicht sieht. Schreib ihn ohne das."
    )
    static let passkey = ConsoleText("Passkey", "Passkey")
    static let passkeyName = ConsoleText(
        "Name, such as your device", "Name, zum Beispiel dein Gerät")
    static let passkeyCreated = ConsoleText("Added", "Hinzugefügt")
    static let passkeyUsed = ConsoleText("Last used", "Zuletzt benutzt")
    static let addPasskey = ConsoleText("Add a passkey", "Passkey hinzufügen")
    static let removePasskey = ConsoleText("Remove", "Entfernen")
    static let passkeyNeedsScript = ConsoleText(
        "Browsers offer passkeys to scripts alone, and script is off here. Sign-in links go on working.",
        "Browser bieten Passkeys nur Skripten an, und Skripte sind hier aus. Anmelde-Links gelten weiter."
    )
    static let passkeyAdded = ConsoleText(
        "The passkey was added.", "Der Passkey wurde hinzugefügt.")
    static let passkeyRemoved = ConsoleText(
        "The passkey was removed. Remove it from your device, too.",
        "Der Passkey wurde entfernt. Entferne ihn auch auf deinem Gerät.")
    static let passkeyRefused = ConsoleText(
        "That did not work. Try again; the device must ask for your fingerprint, your face or a PIN.",
        "Das hat nicht geklappt. Versuche es noch einmal; das Gerät muss nach Fingerabdruck, Gesicht oder PIN fragen."
    )
    static let passkeyFull = ConsoleText(
        "You have as many passkeys as there may be, 20. Remove one first.",
        "Du hast schon so viele Passkeys, wie es sein dürfen: 20. Entferne erst einen.")
    static let passkeyKnown = ConsoleText(
        "This device has a passkey for the console already.",
        "Dieses Gerät hat schon einen Passkey für die Konsole.")
    static let passkeyFailed = ConsoleText(
        "That did not work, or was cancelled. Try again.",
        "Das hat nicht geklappt oder wurde abgebrochen. Versuche es noch einmal.")
    static let signInWithPasskey = ConsoleText(
        "Sign in with a passkey", "Mit einem Passkey anmelden")
    static let passkeyInvalid = ConsoleText(
        "This passkey does not sign you in", "Dieser Passkey meldet dich nicht an")
    static let passkeyInvalidLead = ConsoleText(
        "It was removed, or belongs to another console, or its answer came too late. Try again, or use a sign-in link.",
        "Er wurde entfernt oder gehört zu einer anderen Konsole, oder seine Antwort kam zu spät. Versuche es noch "
            + "einmal, oder nimm einen Anmelde-Link.")
}
