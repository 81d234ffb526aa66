import Diagnostics

// What can be wrong with a text that should be JSON.

extension Catalogue {
    private static let json = "RFC 8259; Apple, “Supporting associated domains”"

    static let textRules = [
        CatalogueRule(
            .jsonSyntax, "J01", .error, "The text is not JSON",
            wrong: "A comma, a quote or a bracket is missing or misplaced.",
            shows: "The whole file is refused: no link opens any app.",
            fix: "Fix it at the position of the finding.", source: json, .documented),
        CatalogueRule(
            .jsonNumberRange, "J01", .error, "A number is too large",
            wrong: "JSON's grammar does not limit numbers, but parsers convert them to doubles, "
                + "which end at 1.8E308.",
            shows: "Apple's JSONSerialization refuses the whole file (“not representable”).",
            fix: "Put it in quotes, or remove it: no rule needs such a number.",
            source: "swift-foundation; RFC 8259 §6", .observed),
        CatalogueRule(
            .jsonTrailingComma, "J01", .error, "A comma follows the last value",
            wrong: "JSON separates values by commas, and allows no comma after the last.",
            shows: "The whole file is refused, though many editors and languages accept it.",
            fix: "Remove the comma.", source: json, .documented),
        CatalogueRule(
            .jsonEmpty, "J01", .error, "The file is empty",
            wrong: "It contains at most white space.", shows: "The file is refused.",
            fix: "Publish the file, or answer 404 at its path.", source: json, .documented),
        CatalogueRule(
            .jsonNesting, "J01", .error, "Values are nested too deep",
            wrong: "Objects and arrays are nested more than 64 levels deep; association files "
                + "need six.", shows: "Each parser has its own limit.",
            fix: "Remove values that do not belong in an association file.", source: "RFC 8259 §9",
            .judgement),
        CatalogueRule(
            .jsonComment, "J02", .error, "JSON has no comments",
            wrong: "Text after //, or between /* and */, is not JSON.",
            shows: "The whole file is refused.",
            fix: "Remove it, or use a component's key `comment`.", source: json, .documented),
        CatalogueRule(
            .jsonTwoColons, "J03", .error, "A member has two colons",
            wrong: "A key has one value, and the entry of an app is an object in an array.",
            shows: "The whole file is refused.",
            fix: "Write `[{\"appIDs\": […], \"components\": […]}]`.", source: json, .documented),
        CatalogueRule(
            .jsonNotOutsideQuotes, "J04", .error, "NOT is outside the quotes",
            wrong:
                "The word that excludes a path is part of the string. Apple's own notes "
                + "have shown it outside.", shows: "The whole file is refused.",
            fix: "Write `\"NOT /path\"`.", source: "Apple, TN3155", .documented),
        CatalogueRule(
            .jsonTypographic, "J05", .error, "Typographic characters",
            wrong: "Copied text contains curly quotes, an ellipsis or an unusual space.",
            shows: "The whole file is refused, although it looks right.",
            fix: "Type the characters again.", source: json, .documented),
        CatalogueRule(
            .jsonMarkup, "K03", .error, "A page of HTML or rich text instead of JSON",
            wrong: "The path returns a web page: a catch-all route, a login page or a firewall's "
                + "challenge. Or an editor has saved rich text (RTF).",
            shows: "The file is refused at its first byte.",
            fix: "Handle the file's path before all other routes. Save the file as plain text.",
            source: "Apple, TN3155; Google, “Digital Asset Links”", .documented),
        CatalogueRule(
            .jsonByteOrderMark, "J07", .warning, "The file begins with a byte-order mark",
            wrong: "Three invisible bytes come before the text.",
            shows: "Strict parsers refuse the file; others ignore the bytes.",
            fix: "Save the file as UTF-8 without a byte-order mark.", source: "RFC 8259 §8.1",
            .documented),
        CatalogueRule(
            .notUTF8, "J08", .error, "The file is not UTF-8",
            wrong: "Some bytes are not a valid character in UTF-8.",
            shows: "The file is refused, or names are misread.", fix: "Save it as UTF-8.",
            source: "RFC 8259 §8.1", .documented),
        CatalogueRule(
            .jsonDuplicateKey, "J09", .warning, "A key is repeated in one object",
            wrong: "Parsers use the first value, the last, or neither.",
            shows: "Different systems follow different rules.", fix: "Keep one.",
            source: "RFC 8259 §4", .documented),
        CatalogueRule(
            .fileSize, "H07", .error, "The file is too large",
            wrong: "Apple's systems read 131,072 bytes, uncompressed. `lint` reads 8 MiB.",
            shows: "The download is aborted, and the association fails.",
            fix: "Merge rules, and use `appIDs` and variables.",
            source: "Apple, “Supporting associated domains”", .documented),
    ]
}
