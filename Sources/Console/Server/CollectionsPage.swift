private import JSONSyntax
private import Markup

/// The collections that links can be made in, as the configuration has them, and the files that their hosts publish.
struct CollectionsPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    private static let files: [(path: MarkupLiteral, text: ConsoleText)] = [
        ("/.well-known/apple-app-site-association", .appleFile),
        ("/.well-known/assetlinks.json", .androidFile),
    ]

    var response: ConsoleResponse {
        let answer = api.ask("GET", ["collections"])
        guard answer.isSuccess else { return Console.refusal(answer, of: request) }
        let all = answer.json?["collections"]?.elements ?? []
        return ServerPage(request: request, tab: .collections).response { page in
            page.element("p", .collectionsLead)
            guard !all.isEmpty else { return page.hint(.noCollection) }
            for collection in all { write(collection, &page) }
        }
    }

    private func write(_ collection: JSONValue, _ page: inout PageWriter) {
        let name = collection["name"]?.text ?? ""
        let prefix = collection["prefix"]?.text ?? ""
        page.raw("<section>\n")
        page.element("h2", value: name)
        page.raw("<dl>\n")
        page.fact(.begins, prefix)
        let rules = collection["destinations"]?.elements?.compactMap(\.text) ?? []
        page.write("<dt>\(.allowedDestinations)</dt><dd>")
        let words = rules.map { rule in
            switch rule {
            case "*": page.filled(.anywhere)
            case "store": page.filled(.actionStore)
            default: rule
            }
        }
        page.write("\(words.joined(separator: ", "))</dd>\n")
        let apps = collection["apps"]?.elements?.compactMap(\.text) ?? []
        page.fact(.opensInApps, apps.isEmpty ? page.filled(.noApp) : apps.joined(separator: ", "))
        page.write("<dt>\(.publishedFiles)</dt><dd>")
        let authority = prefix.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        if authority.count == 4 {
            let host = String(decoding: authority[2], as: UTF8.self)
            for (index, file) in Self.files.enumerated() {
                if index > 0 { page.raw("<br>") }
                page.write("<a rel=\"noreferrer\" href=\"https://\(host)\(file.path.text)\">")
                page.write("\(file.text)</a>")
            }
        }
        page.raw("</dd>\n</dl>\n<p>")
        page.link(PagePath("links").with("collection", name), .itsLinks)
        page.raw("</p>\n</section>\n")
    }
}

extension PageWriter {
    /// A name and a value of a list.
    mutating func fact(_ name: ConsoleText, _ text: String) {
        write("<dt>\(name)</dt><dd>\(text)</dd>\n")
    }
}
