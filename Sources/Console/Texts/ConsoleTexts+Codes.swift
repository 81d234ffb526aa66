/// Sentences of the API about the picture in the middle of a code.
extension FaultText {
    static let codeFacts: [FaultText] = [
        FaultText(
            "logo is true, and the site's icon {path} is {what}: a code can have a PNG or an SVG document in the middle",
            "Das Bild der Website, {path}, ist {what}. In einen Code passt ein PNG oder ein SVG.",
            en:
                "The site’s picture {path} is {what}. A code can have a PNG or an SVG in the middle."
        ),
        FaultText(
            "logo is true, and the site's icon {path} cannot be read, or has more than {most} bytes",
            "Das Bild der Website, {path}, ist nicht lesbar, oder es hat mehr als {most} Bytes.",
            en: "The site’s picture {path} cannot be read, or has more than {most} bytes."),
        FaultText(
            "logo is true, and this code has no room for one: leave it out",
            "In diesem Code ist kein Platz für ein Bild.",
            en: "This code has no room for a picture."),
        FaultText(
            "format is pdf, and the site's icon {path} is an SVG file: give a PNG, or ask for an SVG",
            "Ein PDF kann das Bild der Website, {path}, nicht enthalten, weil es ein SVG ist. Lade den Code als SVG.",
            en:
                "A PDF cannot have the site’s picture {path}, because it is an SVG. Download the code as SVG."
        ),
        FaultText(
            "format is pdf, and the site's icon {path} has transparency: save it on white, without an alpha channel, or ask for an SVG",
            "Ein PDF kann das Bild der Website, {path}, nicht enthalten, weil es durchsichtige Stellen hat. Lade den Code als SVG, "
                + "oder lass das Bild auf Weiß speichern.",
            en:
                "A PDF cannot have the site’s picture {path}, because it has transparency. Download the code as SVG, or have the "
                + "picture saved on white."),
        FaultText(
            "format is pdf, and the site's icon {path} is interlaced: save it without interlacing, or ask for an SVG",
            "Ein PDF kann das Bild der Website, {path}, nicht enthalten, weil es mit Zeilensprung (interlaced) gespeichert ist. "
                + "Lade den Code als SVG.",
            en:
                "A PDF cannot have the site’s picture {path}, because it is saved as interlaced. Download the code as SVG."
        ),
        FaultText(
            "format is pdf, and the site's icon {path} ends within its data: save it again, or ask for an SVG",
            "Ein PDF kann das Bild der Website, {path}, nicht enthalten, weil seine Datei nicht ganz ist. Lade den Code als SVG, "
                + "oder lass das Bild noch einmal speichern.",
            en:
                "A PDF cannot have the site’s picture {path}, because its file is not whole. Download the code as SVG, or have "
                + "the picture saved again."),
        // Kinds of files.
        FaultText("empty", "leer"),
        FaultText("neither a PNG nor an SVG document", "weder ein PNG noch ein SVG"),
        FaultText("a damaged PNG file", "ein beschädigtes PNG"),
        FaultText("an icon file", "eine Icon-Datei (.ico)", en: "an icon file (.ico)"),
        FaultText("a JPEG picture", "ein JPEG-Bild"),
        FaultText("a GIF picture", "ein GIF-Bild"),
        FaultText("a WebP picture", "ein WebP-Bild"),
        FaultText("a TIFF picture", "ein TIFF-Bild"),
        FaultText("a BMP picture", "ein BMP-Bild"),
        FaultText("a HEIC or AVIF picture", "ein HEIC- oder AVIF-Bild"),
        FaultText("a PDF document", "ein PDF"),
        FaultText("a compressed file", "eine gepackte Datei"),
    ]
}
