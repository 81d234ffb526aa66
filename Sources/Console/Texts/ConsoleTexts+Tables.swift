/// Sentences of the API about the lines and columns of a table that is imported, as it says them and in German.
extension ConsoleText {
    static let tableFacts: [ConsoleText] = [
        // Columns.
        ConsoleText(
            "column {number} is {name}: no member is called so",
            "Spalte {number} heißt {name}, und so heißt hier keine"),
        ConsoleText(
            "the columns {first} and {second} are both {name}",
            "Die Spalten {first} und {second} heißen beide {name}"),
        ConsoleText("{count} more columns are wrong", "{count} weitere Spalten sind falsch"),
        ConsoleText(
            "{count} more columns are not kept", "{count} weitere Spalten werden nicht übernommen"),
        ConsoleText(
            "column {number}, {name}, is not kept: {fact}",
            "Spalte {number}, {name}, wird nicht übernommen: {fact}"),
        ConsoleText("nothing is known of it", "sie ist nicht bekannt"),
        ConsoleText(
            "visits that another service has counted are not imported",
            "Besuche, die ein anderer Dienst gezählt hat, werden nicht importiert"),
        ConsoleText(
            "a link says nothing about who has made it",
            "ein Link sagt nicht, wer ihn erstellt hat"),
        ConsoleText(
            "a link is as it was changed here", "ein Link ist so, wie er hier geändert wurde"),
        ConsoleText("column {number}, {name}: {fact}", "Spalte {number}, {name}: {fact}"),
        ConsoleText("{text} is not kept: {fact}", "{text} wird nicht übernommen: {fact}"),
        ConsoleText("it is of another domain", "es ist von einer anderen Domain"),
        ConsoleText(
            "a link has no limit of visits", "ein Link hat keine Grenze für Besuche"),
        ConsoleText(
            "another column is the slug, too", "eine andere Spalte ist auch der Kurzname"),
        ConsoleText(
            "another column is the {name}, too", "eine andere Spalte ist auch {name}"),
        ConsoleText("it is no time with its zone", "es ist keine Zeit mit Zeitzone"),
        ConsoleText(
            "{text} has no zone, and is taken for UTC",
            "{text} hat keine Zeitzone und gilt als UTC"),
        ConsoleText(
            "the password is not kept, and the link is made as disabled",
            "das Passwort wird nicht übernommen, der Link ist zuerst abgeschaltet"),
        ConsoleText(
            "the link is made as disabled", "der Link ist zuerst abgeschaltet"),
        ConsoleText(
            "no column is the destination of the links: the first line is none of an export of {list}",
            "Keine Spalte ist das Ziel der Links: Die erste Zeile ist nicht die eines Exports von {list}"
        ),
        ConsoleText(
            "no column is the destination of the links", "Keine Spalte ist das Ziel der Links"),
        ConsoleText(
            "columns (--columns) names {name}, and the table has no such column",
            "Die Tabelle hat keine Spalte {name}"),
        // Lines.
        ConsoleText(
            "the line has {count} cells, the heading has {most}",
            "Die Zeile hat {count} Zellen, die erste Zeile {most}"),
        ConsoleText("cell {number} has no heading", "Zelle {number} hat keine Überschrift"),
        ConsoleText(
            "the short link is one of {host}, and those that are imported are of {own}",
            "Der Kurzlink ist von {host}, importiert werden die von {own}"),
        ConsoleText(
            "{text} is no short link: nothing follows its host",
            "{text} ist kein Kurzlink: Nach dem Host steht nichts"),
        ConsoleText(
            "it must be true or false, not {text}",
            "Hier steht {text}; möglich sind WAHR und FALSCH"),
        ConsoleText(
            "it must be a number, not {text}", "Hier steht {text}; nötig ist eine Zahl"),
        ConsoleText(
            "a quote is not closed, or text follows it",
            "Ein Anführungszeichen ist nicht geschlossen, oder danach steht noch Text"),
        ConsoleText(
            "{text} is what a spreadsheet writes where it could not compute a cell",
            "{text} schreibt eine Tabellenkalkulation, wenn sie eine Zelle nicht berechnen kann"),
        ConsoleText(
            "{text} is a number as a spreadsheet shortens it",
            "{text} ist eine Zahl, die eine Tabellenkalkulation gekürzt hat"),
        ConsoleText(
            "an earlier row has the short link {slug}",
            "Eine frühere Zeile hat den Kurzlink {slug}"),
        ConsoleText(
            "the row in line {number} is of the same link",
            "Zeile {number} ist von demselben Link"),
        ConsoleText(
            "{slug} is a slug of the link already", "{slug} ist schon ein Name dieses Links"),
        ConsoleText(
            "the line has no slug, externalId or id by which its link would be found again",
            "Der Zeile fehlt der Kurzname oder ein Name in einem anderen System, an dem man den Link wiederfindet"
        ),
        ConsoleText(
            "the link has {count} aliases, may have {most}",
            "Der Link hat {count} weitere Namen, höchstens {most} sind möglich"),
        ConsoleText("the link {link} has this id", "Der Link {link} hat diese Kennung"),
        ConsoleText(
            "a link of another collection has it", "Ein Link einer anderen Sammlung hat ihn"),
        ConsoleText("the link {link} has it", "Der Link {link} hat ihn"),
        ConsoleText(
            "the link would have {count} aliases, may have {most}",
            "Der Link hätte {count} weitere Namen, höchstens {most} sind möglich"),
        // The whole table.
        ConsoleText(
            "nothing was found to import: the content is empty", "Da ist nichts zu importieren"),
        ConsoleText(
            "nothing was found to import: the table has a heading, and no line below it",
            "Die Tabelle hat eine Überschrift und keine Zeile darunter"),
        ConsoleText(
            "the content is JSON, and was sent as a table",
            "Das ist JSON und keine Tabelle"),
        ConsoleText(
            "the content is a table, and was sent as lines of JSON",
            "Das ist eine Tabelle und kein JSON"),
        ConsoleText(
            "the content is an Excel file (.xls), not a table in CSV",
            "Das ist eine Excel-Datei (.xls), keine Tabelle in CSV"),
        ConsoleText(
            "the content is {list}, not a table in CSV", "Das ist keine Tabelle in CSV: {list}"),
        ConsoleText(
            "a quote opens here, and the file ends before the quote is closed",
            "Hier beginnt ein Anführungszeichen, das bis zum Ende der Datei nicht geschlossen wird"
        ),
        ConsoleText(
            "the heading has {count} columns, may have {most}",
            "Die erste Zeile hat {count} Spalten, höchstens {most} sind möglich"),
    ]

    static let tableAdvice: [ConsoleText] = [
        ConsoleText("remove one of them", "entferne eine davon"),
        ConsoleText("remove the column", "entferne die Spalte"),
        ConsoleText(
            "remove the column; an export as CSV shows the names",
            "entferne die Spalte oder wähle „Andere Tabelle“ und sag, was sie ist"),
        ConsoleText(
            "write it as the first line of the table does", "schreib sie wie in der ersten Zeile"),
        ConsoleText(
            "write quotes around a cell that has the separator",
            "setz eine Zelle mit dem Trennzeichen in Anführungszeichen"),
        ConsoleText(
            "write its heading, or remove the cell",
            "wähle „Andere Tabelle“ und sag, was die Spalte ist, oder entferne die Zelle"),
        ConsoleText(
            "what the domain itself leads to is `unmatched` of the environment",
            "wohin die Domain selbst führt, steht in der Konfiguration"),
        ConsoleText(
            "write true or false, or what spreadsheets write for them in their language, such as WAHR and FALSCH",
            "schreib WAHR oder FALSCH"),
        ConsoleText("write its digits alone", "schreib nur Ziffern"),
        ConsoleText(
            "write quotes only around one with a comma: {list}",
            "setz nur eines mit einem Komma in Anführungszeichen: {list}"),
        ConsoleText(
            "write what it was, if it is not meant",
            "schreib, was es war, wenn es nicht so gemeint ist"
        ),
        ConsoleText("keep the row that is right", "behalte die richtige Zeile"),
        ConsoleText("leave it out", "lass es weg"),
        ConsoleText("look at the file that was sent", "sieh dir die Datei an"),
        ConsoleText(
            "send one link a line as application/x-ndjson; the command has --input-format json",
            "wähle „JSON-Zeilen von Waymark“, mit einem Link je Zeile"),
        ConsoleText(
            "send it as text/csv; the command has --input-format csv",
            "wähle „Tabelle von Waymark (CSV)“"),
        ConsoleText(
            "close it before the next separator, and double each quote within the cell",
            "schließ es vor dem nächsten Trennzeichen und verdopple Anführungszeichen in der Zelle"),
        ConsoleText(
            "make a link of its own for some of them", "mach für einige einen eigenen Link"),
        ConsoleText("make a link of its own", "mach einen eigenen Link"),
        ConsoleText(
            "change that link, or choose another", "ändere jenen Link oder wähle einen anderen"),
    ]
}
