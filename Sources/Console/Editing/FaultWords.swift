/// Sentences for the faults that people meet in forms, where the API's own words are of another language than the page.
enum FaultWords {
    /// - Parameters:
    ///   - rule: of the API's fault, or the end of its problem's type.
    ///   - field: that it is about.
    /// - Returns: nil if there is no such sentence.
    static func german(_ rule: String, _ field: LinkField?) -> String? {
        switch (rule, field) {
        case ("wrong-value", .until), ("wrong-value", .from):
            "Diese Zeit geht nicht: Sie ist vorbei, anders zu schreiben, oder das Ende liegt vor dem Beginn."
        case ("unknown-name", .collection): "Diese Sammlung gibt es nicht."
        default: rules[rule]
        }
    }

    private static let rules = [
        "slug-taken": "Diesen Kurznamen gibt es schon.",
        "slug-reserved": "Dieser Kurzname ist reserviert.",
        "slug-shadowed": "Unter diesem Kurznamen liefert der Server schon etwas anderes.",
        "destination-form": "Das ist keine Adresse, zu der ein Link führen kann.",
        "destination-not-allowed": "Dorthin dürfen Links dieser Sammlung nicht führen.",
        "destination-loop": "Das ist selbst ein gespeicherter Link.",
        "url": "Das ist keine Adresse, zu der ein Link führen kann.",
        "control-character": "Hier steht ein Zeichen, das man nicht sieht.",
        "too-many": "Das ist zu lang oder zu viel.",
        "wrong-kind": "Das hat eine andere Form als erwartet.",
        "wrong-value": "Dieser Wert geht nicht.",
        "unset-value": "Hier fehlt ein Wert.",
        "missing-page": "Diese Datei hat die Seite nicht.",
        "unpublished": "Keine App öffnet diesen Link.",
        "redirect-loop":
            "Eine App öffnet das Ziel, aber nach einer Weiterleitung bleibt iOS meist im Browser.",
        "scope-missing": "Deine Rolle erlaubt das nicht.",
        "too-many-requests": "Das waren zu viele Anfragen; versuche es gleich noch einmal.",
        "no-free-slug": "Es wurde kein freier Kurzname gefunden; wähle selbst einen.",
        "no-room": "Es ist kein Platz für weitere Links.",
        "changed-meanwhile": "Der Link wurde inzwischen geändert.",
        "link-deleted": "Der Link ist gelöscht.",
        "link-exists": "Den Link gibt es schon.",
        "not-found": "Das gibt es hier nicht, oder du darfst es nicht sehen.",
        "collection-not-allowed": "Für diese Sammlung hast du keine Rolle.",
        "store-unavailable": "Der Speicher der Links ist gerade nicht erreichbar.",
        "busy": "Gerade ist zu viel zu tun; versuche es gleich noch einmal.",
        "content-too-large": "Das ist zu groß.",
        "line-too-long": "Die Zeile ist zu lang.",
        "external-id-taken": "Ein anderer Link hat diesen Namen in einem anderen System.",
        "query": "Die Auswahl stimmt nicht.",
        "failed": "Das ist fehlgeschlagen.",
        "unknown-key": "Diese Überschrift ist nicht bekannt.",
        "duplicate-key": "Das ist zweimal da.",
        "table-form": "Die Tabelle lässt sich so nicht lesen.",
    ]
}
