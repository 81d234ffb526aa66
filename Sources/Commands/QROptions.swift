import ArgumentParser
import Diagnostics
import Files
import QRCodes
import Associations
import Resolution
import URISyntax

/// The form and the size of a link's QR code.
struct QROptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "svg, png, pdf or terminal; by default the extension of --output, or terminal if "
                + "standard output is one."))
    var format: CodeFormat?

    @Option(name: .shortAndLong, help: "The file to write; - is standard output.")
    var output = "-"

    @Option(
        help: ArgumentHelp(
            "The side of the whole picture with its margin: millimetres for svg and pdf, by "
                + "default 30 or as many as 0.5 mm for each module need; pixels for png, by "
                + "default 10 for each module.", valueName: "number"),
        transform: number("millimetres for svg and pdf, pixels for png"))
    var size: Int?

    @Option(
        help: ArgumentHelp(
            "How much may be dirty or damaged: L (7%), M (15%), Q (25%) or H (30%); by default M, "
                + "and H with a logo."))
    var level: QRLevel?

    @Option(
        help: ArgumentHelp("The modules of the light margin, at least 4.", valueName: "number"),
        transform: number("modules, the squares of the code"))
    var margin = QRCode.marginModules

    @Option(
        help: ArgumentHelp(
            "A picture for the middle: SVG or PNG in an svg, PNG without transparency in a pdf.",
            valueName: "file"))
    var logo: String?

    @Option(
        help: ArgumentHelp(
            "The side of the logo's square in percent of the code's, 5 to 40; by default the "
                + "largest up to 25 that leaves the code readable.", valueName: "percent"),
        transform: number("percent of the code's side"))
    var logoSize: Int?

    @Option(
        name: [
            .customLong("color"), .customLong("colour"), .customLong("foreground"),
            .customLong("background"),
        ], help: .hidden)
    var colour: String?

    mutating func validate() throws {
        guard colour == nil else {
            throw ValidationError(
                "a code has no colours: it is black on white, because some readers find no other; "
                    + "put it on a light ground")
        }
        guard (QRCode.marginModules...Self.marginMax).contains(margin) else {
            throw ValidationError(
                "--margin has \(margin) modules, must have \(QRCode.marginModules) to "
                    + "\(Self.marginMax): readers need a light margin to find the code")
        }
        if let logoSize, logo == nil || !(5...40).contains(logoSize) {
            throw ValidationError(
                logo == nil
                    ? "--logo-size needs --logo"
                    : "--logo-size is \(logoSize), must be 5 to 40 percent of the code's side")
        }
        let format = try chosenFormat()
        if format == .terminal, size != nil {
            throw ValidationError("--size is for svg, png and pdf; a module of a terminal is fixed")
        }
        if format.isBinary, output == "-", isStandardOutputTerminal {
            throw ValidationError(
                "\(format) is binary and not written to a terminal; give --output code.\(format)")
        }
        if logo != nil, format == .png || format == .terminal {
            throw ValidationError(
                "\(format) cannot contain a logo, because waymark draws no pictures; use "
                    + "--format svg or pdf, which contain its file")
        }
    }

    /// Writes the code of a link.
    func write(_ text: String) throws {
        let url = Self.encoded(text)
        let format = try chosenFormat()
        let code = try makeCode(url)
        let picture = QRPicture(
            code, margin: margin, label: url, logo: try placedLogo(on: code, format))
        switch format {
        case .terminal:
            return try write(Array(picture.terminalLines.joined(separator: "\n").utf8) + [0x0A])
        case .svg: try write(picture.svg(millimetres: millimetres(picture)))
        case .pdf: try writeMade(picture.pdf(millimetres: millimetres(picture)))
        case .png: try writeMade(picture.png(pixels: pixels(picture)))
        }
    }

    /// The link, with its host in punycode and other characters beyond ASCII escaped: readers take
    /// such bytes for different characters.
    private static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }), let url = try? LinkURL(text) else {
            return text
        }
        let (start, end) = (url.bytes[..<url.hostRange.lowerBound], url.hostRange.upperBound)
        var encoded = Array(start) + url.requestedHost.utf8
        for byte in url.bytes[end...] {
            if byte < 0x80 { encoded.append(byte) } else { encoded.append(percentEncoded: byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private func chosenFormat() throws(ValidationError) -> CodeFormat {
        let name = output.utf8.split(separator: UInt8(ascii: ".")).dropFirst().last.map {
            String(decoding: $0.map { $0 | 0x20 }, as: UTF8.self)
        }
        if let format {
            guard let name, Self.pictures.contains(name), name != format.rawValue else {
                return format
            }
            throw ValidationError(
                "--format is \(format), but \(quoted(output)) ends in .\(name); change one of them")
        }
        guard output != "-" else {
            if isStandardOutputTerminal { return .terminal }
            throw ValidationError(
                "standard output is not a terminal; give --format svg, png or pdf")
        }
        guard let name, let format = CodeFormat(rawValue: name), format != .terminal else {
            throw ValidationError(
                "\(quoted(output)) does not end in .svg, .png or .pdf; give --format")
        }
        return format
    }

    private func makeCode(_ url: String) throws -> QRCode {
        let level = level ?? (logo == nil ? .medium : .high)
        let bytes = Array(url.utf8)
        guard let code = QRCode(bytes, level) else {
            let others = QRLevel.allCases.filter { QRCode.bytesMax($0) >= bytes.count }
            throw ValidationError(
                "the link has \(bytes.count) bytes, a code of level \(level.rawValue) can have "
                    + "\(QRCode.bytesMax(level)); "
                    + (others.isEmpty || logo != nil
                        ? "shorten it" : "use --level \(others[0].rawValue), or shorten it"))
        }
        return code
    }

    // MARK: Sizes

    private func millimetres(_ picture: QRPicture) throws(ValidationError) -> Int {
        guard let size else { return max(30, (picture.side + 1) / 2) }
        guard size <= Self.millimetresMax else {
            throw ValidationError(
                "--size is \(size) mm, may be \(Self.millimetresMax): a page of a pdf is no larger")
        }
        guard size >= picture.millimetresMin else {
            throw ValidationError(
                "--size \(size) leaves \(picture.moduleMillimetres(size)) mm for each of "
                    + "\(picture.side) modules, which must have 0.\(QRPicture.moduleHundredthsMin) mm; "
                    + "give at least \(picture.millimetresMin), or shorten the link")
        }
        return size
    }

    private func pixels(_ picture: QRPicture) throws(ValidationError) -> Int {
        guard let size else { return 10 * picture.side }
        guard size <= Self.pixelsMax else {
            throw ValidationError("--size is \(size) pixels, may be \(Self.pixelsMax)")
        }
        guard size >= picture.pixelsMin else {
            throw ValidationError(
                "--size \(size) leaves less than \(QRPicture.modulePixelsMin) pixels for each of "
                    + "\(picture.side) modules; give at least \(picture.pixelsMin), or shorten the link"
            )
        }
        return size
    }

    // MARK: The logo

    private func placedLogo(on code: QRCode, _ format: CodeFormat) throws -> QRPicture.Logo? {
        guard let logo else { return nil }
        let bytes = try readNamed(logo, bytesMax: LogoImage.bytesMax)
        guard let image = LogoImage(bytes) else {
            throw unusable(
                logo,
                "is " + (LogoImage.kind(of: bytes) ?? "neither an SVG document nor a PNG file"),
                "a logo is SVG or PNG: convert it, for example with `magick FILE logo.png`")
        }
        if format == .pdf, let obstacle = image.obstacleToPDF {
            throw unusable(logo, "cannot be part of a pdf: it \(obstacle.fact)", obstacle.advice)
        }
        let asked = logoSize ?? 25
        let square = code.logo(percentMax: asked)
        let side = square.map { "\($0.side * 100 / code.size)" }
        guard let square, logoSize == nil || square.side + 2 > code.size * asked / 100 else {
            throw ValidationError(
                "a logo of \(asked)% covers more than half of what a block of the code can correct; "
                    + (side.map { "give --logo-size \($0) or less" }
                        ?? "use --level H, or leave the logo out"))
        }
        return QRPicture.Logo(square, image)
    }

    private func unusable(_ logo: String, _ fact: String, _ advice: String) -> ExitCode {
        printMessages(
            ["waymark: error: the logo \(quoted(shownName(logo))) \(fact)", "    \(advice)"])
        return .configurationInvalid
    }

    // MARK: Output

    private func writeMade(_ bytes: [UInt8]?) throws {
        guard let bytes else {
            printMessage("waymark: error: there is no memory for the picture")
            throw ExitCode.ourFault
        }
        try write(bytes)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard output != "-" else { return try printOutput(.content(bytes)) }
        try writing(output) { () throws(FileError) in try writeOutput(output, bytes, mode: 0o666) }
    }

    /// Extensions that promise a format.
    private static let pictures: Set = [
        "svg", "png", "pdf", "jpg", "jpeg", "gif", "webp", "eps", "bmp", "tif", "tiff",
    ]
    private static let marginMax = 40
    private static let millimetresMax = 5_000
    private static let pixelsMax = 10_000
}

/// The format of a code.
enum CodeFormat: String, CaseIterable, ExpressibleByArgument, CustomStringConvertible {
    case svg, png, pdf, terminal

    /// Of a name in either case.
    init?(argument: String) { self.init(rawValue: argument.lowercased()) }

    var description: String { rawValue }
    var isBinary: Bool { self == .png || self == .pdf }
}

extension QRLevel: ExpressibleByArgument {
    /// Of a letter of either case.
    package init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}

/// Reads a whole number without a unit.
/// - Parameter unit: what the number counts.
private func number(_ unit: String) -> @Sendable (String) throws -> Int {
    { text in
        if let number = Int(text) { return number }
        let digits = String(decoding: text.utf8.prefix(while: \.isDigit), as: UTF8.self)
        throw ValidationError(
            digits.isEmpty ? "write a number of \(unit)" : "write \(digits): a number of \(unit)")
    }
}
