/// Sentences of the API about the lines and columns of a table that is imported, as it says them and in German.
extension FaultText {
    static let tableFacts: [FaultText] = [
        // Columns.
        FaultText("the destination has {name}", "das Ziel hat {name} schon"),
        FaultText("the row has no destination", "die Zeile hat kein Ziel"),
        FaultText(
            "column {number} is {name}: no member is called so",
            "Spalte {number} heißt {name}, und so heißt hier keine",
            en: "column {number} is called {name}, which nothing here is"),
        FaultText(
            "the columns {first} and {second} are both {name}",
            "Die Spalten {first} und {second} heißen beide {name}"),
        FaultText("{count} more columns are wrong", "{count} weitere Spalten sind falsch"),
        FaultText(
            "{count} more cells of the line have remarks",
            "zu {count} weiteren Zellen der Zeile gibt es Hinweise"),
        FaultText(
            "{count} more columns are not kept", "{count} weitere Spalten werden nicht übernommen"),
        FaultText(
            "column {number}, {name}, is not kept: {fact}",
            "Spalte {number}, {name}, wird nicht übernommen: {fact}"),
        FaultText("nothing is known of it", "sie ist nicht bekannt"),
        FaultText(
            "visits that another service has counted are not imported",
            "Besuche, die ein anderer Dienst gezählt hat, werden nicht importiert"),
        FaultText(
            "a link says nothing about who has made it",
            "ein Link sagt nicht, wer ihn erstellt hat"),
        FaultText(
            "a link is as it was changed here", "ein Link ist so, wie er hier geändert wurde"),
        FaultText("column {number}, {name}: {fact}", "Spalte {number}, {name}: {fact}"),
        FaultText("{text} is not kept: {fact}", "{text} wird nicht übernommen: {fact}"),
        FaultText("it is of another domain", "es ist von einer anderen Domain"),
        FaultText("a link has no limit of visits", "ein Link hat keine Grenze für Besuche"),
        FaultText(
            "another column is the slug, too",
            "eine andere Spalte ist auch der Kurzname",
            en: "another column is the short name, too"),
        FaultText("another column is the {name}, too", "eine andere Spalte ist auch {name}"),
        FaultText("it is no time with its zone", "es ist keine Zeit mit Zeitzone"),
        FaultText(
            "{text} has no zone, and is taken for UTC",
            "{text} hat keine Zeitzone und gilt als UTC"),
        FaultText(
            "{text} names a zone, and is taken for the offset {zone}",
            "{text} nennt eine Zeitzone und gilt als {zone}"),
        FaultText(
            "the password is not kept, and the link is made as disabled",
            "das Passwort wird nicht übernommen, der Link ist zuerst abgeschaltet"),
        FaultText("the link is made as disabled", "der Link ist zuerst abgeschaltet"),
        FaultText(
            "no column is the destination of the links: the first line is none of an export of {list}",
            "Keine Spalte ist das Ziel der Links: Die erste Zeile ist nicht die eines Exports von {list}"
        ),
        FaultText(
            "no column is the destination of the links", "Keine Spalte ist das Ziel der Links"),
        FaultText(
            "columns (--columns) names {name}, and the table has no such column",
            "Die Tabelle hat keine Spalte {name}"),
        // Lines.
        FaultText(
            "the line has {count} cells, the heading has {most}",
            "Die Zeile hat {count} Zellen, die erste Zeile {most}"),
        FaultText("cell {number} has no heading", "Zelle {number} hat keine Überschrift"),
        FaultText(
            "the short link is one of {host}, and those that are imported are of {own}",
            "Der Kurzlink ist von {host}, importiert werden die von {own}"),
        FaultText(
            "the short link is one of {host}, and the rows that are imported name no domain",
            "Der Kurzlink ist von {host}, importiert werden Zeilen ohne Domain"),
        FaultText(
            "the row names no domain, and those that are imported are of {own}",
            "Die Zeile nennt keine Domain, importiert werden die von {own}"),
        FaultText(
            "it is empty, and the link is taken for one of {host}",
            "sie ist leer, und der Link gilt als einer von {host}"),
        FaultText(
            "{text} is no short link: nothing follows its host",
            "{text} ist kein Kurzlink: Nach dem Host steht nichts"),
        FaultText(
            "it must be true or false, not {text}",
            "Hier steht {text}; möglich sind WAHR und FALSCH"),
        FaultText("it must be a number, not {text}", "Hier steht {text}; nötig ist eine Zahl"),
        FaultText(
            "a quote is not closed, or text follows it",
            "Ein Anführungszeichen ist nicht geschlossen, oder danach steht noch Text"),
        FaultText(
            "{text} is what a spreadsheet writes where it could not compute a cell",
            "{text} schreibt eine Tabellenkalkulation, wenn sie eine Zelle nicht berechnen kann"),
        FaultText(
            "{text} is a number as a spreadsheet shortens it",
            "{text} ist eine Zahl, die eine Tabellenkalkulation gekürzt hat"),
        FaultText(
            "an earlier row has the short link {slug}",
            "Eine frühere Zeile hat den Kurzlink {slug}"),
        FaultText(
            "the row has no short name: it is of its domain alone",
            "Die Zeile hat keinen Kurznamen: Sie ist von der Domain allein"),
        FaultText(
            "the row in line {number} is of the same link",
            "Zeile {number} ist von demselben Link"),
        FaultText(
            "{slug} is a slug of the link already",
            "{slug} ist schon ein Name dieses Links",
            en: "{slug} is a name of this link already"),
        FaultText(
            "the line has no slug, externalId or id by which its link would be found again",
            "Der Zeile fehlt der Kurzname oder ein Name in einem anderen System, an dem man den Link wiederfindet",
            en:
                "the line has no short name and no name in another system, by which its link would be found again"
        ),
        FaultText(
            "the link has {count} aliases, may have {most}",
            "Der Link hat {count} weitere Namen, höchstens {most} sind möglich",
            en: "the link has {count} other names, at most {most} are possible"),
        FaultText("the link {link} has this id", "Der Link {link} hat diese Kennung"),
        FaultText("a link of another collection has it", "Ein Link einer anderen Sammlung hat ihn"),
        FaultText("the link {link} has it", "Der Link {link} hat ihn"),
        FaultText(
            "the link would have {count} aliases, may have {most}",
            "Der Link hätte {count} weitere Namen, höchstens {most} sind möglich",
            en: "the link would have {count} other names, at most {most} are possible"),
        // The whole table.
        FaultText(
            "nothing was found to import: the content is empty", "Da ist nichts zu importieren"),
        FaultText(
            "nothing was found to import: the table has a heading, and no line below it",
            "Die Tabelle hat eine Überschrift und keine Zeile darunter"),
        FaultText(
            "the content is JSON, and was sent as a table",
            "Das ist JSON und keine Tabelle",
            en: "this is JSON, and no table"),
        FaultText(
            "the content is a table, and was sent as lines of JSON",
            "Das ist eine Tabelle und kein JSON",
            en: "this is a table, and no JSON"),
        FaultText(
            "a quote opens here, and the file ends before the quote is closed",
            "Hier beginnt ein Anführungszeichen, das bis zum Ende der Datei nicht geschlossen wird"
        ),
        FaultText(
            "the heading has {count} columns, may have {most}",
            "Die erste Zeile hat {count} Spalten, höchstens {most} sind möglich"),
    ]

    static let tableAdvice: [FaultText] = [
        FaultText("remove one of them", "entferne eine davon"),
        FaultText("remove the column", "entferne die Spalte"),
        FaultText(
            "remove the column; an export as CSV shows the names",
            "entferne die Spalte oder wähle „Andere Tabelle“ und sag, was sie ist",
            en: "remove the column, or choose “Another table” and say what it is"),
        FaultText(
            "write it as the first line of the table does", "schreib sie wie in der ersten Zeile"),
        FaultText(
            "write quotes around a cell that has the separator",
            "setz eine Zelle mit dem Trennzeichen in Anführungszeichen"),
        FaultText(
            "write its heading, or remove the cell",
            "wähle „Andere Tabelle“ und sag, was die Spalte ist, oder entferne die Zelle",
            en: "choose “Another table” and say what the column is, or remove the cell"),
        FaultText(
            "what the domain itself leads to is `unmatched` of the environment",
            "wohin die Domain selbst führt, steht in der Konfiguration",
            en: "where the domain itself leads is in the configuration"),
        FaultText(
            "write true or false, or what spreadsheets write for them in their language, such as WAHR and FALSCH",
            "schreib WAHR oder FALSCH",
            en: "write TRUE or FALSE"),
        FaultText(
            "write its domain, or import such rows from a table of their own",
            "schreib ihre Domain dazu oder importiere solche Zeilen aus einer eigenen Tabelle"),
        FaultText("write its digits alone", "schreib nur Ziffern"),
        FaultText(
            "write quotes only around one with a comma: {list}",
            "setz nur eines mit einem Komma in Anführungszeichen: {list}"),
        FaultText(
            "write what it was, if it is not meant",
            "schreib, was es war, wenn es nicht so gemeint ist"
        ),
        FaultText("keep the row that is right", "behalte die richtige Zeile"),
        FaultText("leave it out", "lass es weg"),
        FaultText("look at the file that was sent", "sieh dir die Datei an"),
        FaultText(
            "send one link a line as application/x-ndjson; the command has --input-format json",
            "wähle „JSON-Zeilen von Waymark“, mit einem Link je Zeile",
            en: "choose “Lines of JSON of Waymark’s”, with one link a line"),
        FaultText(
            "send it as text/csv; the command has --input-format csv",
            "wähle „Tabelle von Waymark (CSV)“",
            en: "choose “A table of Waymark’s (CSV)”"),
        FaultText(
            "close it before the next separator, and double each quote within the cell",
            "schließ es vor dem nächsten Trennzeichen und verdopple Anführungszeichen in der Zelle"),
        FaultText("make a link of its own for some of them", "mach für einige einen eigenen Link"),
        FaultText("make a link of its own", "mach einen eigenen Link"),
        FaultText(
            "change that link, or choose another", "ändere jenen Link oder wähle einen anderen"),
    ]
}
