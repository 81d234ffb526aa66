/// Texts of the page about the health of the server.
extension ConsoleText {
    static let inShort = ConsoleText("In short", "Kurz gesagt")
    static let healthLead = ConsoleText(
        "This page was made at {time}. Each part says when it was seen; nothing was asked for this page.",
        "Diese Seite ist von {time}. Bei jedem Teil steht, wann er gesehen wurde; für diese Seite wurde nichts gefragt."
    )
    static let gradeWell = ConsoleText("Well", "In Ordnung")
    static let gradeNotKnown = ConsoleText("Not known", "Nicht bekannt")
    static let gradeWarning = ConsoleText("Look at it", "Bitte ansehen")
    static let gradeUnwell = ConsoleText("Unwell", "Gestört")
    static let seenAt = ConsoleText("Seen at {time}.", "Gesehen: {time}.")
    static let servedFrom = ConsoleText("Served since {time}.", "So beantwortet seit {time}.")
    static let isOld = ConsoleText(
        "That is old: it may be otherwise by now.", "Das ist alt: Es kann inzwischen anders sein.")
    static let notSeenYet = ConsoleText("It was not seen yet.", "Es wurde noch nicht gesehen.")
    static let host = ConsoleText("Host", "Host")
    static let hosts = ConsoleText("Hosts", "Hosts")
    static let moreRows = ConsoleText(
        "{count} more are not shown.", "{count} weitere sind nicht gezeigt.")
    static let place = ConsoleText("Place", "Ort")

    // MARK: Certificates

    static let certificates = ConsoleText("Certificates", "Zertifikate")
    static let certificateEnds = ConsoleText("Valid until", "Gültig bis")
    static let renewal = ConsoleText("Renewal", "Erneuerung")
    static let lastFailure = ConsoleText("Last failure", "Letzter Fehlschlag")
    static let failures = ConsoleText("failures: {count}", "Fehlschläge: {count}")
    static let noCertificate = ConsoleText(
        "This server has no certificate: it does not answer over https.",
        "Dieser Server hat kein Zertifikat: Er antwortet nicht über https.")
    static let renewalObstacle = ConsoleText(
        "Certificates are not requested here:", "Zertifikate werden hier nicht beantragt:")
    static let certificateMissing = ConsoleText(
        "No usable certificate: connections are refused.",
        "Kein brauchbares Zertifikat: Verbindungen werden abgelehnt.")
    static let certificateAwaited = ConsoleText(
        "Not issued yet: browsers show a warning.",
        "Noch nicht ausgestellt: Browser zeigen eine Warnung.")
    static let certificateKept = ConsoleText(
        "The one from before is used: the new one cannot be.",
        "Das bisherige wird verwendet: Das neue ist nicht brauchbar.")
    static let certificateOver = ConsoleText(
        "It has ended: nobody can connect.", "Es ist abgelaufen: Niemand kann sich verbinden.")
    static let renewedByHand = ConsoleText(
        "A file of the configuration: whoever runs this server renews it.",
        "Eine Datei der Konfiguration: Wer diesen Server betreibt, erneuert es.")
    static let pausedUntil = ConsoleText("Paused until {time}", "Pausiert bis {time}")
    static let nextTry = ConsoleText("Next attempt at {time}", "Nächster Versuch: {time}")
    static let notPlannedYet = ConsoleText("Not planned yet", "Noch nicht geplant")

    // MARK: Reloads

    static let reloads = ConsoleText("Configuration", "Konfiguration")
    static let servedGeneration = ConsoleText(
        "Number {number} is served since {time}.", "Nummer {number} gilt seit {time}.")
    static let reloadOutcome = ConsoleText("Outcome", "Ergebnis")
    static let reloadReason = ConsoleText("Reason", "Anlass")
    static let reloadTaken = ConsoleText("Served", "Übernommen")
    static let reloadRefused = ConsoleText(
        "Refused, the one before is served", "Abgelehnt, die bisherige gilt weiter")
    static let reloadPostponed = ConsoleText(
        "Postponed, because files are changing", "Verschoben, weil sich Dateien ändern")
    static let reloadAtStart = ConsoleText("Start of the server", "Start des Servers")
    static let reloadOrdered = ConsoleText("Ordered", "Angefordert")
    static let reloadOfChange = ConsoleText("A file was changed", "Eine Datei wurde geändert")
    static let reloadRetried = ConsoleText(
        "Tried again by itself", "Von selbst noch einmal versucht")
    static let refusedBecause = ConsoleText(
        "Why it was not taken", "Warum sie nicht übernommen wurde")
    static let reloadFindings = ConsoleText("Said at that time", "Dabei gemeldet")

    // MARK: The store

    static let noStore = ConsoleText(
        "This server has no store of links.", "Dieser Server hat keinen Speicher für Links.")
    static let storeOpening = ConsoleText(
        "Its links are being read.", "Seine Links werden gerade gelesen.")
    static let storeClosed = ConsoleText(
        "It cannot be opened, and is tried again:",
        "Er lässt sich nicht öffnen, und wird wieder versucht:")
    static let storeFailed = ConsoleText(
        "Links are answered as before, and changes are refused:",
        "Links werden wie bisher beantwortet, Änderungen abgelehnt:")
    static let software = ConsoleText("Database", "Datenbank")
    static let shortNames = ConsoleText("Short names", "Kurznamen")
    static let memoryOfLinks = ConsoleText("Memory of links", "Arbeitsspeicher der Links")
    static let thisServer = ConsoleText("(this one)", "(dieser)")
    static let configuration = ConsoleText("Configuration", "Konfiguration")

    // MARK: Live checks, files for apps, and findings

    static let liveChecks = ConsoleText("Hosts seen from outside", "Hosts von außen gesehen")
    static let nothingChecked = ConsoleText(
        "No host is checked from outside: “watch” in the configuration switches it on.",
        "Kein Host wird von außen geprüft: „watch“ in der Konfiguration schaltet es ein.")
    static let verdict = ConsoleText("Verdict", "Urteil")
    static let nextCheck = ConsoleText("Next check", "Nächste Prüfung")
    static let verdictHealthy = ConsoleText("Healthy", "Gesund")
    static let verdictWarning = ConsoleText("Not quite right", "Nicht ganz richtig")
    static let verdictBroken = ConsoleText("Broken", "Kaputt")
    static let verdictUnchecked = ConsoleText(
        "Could not be asked from here", "War von hier nicht zu fragen")
    static let notCheckedYet = ConsoleText("Not checked yet", "Noch nicht geprüft")
    static let publishedLead = ConsoleText(
        "By these files, apps open links of a host by themselves: each names the apps.",
        "Mit diesen Dateien öffnen Apps Links eines Hosts von selbst: Jede nennt die Apps.")
    static let notPublished = ConsoleText("None", "Keine")
    static let lintFindings = ConsoleText(
        "Findings about the configuration", "Befunde zur Konfiguration")
    static let findingsUnderway = ConsoleText(
        "They are being looked for. Load this page again.",
        "Sie werden gerade gesucht. Lade diese Seite neu.")
    static let findingsOfOther = ConsoleText(
        "The file of the configuration is not the one that is served any more, so there are no findings here. Look "
            + "at the last attempt above, or run “waymark lint”.",
        "Die Datei der Konfiguration ist nicht mehr die, die gilt, darum stehen hier keine Befunde. Sieh dir oben den "
            + "letzten Versuch an, oder führe „waymark lint“ aus.")
    static let findingsLackMemory = ConsoleText(
        "There was no memory to look for them. Load this page again in a minute.",
        "Es fehlte der Speicher, um sie zu suchen. Lade diese Seite in einer Minute neu.")
    static let noFindings = ConsoleText(
        "Nothing is wrong with it, as far as it can be seen.",
        "Daran ist nichts falsch, soweit es zu sehen ist.")
    static let severity = ConsoleText("Weight", "Gewicht")
    static let finding = ConsoleText("Finding", "Befund")
    static let severityError = ConsoleText("Error", "Fehler")
    static let severityWarning = ConsoleText("Warning", "Warnung")
    static let severityNote = ConsoleText("Note", "Hinweis")
}
