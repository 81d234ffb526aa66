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

    /// Whether the picture of the site is to be in the middle.
    static func isWithLogo(_ request: ConsoleRequest) -> Bool { request.item("logo") != nil }

    private var logo: [(name: String, value: String)] {
        Self.isWithLogo(request) ? [("logo", "true")] : []
    }

    /// The reason for which the code on a page cannot have the picture of the site, in words of the API; nil if it can.
    var obstacleToLogo: String? {
        let answer = api.ask("GET", ["links", id, "qr"], query: [("logo", "true")])
        return answer.isSuccess ? nil : answer.json?["detail"]?.text ?? ""
    }

    /// The code on a page.
    var picture: ConsoleResponse {
        let answer = api.ask("GET", ["links", id, "qr"], query: logo)
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
        let side = Self.side(request)
        let answer = api.ask(
            "GET", ["links", id, "qr"], query: [("format", format), ("mm", side)] + logo)
        guard answer.isSuccess else {
            guard answer.status == 400 else {
                return Console.notice(.init(answer), request.setting, person: request.person)
            }
            return refused(side, format, answer.json?["detail"]?.text)
        }
        // The API has taken both, so they are a name and digits.
        return .file("code-\(fileWord)\(side)mm.\(format)", answer)
    }

    /// The side that a form asks for. What is written goes before the list.
    static func side(_ request: ConsoleRequest) -> String {
        let side = request.item("mm") ?? "\(sides[1])"
        let own = (request.item("own") ?? "").trimmed
        return !own.isEmpty || side.isScalarwise(ownSide) ? own : side
    }

    /// The page again, with the reason.
    private func refused(_ side: String, _ format: String, _ detail: String?) -> ConsoleResponse {
        var page = OneLinkPage(request, api, id: id)
        page.status = 400
        let isNumber = Int(side).map { "\($0)" == side && Self.millimetres.contains($0) } ?? false
        if isNumber, Self.isWithLogo(request), detail?.utf8.starts(with: "mm is".utf8) != true {
            page.refusedLogo = format == "png" ? .inPNG : .reason(detail ?? "")
        } else {
            page.refusedSide = side
            // A number that could be one is too small for this code, and the API says how large it has to be.
            if isNumber { page.sideReason = detail }
        }
        return page.response
    }

    /// The reason for which a code cannot have a picture.
    enum LogoFault {
        case inPNG
        /// In words of the API.
        case reason(String)
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
    /// - Parameter hasLogo: whether codes of its collection can have a picture in the middle.
    func writeCode(_ link: LinkWords, hasLogo: Bool, _ page: inout PageWriter) {
        let asksForLogo = hasLogo && LinkCode.isWithLogo(request) && refusedLogo == nil
        // A picture that cannot be drawn is a hole in the page, and says no reason.
        let obstacle =
            asksForLogo ? LinkCode(request: request, api: api, id: id).obstacleToLogo : nil
        let isWithLogo = asksForLogo && obstacle == nil
        page.raw("<section class=\"code\">\n")
        page.element("h2", .code)
        let picture = PagePath("links", id, "code.svg")
        page.codePicture(isWithLogo ? picture.with("logo", "1") : picture, of: link.url)
        if let obstacle {
            page.raw("<p class=\"hint\">")
            page.logoRefusal(obstacle)
            page.raw("</p>\n")
        } else if hasLogo {
            let own = PagePath("links", id)
            page.raw("<p>")
            page.link(
                isWithLogo ? own : own.with("logo", "1"),
                isWithLogo ? .codeWithoutLogo : .codeWithLogo)
            page.raw("</p>\n")
        }
        page.raw("<form method=\"get\" class=\"stack\"")
        page.attribute("action", PagePath("links", id, "code").text(below: page.setting.base))
        page.raw(">\n")
        writeCodeFault(&page)
        page.sideFields(
            .codeSideHint, refused: refusedSide, chosen: chosenSide,
            written: refusedLogo == nil ? nil : request.item("own"))
        if hasLogo {
            page.raw("<label class=\"box\"><input type=\"checkbox\" name=\"logo\" value=\"1\"")
            if isWithLogo || refusedLogo != nil { page.raw(" checked") }
            if refusedLogo != nil { page.pointToFaults() }
            page.raw("> ")
            page.words(.withLogo)
            page.raw("</label>\n")
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

extension OneLinkPage {
    /// The side of the list that a refused form has.
    private var chosenSide: String? {
        let sides = LinkCode.sides.map { "\($0)" } + [LinkCode.ownSide]
        return refusedLogo == nil
            ? nil : request.item("mm").flatMap { sides.contains($0) ? $0 : nil }
    }

    private func writeCodeFault(_ page: inout PageWriter) {
        guard refusedSide != nil || refusedLogo != nil else { return }
        page.raw("<p class=\"fault\" id=\"errors\" tabindex=\"-1\" role=\"alert\">")
        switch refusedLogo {
        case .inPNG: page.words(.noLogoInPNG)
        case .reason(let reason): page.logoRefusal(reason)
        case nil:
            if let sideReason {
                page.words(.sideTooSmall)
                page.raw(" ")
                if let least = LinkCode.least(sideReason) {
                    page.words(.sideLeast, ["least": least])
                } else {
                    page.foreign(sideReason)
                }
            } else {
                page.words(.sideRefused)
            }
        }
        page.raw("</p>\n")
    }

}

extension PageWriter {
    /// The fields in which somebody chooses the side of codes.
    /// - Parameters:
    ///   - hint: for a side of one's own.
    ///   - refused: the side that was refused; nil if none was.
    ///   - chosen: one of the list; nil for the usual one.
    ///   - written: what was written before.
    mutating func sideFields(
        _ hint: ConsoleText, refused: String?, chosen: String? = nil, written: String? = nil
    ) {
        var sides = LinkCode.sides.map { (value: "\($0)", text: "\($0) mm") }
        sides.append((LinkCode.ownSide, filled(.ownSide)))
        choiceField(
            FormField("mm", .codeSide), sides,
            chosen: refused == nil ? chosen ?? "\(LinkCode.sides[1])" : LinkCode.ownSide)
        let own = FormField("own", .ownSideLabel, hint)
        formField(own) { page in
            page.raw("<input inputmode=\"numeric\" autocomplete=\"off\" maxlength=\"4\"")
            page.attributes(of: own, pointsToFaults: refused != nil)
            page.attribute("value", refused ?? written ?? "")
            page.raw(">\n")
        }
    }
}

extension LinkCode {
    /// The millimetres that a sentence of the API asks for; nil where it is about something else.
    static func least(_ reason: String) -> String? {
        let words = "must be at least ".utf8
        guard reason.utf8.starts(with: "mm is ".utf8),
            let comma = reason.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let rest = reason.utf8[comma...].dropFirst(2)
        guard rest.starts(with: words) else { return nil }
        let digits = rest.dropFirst(words.count).prefix { (0x30...0x39).contains($0) }
        return String(decoding: digits, as: UTF8.self).nonempty
    }
}

extension PageWriter {
    /// Says that a code cannot have the picture of the site, with the reason of the API.
    fileprivate mutating func logoRefusal(_ reason: String) {
        words(.logoRefused)
        raw(" ")
        if let own = APISentence.words(setting.language, fact: reason) {
            value(own)
        } else {
            foreign(reason)
        }
    }

    /// The picture of a code, which is dark on white in dark mode, too.
    mutating func codePicture(_ path: PagePath, of url: String) {
        raw("<img width=\"200\" height=\"200\"")
        attribute("src", path.text(below: setting.base))
        attribute("alt", filled(.codeOf, ["url": url]))
        raw(">\n")
    }
}
