/// Texts of the import.
extension ConsoleText {
    static let importLinks = ConsoleText("Import links", "Links importieren")
    static let importLead = ConsoleText(
        "Bring links along from a table: one of Waymark’s, or an export of another service. You see first what will happen, and nothing is changed until you say so.",
        "Übernimm Links aus einer Tabelle: einer von Waymark oder dem Export eines anderen Dienstes. Du siehst zuerst, was geschehen wird; nichts ändert sich, bis du zustimmst."
    )
    static let importRepeated = ConsoleText(
        "Links were imported since this page was shown. If it was this table, there is nothing left to do: look at the list first. Links without a short name would be made once more.",
        "Seit diese Seite gezeigt wurde, sind Links importiert worden. War es diese Tabelle, ist alles getan: Sieh zuerst in der Liste nach. Links ohne Kurznamen würden noch einmal erstellt."
    )
    static let importTimes = ConsoleText(
        "Times that name no time zone are those of {zone}; in an export of another service, those of UTC.",
        "Zeiten ohne Zeitzone sind die von {zone}; im Export eines anderen Dienstes sind es die von UTC."
    )
    static let importFile = ConsoleText("File", "Datei")
    static let importFileHint = ConsoleText(
        "A table (CSV), as the service or a spreadsheet saves it, of up to 2 MB: about 10,000 links.",
        "Eine Tabelle (CSV), wie der Dienst oder eine Tabellenkalkulation sie speichert, mit bis zu 2 MB: etwa 10.000 Links."
    )
    static let importText = ConsoleText("Or paste the table", "Oder füge die Tabelle ein")
    static let importFormat = ConsoleText("Where it comes from", "Woher sie kommt")
    static let importFormatHint = ConsoleText(
        "For a table of your own choose the first, if its headings are those of an export of Waymark; else say yourself what its columns are.",
        "Für eine eigene Tabelle wähle das Erste, wenn sie die Überschriften eines Exports von Waymark hat; sonst sag selbst, was ihre Spalten sind."
    )
    static let formatOwn = ConsoleText("A table of Waymark’s (CSV)", "Tabelle von Waymark (CSV)")
    static let formatLines = ConsoleText("Lines of JSON of Waymark’s", "JSON-Zeilen von Waymark")
    static let formatColumns = ConsoleText(
        "Another table: I say what its columns are",
        "Andere Tabelle: Ich sage, was ihre Spalten sind")
    static let importCollectionHint = ConsoleText(
        "For lines that name none.", "Für Zeilen, die keine nennen.")
    static let collectionOfLine = ConsoleText(
        "The one that each line names", "Die, die in jeder Zeile steht")
    static let importExisting = ConsoleText(
        "If a link exists already", "Wenn es einen Link schon gibt")
    static let existingStay = ConsoleText(
        "Refuse its line, and leave it as it is", "Zeile ablehnen, Link bleibt, wie er ist")
    static let existingChange = ConsoleText(
        "Change it to what its line says", "Ändern, wie es in der Zeile steht")
    static let importDomain = ConsoleText(
        "Only short links of this domain", "Nur Kurzlinks dieser Domain")
    static let importDomainHint = ConsoleText(
        "For an export of several domains. Empty: the domain of its first line.",
        "Für einen Export mit mehreren Domains. Leer: die Domain der ersten Zeile.")
    static let importCheck = ConsoleText("See what will happen", "Ansehen, was geschehen wird")
    static let importWaits = ConsoleText(
        "The lines are read. A large table takes some seconds…",
        "Die Zeilen werden gelesen. Eine große Tabelle dauert einige Sekunden …")
    static let fileIsKept = ConsoleText(
        "{name} ({bytes} bytes) is kept. Another file, or another text, takes its place.",
        "{name} ({bytes} Bytes) ist noch da. Eine andere Datei oder ein anderer Text ersetzt sie.")
    static let pastedIsKept = ConsoleText(
        "What you have pasted ({bytes} bytes) is kept. A file, or another text, takes its place.",
        "Dein eingefügter Text ({bytes} Bytes) ist noch da. Eine Datei oder ein anderer Text ersetzt ihn."
    )
    static let nothingSent = ConsoleText(
        "Choose a file, or paste a table", "Wähle eine Datei oder füge eine Tabelle ein")
    static let fileAndText = ConsoleText(
        "There are a file and a pasted text: remove one of them",
        "Eine Datei und ein eingefügter Text sind da: Lass eins davon weg")
    static let fileTooLong = ConsoleText(
        "The table is longer than 2 MB. Divide it, or let somebody import it with “waymark links import”, which has no limit",
        "Die Tabelle ist größer als 2 MB. Teile sie, oder lass sie mit „waymark links import“ importieren, das keine Grenze hat"
    )
    static let noHeading = ConsoleText(
        "The table has no headings in its first line",
        "Die Tabelle hat in ihrer ersten Zeile keine Überschriften")

    // MARK: Columns

    static let importColumns = ConsoleText("What are its columns?", "Was sind ihre Spalten?")
    static let importColumnsLead = ConsoleText(
        "Say for each column what of a link it is. A destination is needed; what you leave out is not kept.",
        "Sag für jede Spalte, was sie vom Link ist. Ein Ziel muss dabei sein; was du weglässt, wird nicht übernommen."
    )
    static let columnNotKept = ConsoleText("Not kept", "Nicht übernehmen")
    static let destinationNotChosen = ConsoleText(
        "Choose the column that is the destination", "Wähle die Spalte, die das Ziel ist")
    static let columnNumber = ConsoleText("Column {number}", "Spalte {number}")
    static let columnNotFound = ConsoleText(
        "Not kept: another column has the heading {name}. Give this one a heading of its own to take it.",
        "Nicht übernommen: Eine andere Spalte heißt {name}. Gib dieser eine eigene Überschrift, um sie zu übernehmen."
    )
    static let sayColumns = ConsoleText("Say what the columns are", "Sagen, was die Spalten sind")
    static let endedEarly = ConsoleText(
        "The import ended early. What is above is done; the lines that are left can go on from here.",
        "Der Import ist vorzeitig zu Ende gegangen. Was oben steht, ist getan; mit den übrigen Zeilen geht es von hier aus weiter."
    )
    static let goOnWithRest = ConsoleText(
        "Go on with the lines that are left", "Mit den übrigen Zeilen weitermachen")
    static let changeFirst = ConsoleText(
        "Change the file or the choices", "Datei oder Auswahl ändern")
    static let looksLike = ConsoleText(
        "This looks like an export of {service}: with “Where it comes from: {service}”, its columns are known.",
        "Das sieht nach einem Export von {service} aus: Mit „Woher sie kommt: {service}“ sind die Spalten bekannt."
    )
    static let collectionNotChosen = ConsoleText(
        "The lines name no collection: choose the one for all of them",
        "Die Zeilen nennen keine Sammlung: Wähle die, in die alle sollen")

    static let collectionGone = ConsoleText(
        "The collection {name} is not there any more, or not for you. Nothing was imported, and your table is kept: choose another collection",
        "Die Sammlung {name} gibt es nicht mehr, oder sie ist nicht für dich. Nichts wurde importiert, und deine Tabelle ist noch da: Wähle eine andere Sammlung"
    )
    static let importNotBegun = ConsoleText(
        "Nothing was imported, and your table is kept here.",
        "Nichts wurde importiert, und deine Tabelle ist hier noch da.")

    // MARK: Advice

    static let adviseExisting = ConsoleText(
        "“If a link exists already: Change it to what its line says” changes the link",
        "„Wenn es einen Link schon gibt: Ändern, wie es in der Zeile steht“ ändert den Link")
    static let adviseNew = ConsoleText(
        "give it a short name, or choose “If a link exists already: Refuse its line”",
        "gib einen Kurznamen an oder wähle „Wenn es einen Link schon gibt: Zeile ablehnen“")
    static let adviseDomain = ConsoleText(
        "import the table once for each domain, with “Only short links of this domain”",
        "importiere die Tabelle für jede Domain einmal, mit „Nur Kurzlinks dieser Domain“")
    static let adviseColumns = ConsoleText(
        "“Another table” lets you say what each column is",
        "Mit „Andere Tabelle“ sagst du, was jede Spalte ist")
    static let theirColumn = ConsoleText("Column", "Spalte")
    static let theirExample = ConsoleText("Example", "Beispiel")
    static let ourColumn = ConsoleText("Is", "Ist")
    static let externalID = ConsoleText("Name in another system", "Name in einem anderen System")
    static let picture = ConsoleText("Picture", "Bild")

    // MARK: Seen and done

    static let importSeen = ConsoleText("Check the import", "Import prüfen")
    static let whatWillHappen = ConsoleText("What will happen", "Was geschehen wird")
    static let willBeMade = ConsoleText("New links: {count}", "Neue Links: {count}")
    static let willBeChanged = ConsoleText("Changed: {count}", "Geändert: {count}")
    static let willStay = ConsoleText("Left as they are: {count}", "Bleiben, wie sie sind: {count}")
    static let willBeRefused = ConsoleText("Refused lines: {count}", "Abgelehnte Zeilen: {count}")
    static let columnsNotKept = ConsoleText(
        "Columns that are not kept: {names}", "Spalten, die nicht übernommen werden: {names}")
    static let nothingYet = ConsoleText("Nothing is changed yet.", "Noch ist nichts geändert.")
    static let importOne = ConsoleText("Import 1 link", "1 Link importieren")
    static let importMany = ConsoleText("Import {count} links", "{count} Links importieren")
    static let changeChoices = ConsoleText("Change the choices", "Auswahl ändern")
    static let importDone = ConsoleText("Imported", "Importiert")
    static let nothingImported = ConsoleText("Nothing was imported", "Nichts wurde importiert")
    static let importDoneLead = ConsoleText("The import is done.", "Der Import ist fertig.")
    static let nothingImportedLead = ConsoleText(
        "No link was made or changed. If this form was sent before, as by a reload of the page, its links are there since then.",
        "Kein Link wurde erstellt oder geändert. Wurde dieses Formular schon einmal gesendet, etwa durch neues Laden der Seite, sind seine Links seitdem da."
    )
    static let wereMade = ConsoleText("Links made: {count}", "Erstellte Links: {count}")
    static let wereChanged = ConsoleText("Changed: {count}", "Geändert: {count}")
    static let haveStayed = ConsoleText(
        "Left as they were: {count}", "Geblieben, wie sie waren: {count}")
    static let wereRefused = ConsoleText("Refused lines: {count}", "Abgelehnte Zeilen: {count}")
    static let showLinks = ConsoleText("Show the links", "Links zeigen")
    static let importMore = ConsoleText("Import more", "Weitere importieren")
    static let importFindings = ConsoleText("Findings, line by line", "Hinweise, Zeile für Zeile")
    static let importLine = ConsoleText("Line", "Zeile")
    static let importOutcome = ConsoleText("Outcome", "Ergebnis")
    static let importReason = ConsoleText("Reason", "Grund")
    static let lineRefused = ConsoleText("Refused", "Abgelehnt")
    static let lineTaken = ConsoleText("Taken, with a remark", "Übernommen, mit Hinweis")
    static let moreFindings = ConsoleText("And {count} more.", "Und {count} weitere.")
    static let madeLinks = ConsoleText("New links: {count}", "Neue Links: {count}")
    static let changedLinks = ConsoleText("Changed links: {count}", "Geänderte Links: {count}")

    // MARK: Export

    static let exportLinks = ConsoleText("Export", "Export")
    static let exportLinksHint = ConsoleText(
        "All links that you may see, as a table that a spreadsheet opens and that can be imported again.",
        "Alle Links, die du sehen darfst, als Tabelle, die jede Tabellenkalkulation öffnet und die sich wieder importieren lässt."
    )
    static let exportAsTable = ConsoleText("Download links (CSV)", "Links herunterladen (CSV)")
}
