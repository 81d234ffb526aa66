import Diagnostics

// What can be wrong with a text that should be JSON.

extension Catalogue {
    private static let json = "RFC 8259; Apple, “Supporting associated domains”"

    static let textRules = [
        CatalogueRule(
            .jsonSyntax, "J01", .error, "The text is not JSON",
            wrong: "A comma, a quote or a bracket is missing or stands where it must not.",
            shows: "The whole file is refused: no link opens any app.",
            fix: "Mend it at the line and column named.", source: json, .documented),
        CatalogueRule(
            .jsonNumberRange, "J01", .error, "A number is too large",
            wrong: "JSON's grammar lets numbers be of any size; what reads them makes doubles of "
                + "them, which end at 1.8E308.",
            shows: "Apple's JSONSerialization refuses the whole file (“not representable”).",
            fix: "Put it in quotes, or remove it: no rule needs such a number.",
            source: "swift-foundation; RFC 8259 §6", .observed),
        CatalogueRule(
            .jsonTrailingComma, "J01", .error, "A comma stands behind the last value",
            wrong: "JSON separates values by commas and has none behind the last.",
            shows: "The whole file is refused, though many editors and languages accept it.",
            fix: "Remove the comma.", source: json, .documented),
        CatalogueRule(
            .jsonEmpty, "J01", .error, "The file is empty",
            wrong: "There is nothing but white space in it.", shows: "The file is refused.",
            fix: "Publish the file, or let the path answer 404.", source: json, .documented),
        CatalogueRule(
            .jsonNesting, "J01", .error, "Values are nested too deep",
            wrong: "Objects and arrays stand in one another more than 64 deep; association files "
                + "need six.", shows: "Parsers have such a limit, each its own.",
            fix: "Remove what is not an association file's.", source: "RFC 8259 §9", .judgement),
        CatalogueRule(
            .jsonComment, "J02", .error, "JSON has no comments",
            wrong: "A text between // and the line's end, or between /* and */, is no JSON.",
            shows: "The whole file is refused.",
            fix: "Remove it, or use the key `comment` of a component.", source: json, .documented),
        CatalogueRule(
            .jsonTwoColons, "J03", .error, "A member has two colons",
            wrong: "A key has one value; an entry of an app is an object in an array.",
            shows: "The whole file is refused.",
            fix: "Write `[{\"appIDs\": […], \"components\": […]}]`.", source: json, .documented),
        CatalogueRule(
            .jsonNotOutsideQuotes, "J04", .error, "NOT stands outside the quotes",
            wrong:
                "The word that excludes a path is part of the string. Apple's own notes have been "
                + "printed with it outside.", shows: "The whole file is refused.",
            fix: "Write `\"NOT /path\"`.", source: "Apple, TN3155", .documented),
        CatalogueRule(
            .jsonTypographic, "J05", .error, "Characters of a word processor",
            wrong: "Curly quotes, an ellipsis or a space of odd width came with a copied text.",
            shows: "The whole file is refused, and looks right on the screen.",
            fix: "Type the characters anew.", source: json, .documented),
        CatalogueRule(
            .jsonMarkup, "K03", .error, "A page of HTML or rich text instead of JSON",
            wrong: "The path is answered with a web page: a catch-all route, a login page or a "
                + "firewall's challenge. Or an editor has saved rich text (RTF).",
            shows: "The file is refused at its first byte.",
            fix: "Answer the file's path before all other routes; save plain text.",
            source: "Apple, TN3155; Google, “Digital Asset Links”", .documented),
        CatalogueRule(
            .jsonByteOrderMark, "J07", .warning, "The file begins with a byte-order mark",
            wrong: "Three invisible bytes stand before the text.",
            shows: "Strict parsers refuse the file; others do not see them.",
            fix: "Save the file as UTF-8 without a byte-order mark.", source: "RFC 8259 §8.1",
            .documented),
        CatalogueRule(
            .notUTF8, "J08", .error, "The file is not UTF-8",
            wrong: "A sequence of bytes is no character in UTF-8.",
            shows: "The file is refused, or names are read wrong.", fix: "Save it as UTF-8.",
            source: "RFC 8259 §8.1", .documented),
        CatalogueRule(
            .jsonDuplicateKey, "J09", .warning, "A key stands twice in one object",
            wrong: "Parsers take the first, the last or neither.",
            shows: "Systems differ in which rules they follow.", fix: "Keep one.",
            source: "RFC 8259 §4", .documented),
        CatalogueRule(
            .fileSize, "H07", .error, "The file is too large",
            wrong: "Apple's systems read 131,072 bytes, uncompressed; `lint` reads 8 MiB.",
            shows: "The download is given up, and the association fails.",
            fix: "Merge rules, use `appIDs` and variables.",
            source: "Apple, “Supporting associated domains”", .documented),
    ]
}
