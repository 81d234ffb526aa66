private import Diagnostics
private import JSONSyntax
private import Markup

/// The code of a link, as a picture that the API draws.
struct LinkCode {
    let request: ConsoleRequest
    let api: ConsoleAPI
    let id: String

    /// Sides in millimetres that a form offers.
    static let sides = [25, 50, 100]
    private static let formats = ["pdf", "svg", "png"]
    /// The sides that the API draws.
    private static let millimetres = 10...500
    /// The name of the choice of another side.
    static let ownSide = "own"

    /// The code on a page.
    var picture: ConsoleResponse {
        let answer = api.ask("GET", ["links", id, "qr"])
        guard answer.isSuccess else {
            return Console.notice(.init(answer), request.setting, person: request.person)
        }
        return ConsoleResponse(200, type: answer.type, answer.content)
    }

    /// The file for print that a form asks for.
    var file: ConsoleResponse {
        let format = request.item("format") ?? Self.formats[0]
        guard Self.formats.contains(format) else {
            return Console.notice(.foreignChoice, request.setting, person: request.person)
        }
        var side = request.item("mm") ?? "\(Self.sides[1])"
        // What is written goes before the list.
        let own = (request.item("own") ?? "").trimmed
        if !own.isEmpty || side.isScalarwise(Self.ownSide) { side = own }
        let answer = api.ask(
            "GET", ["links", id, "qr"], query: [("format", format), ("mm", side)])
        guard answer.isSuccess else {
            guard answer.status == 400 else {
                return Console.notice(.init(answer), request.setting, person: request.person)
            }
            var page = OneLinkPage(request, api, id: id)
            (page.refusedSide, page.status) = (side, 400)
            // A number that could be one is too small for this code, and the API says how large it has to be.
            if let number = Int(side), "\(number)" == side, Self.millimetres.contains(number) {
                page.sideReason = answer.json?["detail"]?.text
            }
            return page.response
        }
        // The API has taken both, so they are a name and digits.
        let name = "attachment; filename=\"code-\(fileWord)\(side)mm.\(format)\""
        return ConsoleResponse(
            200, type: answer.type, fields: [("Content-Disposition", name)], answer.content)
    }

    /// The short name of the link with a hyphen behind it, as far as the name of any file can have it.
    private var fileWord: String {
        let slug = api.ask("GET", ["links", id]).json?["slug"]?.text ?? ""
        let bytes = slug.utf8.prefix(64).map { byte -> UInt8 in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): byte
            default: UInt8(ascii: "-")
            }
        }
        return bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self) + "-"
    }
}

extension OneLinkPage {
    /// The code with the form for its files.
    func writeCode(_ link: LinkWords, _ page: inout PageWriter) {
        page.raw("<section class=\"code\">\n")
        page.element("h2", .code)
        page.codePicture(PagePath("links", id, "code.svg"), of: link.url)
        page.raw("<form method=\"get\" class=\"stack\"")
        page.attribute("action", PagePath("links", id, "code").text(below: page.setting.base))
        page.raw(">\n")
        if refusedSide != nil {
            page.raw("<p class=\"fault\" id=\"errors\" tabindex=\"-1\" role=\"alert\">")
            if let sideReason {
                page.words(.sideTooSmall)
                page.raw(" ")
                page.foreign(sideReason)
            } else {
                page.words(.sideRefused)
            }
            page.raw("</p>\n")
        }
        var sides = LinkCode.sides.map { (value: "\($0)", text: "\($0) mm") }
        sides.append((LinkCode.ownSide, page.filled(.ownSide)))
        page.choiceField(
            FormField("mm", .codeSide), sides,
            chosen: refusedSide == nil ? "\(LinkCode.sides[1])" : LinkCode.ownSide)
        let own = FormField("own", .ownSideLabel, .codeSideHint)
        page.formField(own) { page in
            page.raw("<input inputmode=\"numeric\" autocomplete=\"off\" maxlength=\"4\"")
            page.attributes(of: own, pointsToFaults: refusedSide != nil)
            page.attribute("value", refusedSide ?? "")
            page.raw(">\n")
        }
        page.raw("<p class=\"buttons\">")
        for (format, title) in [("pdf", "PDF"), ("svg", "SVG"), ("png", "PNG")] {
            page.raw("<button name=\"format\"")
            page.attribute("value", format)
            page.raw(">")
            page.value(title)
            page.raw("</button> ")
        }
        page.raw("</p></form>\n</section>\n")
    }
}

extension PageWriter {
    /// The picture of a code, which is dark on white in dark mode, too.
    mutating func codePicture(_ path: PagePath, of url: String) {
        raw("<img width=\"200\" height=\"200\"")
        attribute("src", path.text(below: setting.base))
        attribute("alt", filled(.codeOf, ["url": url]))
        raw(">\n")
    }
}
