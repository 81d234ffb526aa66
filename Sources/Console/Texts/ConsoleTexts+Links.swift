/// Texts of the list of links, and of the page of one.
extension ConsoleText {
    static let link = ConsoleText("Link", "Link")
    static let newLink = ConsoleText("New link", "Neuer Link")
    static let editLink = ConsoleText("Edit the link", "Link bearbeiten")
    static let edit = ConsoleText("Edit", "Bearbeiten")
    static let search = ConsoleText("Search", "Suchen")
    static let searchHint = ConsoleText(
        "Name, destination, title, note", "Name, Ziel, Titel, Notiz")
    static let tag = ConsoleText("Tag", "Schlagwort")
    static let all = ConsoleText("All", "Alle")
    static let notArchived = ConsoleText("Without archive", "Ohne Archiv")
    static let onlyActive = ConsoleText("Active", "Aktiv")
    static let onlyDisabled = ConsoleText("Switched off", "Ausgeschaltet")
    static let withArchived = ConsoleText("With archive", "Mit Archiv")
    static let onlyArchived = ConsoleText("Archive only", "Nur das Archiv")
    static let archiveEmpty = ConsoleText("The archive is empty", "Das Archiv ist leer")
    static let archiveEmptyHint = ConsoleText(
        "Links that you delete are kept here, and can be restored.",
        "Hier bleiben Links, die du löschst, und lassen sich wiederherstellen.")
    static let showAll = ConsoleText("Show all links", "Alle Links zeigen")
    static let noLinkFound = ConsoleText("No link matches", "Kein Link passt dazu")
    static let noLinkFoundHint = ConsoleText(
        "Search for a part of the name, or choose fewer filters. Deleted links are in the archive: choose “With archive”.",
        "Suche nach einem Teil des Namens oder wähle weniger Filter. Gelöschte Links sind im Archiv: Wähle „Mit Archiv“."
    )
    static let noLinkYet = ConsoleText("No links yet", "Noch keine Links")
    static let noLinkYetLead = ConsoleText(
        "A link is one short address that opens your app where it is installed, and a page everywhere else.",
        "Ein Link ist eine kurze Adresse, die deine App öffnet, wo sie installiert ist, und sonst eine Seite."
    )
    static let firstStep = ConsoleText(
        "Paste the page it leads to.", "Füge die Seite ein, zu der er führt.")
    static let secondStep = ConsoleText(
        "See what it will do on each device, before anybody taps it.",
        "Sieh dir an, was er auf jedem Gerät tut, bevor jemand darauf tippt.")
    static let thirdStep = ConsoleText(
        "Share it, or print its code, and see here what came of it.",
        "Teile ihn oder drucke seinen Code, und sieh hier, was daraus wurde.")
    static let makeFirstLink = ConsoleText("Make the first link", "Den ersten Link erstellen")
    static let listAsTable = ConsoleText(
        "Get these links as a table (CSV)", "Diese Links als Tabelle (CSV)")
    static let tableIsCut = ConsoleText(
        "It has the first {count} of them at most. All links are in the export.",
        "Sie hat höchstens die ersten {count}. Alle Links sind im Export.")
    static let visitsOfMonth = ConsoleText("Visits, 30 days", "Besuche, 30 Tage")
    static let visitsOfWeek = ConsoleText("Visits, 7 days", "Besuche, 7 Tage")
    static let visitsOfQuarter = ConsoleText("Visits, 90 days", "Besuche, 90 Tage")
    static let order = ConsoleText("Order", "Reihenfolge")
    static let newestFirst = ConsoleText("Newest first", "Neueste zuerst")
    static let oldestFirst = ConsoleText("Oldest first", "Älteste zuerst")
    static let lastChangedFirst = ConsoleText("Last changed first", "Zuletzt geänderte zuerst")
    static let byShortName = ConsoleText("By short name", "Nach Kurzname")
    static let nextToEndFirst = ConsoleText("Next to end first", "Nächstes Ende zuerst")
    static let mostVisitedOfWeek = ConsoleText("Most visits in 7 days", "Meiste Besuche in 7 Tagen")
    static let mostVisitedOfMonth = ConsoleText(
        "Most visits in 30 days", "Meiste Besuche in 30 Tagen")
    static let mostVisitedOfQuarter = ConsoleText(
        "Most visits in 90 days", "Meiste Besuche in 90 Tagen")
    static let columns = ConsoleText("Columns", "Spalten")
    static let shownColumns = ConsoleText(
        "What the list shows of each link", "Was die Liste von jedem Link zeigt")
    static let select = ConsoleText("Select {name}", "{name} auswählen")
    static let selectAll = ConsoleText(
        "Select all of this page, or none", "Alle dieser Seite auswählen, oder keinen")
    static let changeSelected = ConsoleText("Change selected links", "Ausgewählte Links ändern")
    static let selectedDo = ConsoleText("What to do", "Was tun")
    static let selectedTag = ConsoleText("Add a tag", "Schlagwort hinzufügen")
    static let selectedUntag = ConsoleText("Remove a tag", "Schlagwort entfernen")
    static let selectedExtend = ConsoleText("Set the end", "Ende setzen")
    static let selectedArchive = ConsoleText("Delete (to the archive)", "Löschen (ins Archiv)")
    static let selectedValue = ConsoleText(
        "Tags, or end ({zone})", "Schlagwörter, oder Ende ({zone})")
    static let selectedValueHint = ConsoleText(
        "summer, print / 2027-03-31", "sommer, druck / 2027-03-31")
    static let changeThem = ConsoleText("Change them", "Ändern")
    static let oneLink = ConsoleText("1 link", "1 Link")
    static let severalLinks = ConsoleText("{count} links", "{count} Links")
    static let atLeastLinks = ConsoleText("At least {count} links", "Mindestens {count} Links")
    static let selectedWereTagged = ConsoleText(
        "Tagged with {value}: {count}.", "Mit Schlagwort {value} versehen: {count}.")
    static let selectedWereUntagged = ConsoleText(
        "Tag {value} removed: {count}.", "Schlagwort {value} entfernt: {count}.")
    static let selectedWereExtended = ConsoleText(
        "End at {value} now: {count}.", "Enden jetzt {value}: {count}.")
    static let selectedWereArchived = ConsoleText(
        "Deleted, and in the archive now: {count}.", "Gelöscht und jetzt im Archiv: {count}.")
    static let selectedWereRestored = ConsoleText("Back again: {count}.", "Wieder da: {count}.")
    static let selectedWereSo = ConsoleText(
        "There was nothing to change in {count}.", "In {count} war nichts zu ändern.")
    static let tooManySelected = ConsoleText(
        "Nothing was changed: at most 50 links are changed at once.",
        "Nichts wurde geändert: Höchstens 50 Links werden auf einmal geändert.")
    static let endIsOver = ConsoleText(
        "Nothing was changed: that end is over, and the links would stop at once.",
        "Nichts wurde geändert: Dieses Ende ist vorbei, und die Links wären sofort aus.")
    static let endUnread = ConsoleText(
        "Nothing was changed: write a day, or a day and a time ({zone}), such as 2027-03-31 22:00.",
        "Nichts wurde geändert: Schreib einen Tag, oder Tag und Zeit ({zone}), zum Beispiel 31.03.2027 22:00."
    )
    static let nothingSelected = ConsoleText(
        "Nothing was changed: select links, and write what they get.",
        "Nichts wurde geändert: Wähle Links aus und schreib, was sie bekommen.")
    static let someNotChanged = ConsoleText(
        "Changed: {changed}. Not changed: {refused}",
        "Geändert: {changed}. Nicht geändert: {refused}")
    static let morePages = ConsoleText("More links", "Weitere Links")
    static let firstPage = ConsoleText("First page", "Erste Seite")
    static let nextPage = ConsoleText("Next page", "Nächste Seite")
    static let allLinks = ConsoleText("All links", "Alle Links")

    // MARK: States

    static let active = ConsoleText("Active", "Aktiv")
    static let waiting = ConsoleText("Not started", "Noch nicht begonnen")
    static let ended = ConsoleText("Ended", "Beendet")
    static let disabled = ConsoleText("Switched off", "Ausgeschaltet")
    static let archived = ConsoleText("Archived", "Archiviert")
    static let binned = ConsoleText("Deleted, can be restored", "Gelöscht, wiederherstellbar")
    static let deleted = ConsoleText("Deleted for good", "Endgültig gelöscht")
    static let unserved = ConsoleText("Not served", "Wird nicht beantwortet")
    static let unservedLead = ConsoleText(
        "Its collection is not in the configuration, so nobody gets this link, and it cannot be changed. Ask whoever "
            + "runs this server.",
        "Seine Sammlung fehlt in der Konfiguration, darum bekommt niemand diesen Link, und er lässt sich nicht ändern. "
            + "Frag die Leute, die diesen Server betreiben.")
    static let allArchived = ConsoleText(
        "All links are in the archive", "Alle Links sind im Archiv")
    static let showArchive = ConsoleText("Show the archive", "Das Archiv zeigen")

    // MARK: One link

    static let whatItIs = ConsoleText("What it is", "Was er ist")
    static let opensInApps = ConsoleText("Opens in", "Öffnet sich in")
    static let noApp = ConsoleText("No app", "Keiner App")
    static let made = ConsoleText("Made", "Erstellt")
    static let lastChanged = ConsoleText("Last changed", "Zuletzt geändert")
    static let copy = ConsoleText("Copy", "Kopieren")
    static let otherPort = ConsoleText(
        "Apps and codes have this address, without a port. Browsers reach this server at port {port}:",
        "Apps und Codes haben diese Adresse, ohne Port. Browser erreichen diesen Server an Port {port}:"
    )
    static let copied = ConsoleText("Copied", "Kopiert")
    static let whatWillItDo = ConsoleText("What will this link do?", "Was wird dieser Link tun?")
    static let code = ConsoleText("Code", "Code")
    static let codeOf = ConsoleText("QR code of {url}", "QR-Code von {url}")
    static let aliases = ConsoleText("Other names", "Weitere Namen")
    static let aliasesHint = ConsoleText(
        "A link can have other short names, which lead to the same.",
        "Ein Link kann weitere Kurznamen haben, die zum selben führen.")
    static let newAlias = ConsoleText("New name", "Neuer Name")
    static let add = ConsoleText("Add", "Hinzufügen")
    static let takeOut = ConsoleText("Take it out of use", "Außer Betrieb nehmen")
    static let disable = ConsoleText("Switch off", "Ausschalten")
    static let enable = ConsoleText("Switch on", "Einschalten")
    static let disableHint = ConsoleText(
        "Until you switch it on again, browsers find nothing. The app still opens where it is installed.",
        "Bis du ihn wieder einschaltest, finden Browser nichts. Wo die App installiert ist, öffnet sie sich weiter."
    )
    static let delete = ConsoleText("Delete", "Löschen")
    static let deleteHint = ConsoleText(
        "Switched off, and gone from the list. You can restore it from the archive.",
        "Ausgeschaltet und aus der Liste verschwunden. Du kannst ihn aus dem Archiv wiederherstellen."
    )
    static let restore = ConsoleText("Restore", "Wiederherstellen")
    static let undo = ConsoleText("Undo", "Rückgängig")
    static let eraseForGood = ConsoleText("Delete for good", "Endgültig löschen")
    static let eraseQuestion = ConsoleText(
        "Delete “{name}” for good?", "„{name}“ endgültig löschen?")
    static let keepLink = ConsoleText("Keep it", "Behalten")
    static let eraseHint = ConsoleText(
        "This cannot be undone. Its short name stays taken, so that printed codes never lead to something else.",
        "Das lässt sich nicht rückgängig machen. Der Kurzname bleibt vergeben, damit gedruckte Codes nie woandershin führen."
    )
    static let deletedLead = ConsoleText(
        "This link was deleted for good. Its short name stays taken.",
        "Dieser Link wurde endgültig gelöscht. Sein Kurzname bleibt vergeben.")

    // MARK: What was done

    static let wasCreated = ConsoleText(
        "The link is made, and works now.", "Der Link ist erstellt und funktioniert ab sofort.")
    static let wasCreatedForLater = ConsoleText(
        "The link is made. It works from its start on.",
        "Der Link ist erstellt. Er funktioniert ab seinem Beginn.")
    static let wasCreatedOnce = ConsoleText(
        "The link was made. Its state now: {state}.",
        "Der Link wurde erstellt. Sein Zustand jetzt: {state}.")
    static let wasChanged = ConsoleText(
        "The changes are saved.", "Die Änderungen sind gespeichert.")
    static let wasUnchanged = ConsoleText(
        "Nothing was different, so nothing was changed.",
        "Nichts war anders, also wurde nichts geändert.")
    static let wasDeleted = ConsoleText("The link was deleted.", "Der Link wurde gelöscht.")
    static let wasRestored = ConsoleText("The link is back.", "Der Link ist wieder da.")
    static let wasErased = ConsoleText(
        "The link was deleted for good.", "Der Link wurde endgültig gelöscht.")
    static let wasEnabled = ConsoleText("The link is switched on.", "Der Link ist eingeschaltet.")
    static let wasDisabled = ConsoleText("The link is switched off.", "Der Link ist ausgeschaltet.")
    static let aliasWasAdded = ConsoleText(
        "The link has one more name.", "Der Link hat einen Namen mehr.")
    static let changedMeanwhile = ConsoleText(
        "Somebody changed the link meanwhile, so nothing was done. Look at it, and try again.",
        "Jemand hat den Link inzwischen geändert, darum ist nichts passiert. Sieh ihn dir an und versuche es noch einmal."
    )

    // MARK: Codes for print

    static let codeSide = ConsoleText("Size for print", "Seitenlänge für den Druck")
    static let ownSide = ConsoleText("Another one", "Eine andere")
    static let ownSideLabel = ConsoleText("Other size, in mm", "Andere Seitenlänge in mm")
    static let codeSideHint = ConsoleText(
        "If it is filled in, it goes before the list: 10 to 500, with the white margin, which has to stay. From 25 mm on, phones read it in a hand; on a poster, a tenth of the distance is right.",
        "Ausgefüllt geht sie der Liste vor: 10 bis 500, mit dem weißen Rand, der bleiben muss. Ab 25 mm lesen Handys ihn aus der Hand; auf einem Plakat ist ein Zehntel des Abstands richtig."
    )
    static let sideTooSmall = ConsoleText(
        "That is too small for this code: phones would not read it.",
        "Das ist für diesen Code zu klein: Handys würden ihn nicht lesen.")
    static let sideLeast = ConsoleText(
        "Choose at least {least} mm.", "Wähle mindestens {least} mm.")
    static let sideRefused = ConsoleText(
        "Write a whole number of millimetres from 10 to 500",
        "Schreib eine ganze Zahl von Millimetern zwischen 10 und 500")

    // MARK: Codes of several links

    static let codesForPrint = ConsoleText("Codes for print", "Codes für den Druck")
    static let codesOfList = ConsoleText(
        "Codes of these links for print (PDF)", "Codes dieser Links für den Druck (PDF)")
    static let codesOfSelected = ConsoleText(
        "Codes of the selected links (PDF)", "Codes der ausgewählten Links (PDF)")
    static let codesLead = ConsoleText(
        "The codes of {count}, in one PDF with pages of A4. Below each code is its address, and its title if it is in Latin letters.",
        "Die Codes von {count}, in einem PDF mit A4-Seiten. Unter jedem Code steht seine Adresse, und sein Titel, wenn er in lateinischen Buchstaben ist."
    )
    static let codesAreCut = ConsoleText(
        "A file has at most {most} codes: these are the first ones of the list. For others, choose a filter, or select links in the list.",
        "Eine Datei hat höchstens {most} Codes: Das sind die ersten der Liste. Wähle für andere einen Filter, oder wähle Links in der Liste aus."
    )
    static let codesAreTooMany = ConsoleText(
        "Missing from your selection: {count}, because a file has at most {most} codes. Get them in a second file.",
        "Aus deiner Auswahl fehlt: {count}, weil eine Datei höchstens {most} Codes hat. Hol dafür eine zweite Datei."
    )
    static let codesAreGone = ConsoleText(
        "Without a code: {count}, deleted for good, or of a collection that is not served or not yours.",
        "Ohne Code: {count}, endgültig gelöscht oder aus einer Sammlung, die nicht beantwortet wird oder nicht deine ist."
    )
    static let codesAsPDF = ConsoleText("Get the PDF", "PDF holen")
    static let noCodes = ConsoleText("No links, so no codes", "Keine Links, also keine Codes")
    static let noCodesHint = ConsoleText(
        "Go back to the list, and select the links whose codes you need, or choose other filters.",
        "Geh zurück zur Liste und wähle die Links aus, deren Codes du brauchst, oder andere Filter."
    )
    static let sheetSideHint = ConsoleText(
        "If it is filled in, it goes before the list: 10 to 190, with the white margin, which has to stay.",
        "Ausgefüllt geht sie der Liste vor: 10 bis 190, mit dem weißen Rand, der bleiben muss.")
    static let sheetSideRefused = ConsoleText(
        "Write a whole number of millimetres from 10 to 190",
        "Schreib eine ganze Zahl von Millimetern zwischen 10 und 190")

    // MARK: A code with a picture

    static let withLogo = ConsoleText(
        "With the site’s picture in the middle (PDF, SVG)",
        "Mit dem Bild der Website in der Mitte (PDF, SVG)")
    static let codeWithLogo = ConsoleText("Show it with the picture", "Mit dem Bild zeigen")
    static let codeWithoutLogo = ConsoleText("Show it without the picture", "Ohne das Bild zeigen")
    static let noLogoInPNG = ConsoleText(
        "A PNG cannot have the picture in it. Choose PDF or SVG, or take the picture out.",
        "Ein PNG kann das Bild nicht enthalten. Wähle PDF oder SVG, oder nimm das Bild heraus.")
    static let logoRefused = ConsoleText(
        "The code cannot have this picture.", "Der Code kann dieses Bild nicht enthalten.")

    // MARK: History

    static let history = ConsoleText("History", "Verlauf")
    static let historyUnavailable = ConsoleText(
        "The history cannot be shown now.", "Der Verlauf kann gerade nicht gezeigt werden.")
    static let didCreate = ConsoleText("Made by {name}", "Erstellt von {name}")
    static let didChange = ConsoleText("Changed by {name}", "Geändert von {name}")
    static let didImport = ConsoleText("Imported by {name}", "Importiert von {name}")
    static let didDelete = ConsoleText("Deleted by {name}", "Gelöscht von {name}")
    static let didAlias = ConsoleText("Named again by {name}", "Weiter benannt von {name}")
    static let noSuchPlace = ConsoleText(
        "The address of this page was changed, and has no place of the list. Search again to begin with its first links.",
        "Die Adresse dieser Seite wurde verändert und nennt keine Stelle der Liste. Such noch einmal, dann beginnt sie von vorn."
    )
    static let otherLanguages = ConsoleText("Other languages", "Andere Sprachen")
    static let structuredData = ConsoleText("Data for search engines", "Daten für Suchmaschinen")
    static let kindOfPage = ConsoleText("Kind of page", "Art der Seite")
    static let video = ConsoleText("Video", "Video")
    static let breadcrumbs = ConsoleText("Steps to the page", "Weg zur Seite")
    static let appClip = ConsoleText("App Clip", "App Clip")
    static let bannerArgument = ConsoleText(
        "What the banner passes to the app", "Was das Banner der App übergibt")
    static let twitterCard = ConsoleText("Card on X", "Karte auf X")
    static let inPublicFiles = ConsoleText(
        "Insert into public files", "In öffentliche Dateien einfügen")
    static let newAliasNamed = ConsoleText("New name: {name}", "Neuer Name: {name}")
    static let yes = ConsoleText("yes", "ja")
    static let no = ConsoleText("no", "nein")
    static let inSearchEngines = ConsoleText("In search engines", "In Suchmaschinen")
    static let oldestVersion = ConsoleText(
        "Oldest version of the app that knows the place",
        "Älteste Version der App, die die Stelle kennt")
    static let passesCampaignOn = ConsoleText(
        "Pass the campaign (UTM) on", "Kampagne (UTM) weitergeben")
    static let campaignInAppStore = ConsoleText(
        "Campaign in the App Store", "Kampagne im App Store")
    static let campaignInGooglePlay = ConsoleText(
        "Campaign on Google Play", "Kampagne bei Google Play")
    static let emptyField = ConsoleText("(empty)", "(leer)")
    static let takeBack = ConsoleText("Undo this change…", "Diese Änderung zurücknehmen…")
    static let takenBackLead = ConsoleText(
        "The form has what this change has replaced. Nothing is changed until you save.",
        "Im Formular steht, was diese Änderung ersetzt hat. Nichts ändert sich, bis du speicherst.")
    static let takenBackNewer = ConsoleText(
        "Changed again since then, and replaced here, too: {fields}.",
        "Seitdem noch einmal geändert, und hier auch ersetzt: {fields}.")
    static let makeAnother = ConsoleText("Make another like this", "Noch einen solchen erstellen")
    static let wasArchived = ConsoleText("Archived", "Archiviert")
    static let wasUnarchived = ConsoleText("Taken out of the archive", "Aus dem Archiv geholt")
}
