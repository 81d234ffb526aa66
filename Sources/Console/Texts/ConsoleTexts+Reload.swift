/// Texts about what a reload of the configuration has taken away.
extension ConsoleText {
    static let collectionIsGone = ConsoleText(
        "{name} – not there any more", "{name} – gibt es nicht mehr")
    static let unservedMeanwhile = ConsoleText(
        "Nothing was saved: the link’s collection is gone",
        "Nichts wurde gespeichert: Die Sammlung des Links gibt es nicht mehr")
    static let unservedMeanwhileLead = ConsoleText(
        "It is not in the configuration any more, so nobody gets the link, and it cannot be changed. Ask whoever runs this server. "
            + "When the collection is back, go back to the form and save again, or copy what you need from here.",
        "Sie steht nicht mehr in der Konfiguration, darum bekommt niemand den Link, und er lässt sich nicht ändern. Frag, wer "
            + "diesen Server betreibt. Wenn die Sammlung wieder da ist, geh zurück zum Formular und speichere noch einmal, oder "
            + "kopiere von hier, was du brauchst.")
}

/// Sentences of the API about it.
extension FaultText {
    static let collectionAdvice: [FaultText] = [
        FaultText(
            "the configuration has no link with `stored`",
            "es gibt zurzeit keine Sammlung; frag, wer diesen Server betreibt",
            en: "there is no collection now; ask whoever runs this server"),
        FaultText(
            "none of its collections is in the configuration",
            "keine Sammlung, für die du Rechte hast, ist noch da; frag, wer diesen Server betreibt",
            en:
                "no collection for which you have rights is there any more; ask whoever runs this server"
        ),
    ]
}
