private import Diagnostics
private import JSONSyntax
private import Markup

/// The codes of several links on pages to be printed: of those that were selected in the list, or of the first ones of a list.
struct CodesPage {
    let request: ConsoleRequest
    private let api: ConsoleAPI
    /// Nil where nothing was selected.
    private let answer: ConsoleAPI.Answer?
    /// Whether the order that was asked for is that of visits, which cannot be read now.
    private var lacksVisits = false
    private let links: [LinkWords]
    /// The numbers of links without a code, and of those that were selected beyond what one file has.
    private let missing: (gone: Int, others: Int)
    /// The side that was refused.
    private var refusedSide: String?
    /// The reason of the API.
    private var sideReason: String?

    /// As many as the API draws at once.
    private static let most = 100
    private static let filters = LinksPage.filters + ["order"]

    init(_ request: ConsoleRequest, _ api: ConsoleAPI) {
        (self.request, self.api) = (request, api)
        let ids = Self.ids(request)
        let own = ids.prefix(Self.most)
        let named = own.filter(Self.isID)
        if !named.isEmpty {
            answer = api.ask(
                "GET", ["links"],
                query: [("id", named.joined(separator: ",")), ("limit", "\(Self.most)")])
        } else if Self.isSelection(request) {
            answer = nil
        } else {
            let list = LinksPage.list(
                request, api, ListView(request).order, limit: Self.most, isFirst: true)
            (answer, lacksVisits) = (list.answer, list.lacksVisits)
        }
        let found = (answer?.json?["links"]?.elements ?? []).map {
            LinkWords($0, now: request.now)
        }
        links = found.filter { $0.state != .unserved && $0.state != .deleted }
        let asked = ids.isEmpty ? found.count : own.count
        missing = (max(0, asked - links.count), ids.count - own.count)
    }

    private static func ids(_ request: ConsoleRequest) -> [String] {
        var seen = Set<[UInt8]>()
        return request.query.filter {
            $0.name == "id" && seen.insert(Array($0.value.utf8)).inserted
        }
        .map(\.value)
    }

    /// Whether a text has the form of a link's identity. No link has another, and the API refuses all of them then.
    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { place, byte in
                if [8, 13, 18, 23].contains(place) { return byte == UInt8(ascii: "-") }
                return switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
                default: false
                }
            }
    }

    /// Whether the form for selected links was sent.
    private static func isSelection(_ request: ConsoleRequest) -> Bool {
        request.item("do") != nil || !ids(request).isEmpty
    }

    /// The file that the form asks for.
    var file: ConsoleResponse {
        // Other links than those of the page would be printed unseen, and codes of a selection would be missing unsaid.
        let isWhole = missing.gone == 0 || !Self.isSelection(request)
        guard !links.isEmpty, !lacksVisits, isWhole else { return response }
        let side = LinkCode.side(request)
        let ids = links.map(\.id).joined(separator: ",")
        let drawn = api.ask("GET", ["links:qr"], query: [("id", ids), ("mm", side)])
        guard drawn.isSuccess else {
            guard drawn.status == 400 else { return request.notice(.init(drawn)) }
            var page = self
            page.refusedSide = side
            let detail = drawn.json?["detail"]?.text ?? ""
            page.sideReason = LinkCode.least(detail) == nil ? nil : detail
            return page.response
        }
        // The API has taken the side, so it is digits.
        return .file("codes-\(links.count)-\(side)mm.pdf", drawn)
    }

    var response: ConsoleResponse {
        if let answer, !answer.isSuccess { return request.notice(.init(answer)) }
        var frame = PageFrame(
            title: ConsoleText.codesForPrint(request.setting.language), person: request.person,
            section: .links)
        if refusedSide != nil { (frame.status, frame.isRefused) = (400, true) }
        return frame.response(request.setting) { page in
            page.write("<p class=\"back\">\(link: list, .allLinks)</p>\n")
            page.element("h1", .codesForPrint)
            if lacksVisits { page.hint(.visitsUnavailable) }
            writeMissing(&page)
            guard !links.isEmpty else {
                return page.empty(.noCodes) { $0.element("p", .noCodesHint) }
            }
            page.raw("<p>")
            page.words(.codesLead, ["count": page.counted(links.count, .oneLink, .severalLinks)])
            page.raw("</p>\n")
            if answer?.after != nil {
                page.remark { $0.element("p", .codesAreCut, ["most": "\(Self.most)"]) }
            }
            writeForm(&page)
            writeLinks(&page)
        }
    }

    /// Says which links that were asked for are not there, and why.
    private func writeMissing(_ page: inout PageWriter) {
        for (count, text) in [
            (missing.gone, ConsoleText.codesAreGone), (missing.others, .codesAreTooMany),
        ] where count > 0 {
            let links = page.counted(count, .oneLink, .severalLinks)
            page.remark { $0.element("p", text, ["count": links, "most": "\(Self.most)"]) }
        }
    }

    /// The list from which somebody has come.
    private var list: PagePath {
        (PageWriter.bulkFilters).reduce(PagePath("links")) { path, name in
            path.with(name, request.item("filter.\(name)") ?? request.item(name))
        }
    }

    private func writeForm(_ page: inout PageWriter) {
        page.raw("<form method=\"get\" class=\"stack\"")
        page.attribute("action", PagePath("codes.pdf").text(below: page.setting.base))
        page.raw(">\n")
        if Self.isSelection(request) {
            for link in links { page.hidden("id", link.id) }
        } else {
            for name in Self.filters where name != "order" || !lacksVisits {
                if let value = request.item(name) { page.hidden(name, value) }
            }
        }
        writeFault(&page)
        page.sideFields(.sheetSideHint, refused: refusedSide)
        page.write("<p class=\"buttons\"><button>\(.codesAsPDF)</button></p></form>\n")
    }

    private func writeFault(_ page: inout PageWriter) {
        guard refusedSide != nil else { return }
        page.raw("<p class=\"fault\" id=\"errors\" tabindex=\"-1\" role=\"alert\">")
        if let sideReason, let least = LinkCode.least(sideReason) {
            page.write("\(.sideTooSmall) \(.sideLeast, ["least": least])")
        } else {
            page.words(.sheetSideRefused)
        }
        page.raw("</p>\n")
    }

    private func writeLinks(_ page: inout PageWriter) {
        page.element("h2", .links)
        page.raw("<ul class=\"list\">\n")
        for link in links {
            page.raw("<li>")
            page.linkName(link)
            page.raw("</li>\n")
        }
        page.raw("</ul>\n")
    }
}
