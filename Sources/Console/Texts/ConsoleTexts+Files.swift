/// Sentences of the API about files that are no tables, and tables in other encodings.
extension FaultText {
    static let fileFacts: [FaultText] = [
        FaultText(
            "the byte {byte} is not UTF-8 (in Windows-1252 it is {character})",
            "Die Tabelle ist nicht in UTF-8: Das Byte {byte} gibt es dort so nicht (in Windows-1252 ist es {character})",
            en:
                "the table is not in UTF-8, which has no byte {byte} like this (in Windows-1252 it is {character})"
        ),
        FaultText(
            "the byte {byte} is not UTF-8",
            "Die Tabelle ist nicht in UTF-8: Das Byte {byte} gibt es dort so nicht",
            en: "the table is not in UTF-8, which has no byte {byte} like this"),
        FaultText(
            "half a character of UTF-16 is missing",
            "Die Tabelle endet mitten in einem Zeichen",
            en: "the table ends in the middle of a character"),
        FaultText("a byte is 0, which no text has", "Ein Byte ist 0, und das hat kein Text"),
        FaultText(
            "the first line names a separator that is not supported",
            "Die erste Zeile nennt ein Trennzeichen, das es hier nicht gibt"),
        FaultText(
            "a line feed ends this line, and a carriage return alone ended the first",
            "Diese Zeile endet anders als die erste",
            en: "this line ends in another way than the first one"),
        FaultText(
            "a carriage return is alone, and a line feed ended the first line",
            "Diese Zeile endet anders als die erste",
            en: "this line ends in another way than the first one"),
        FaultText(
            "the content is {what}, not a table in CSV",
            "Das ist keine Tabelle in CSV, sondern {what}"),
        FaultText(
            "the content is {what}, not lines of JSON", "Das sind keine Zeilen JSON, sondern {what}"
        ),
        // Kinds of files.
        FaultText("an Excel file (.xlsx)", "eine Excel-Datei (.xlsx)"),
        FaultText("an Excel file (.xls)", "eine Excel-Datei (.xls)"),
        FaultText("a file of LibreOffice (.ods)", "eine Datei von LibreOffice (.ods)"),
        FaultText("a Numbers file", "eine Numbers-Datei"),
        FaultText(
            "a ZIP file, which spreadsheets are, too",
            "eine ZIP-Datei, wie auch Tabellenkalkulationen sie speichern"),
        FaultText("a compressed file (gzip)", "eine gepackte Datei (gzip)"),
        FaultText("a PDF file", "ein PDF"), FaultText("HTML or XML", "HTML oder XML"),
        FaultText("UTF-16 without a byte-order mark", "UTF-16 ohne Kennzeichen am Anfang"),
    ]

    static let fileAdvice: [FaultText] = [
        FaultText(
            "in Excel, save the table as \"CSV UTF-8 (Comma delimited)\"; elsewhere choose the encoding UTF-8",
            "speichere die Tabelle in Excel als „CSV UTF-8 (durch Trennzeichen getrennt)“, anderswo mit der Kodierung UTF-8",
            en:
                "in Excel, save the table as “CSV UTF-8 (Comma delimited)”; elsewhere choose the encoding UTF-8"
        ),
        FaultText(
            "in Excel, save it as \"CSV UTF-8 (Comma delimited)\"; the other CSV formats are not UTF-8",
            "speichere sie in Excel als „CSV UTF-8 (durch Trennzeichen getrennt)“; die anderen CSV-Formate sind nicht UTF-8",
            en:
                "in Excel, save it as “CSV UTF-8 (Comma delimited)”; the other CSV formats are not UTF-8"
        ),
        FaultText(
            "in LibreOffice, save it as \"Text CSV\" with the character set Unicode (UTF-8)",
            "speichere sie in LibreOffice als „Text CSV“ mit dem Zeichensatz Unicode (UTF-8)",
            en: "in LibreOffice, save it as “Text CSV” with the character set Unicode (UTF-8)"),
        FaultText(
            "export it as CSV with the encoding UTF-8",
            "exportiere sie als CSV mit der Kodierung UTF-8"),
        FaultText(
            "unpack it, or export it as CSV with the encoding UTF-8",
            "entpacke sie, oder exportiere sie als CSV mit der Kodierung UTF-8"),
        FaultText(
            "decompress it first: `gunzip FILE`", "entpacke sie zuerst", en: "unpack it first"),
        FaultText("save the table as CSV UTF-8", "speichere die Tabelle als CSV UTF-8"),
        FaultText(
            "save the table again as CSV UTF-8, so that all lines end in the same way",
            "speichere die Tabelle noch einmal als CSV UTF-8, damit alle Zeilen gleich enden"),
        FaultText(
            "write sep=; or sep=, or leave the line out",
            "schreib sep=; oder sep=, oder lass die Zeile weg"),
        FaultText(
            "save it as UTF-8; a table (text/csv) may be UTF-16", "speichere es als UTF-8",
            en: "save it as UTF-8"),
    ]
}
