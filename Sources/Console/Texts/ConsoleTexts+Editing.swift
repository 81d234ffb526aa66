/// Texts of forms, and of the findings about them.
extension ConsoleText {
    static let back = ConsoleText("Back", "Zurück")
    static let errorPrefix = ConsoleText("Error:", "Fehler:")
    static let thereIsAProblem = ConsoleText("There is a problem", "Da stimmt etwas nicht")
    static let warnings = ConsoleText("Worth a look", "Einen Blick wert")
    static let checkPassed = ConsoleText(
        "That works. Nothing was saved yet.", "Das passt. Noch ist nichts gespeichert.")
    static let createLink = ConsoleText("Make the link", "Link erstellen")
    static let saveChanges = ConsoleText("Save", "Speichern")
    static let checkOnly = ConsoleText("Look first", "Erst ansehen")
    static let conflictBy = ConsoleText(
        "{name} changed this link while you were editing it",
        "{name} hat diesen Link geändert, während du ihn bearbeitet hast")
    static let conflictByOther = ConsoleText(
        "Somebody changed this link while you were editing it",
        "Jemand hat diesen Link geändert, während du ihn bearbeitet hast")
    static let conflictLead = ConsoleText(
        "Nothing was saved yet. The form has what you typed; fields that only the other has changed are taken over. "
            + "Look at it, and save again.",
        "Noch ist nichts gespeichert. Im Formular steht, was du geschrieben hast; Felder, die nur der andere geändert "
            + "hat, sind übernommen. Sieh es dir an und speichere noch einmal.")
    static let conflictElsewhere = ConsoleText(
        "Nothing was saved yet. No field of this form is different; save again.",
        "Noch ist nichts gespeichert. Kein Feld dieses Formulars ist anders; speichere noch einmal."
    )
    static let editsArchived = ConsoleText(
        "This link is in the archive: somebody has deleted it. Saving does not bring it back; Restore on its page does.",
        "Dieser Link ist im Archiv: Jemand hat ihn gelöscht. Speichern holt ihn nicht zurück; das tut Wiederherstellen auf seiner Seite."
    )
    static let field = ConsoleText("Field", "Feld")
    static let before = ConsoleText("Before", "Vorher")
    static let now = ConsoleText("Now", "Jetzt")
    static let yours = ConsoleText("Yours", "Deins")
    static let takenOver = ConsoleText("taken over", "übernommen")
    static let wasTyped = ConsoleText("What you had typed", "Was du geschrieben hattest")
    static let notAllowed = ConsoleText(
        "Your role does not allow that", "Deine Rolle erlaubt das nicht")
    static let notAllowedLead = ConsoleText(
        "Nothing was changed. Ask whoever runs this server for another role.",
        "Es wurde nichts geändert. Bitte die Leute, die diesen Server betreiben, um eine andere Rolle."
    )
}
