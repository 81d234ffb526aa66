private import Diagnostics
private import JSONSyntax
private import Markup
private import TLS
private import URISyntax

/// The page of a link, or of one as it is typed, in a frame of the preview. It is the answer of the server without its scripts, and takes no
/// taps. The browser keeps it apart from the console (`sandbox`), and it is light or dark as the query says.
struct FramedPage {
    let request: ConsoleRequest
    let api: ConsoleAPI

    var response: ConsoleResponse {
        guard let page = served, page.isHTML else { return missing }
        let isDark = request.item("scheme")?.isScalarwise("dark") == true
        let content = Self.framed(page, isDark: isDark)
        return framed(
            ConsoleResponse(200, type: page.type, content), policy: Self.policy(of: page, content))
    }

    /// The answer for no page. In a frame of a preview that was made before the link was saved, there is nothing to see.
    private var missing: ConsoleResponse {
        guard !request.isTopLevel else { return request.notice(.notFound) }
        return framed(
            ConsoleResponse(404, type: "text/plain; charset=utf-8", []),
            policy: "sandbox; default-src 'none'; frame-ancestors 'self'")
    }

    /// An answer that a frame of the console shows.
    private func framed(_ answer: ConsoleResponse, policy: String) -> ConsoleResponse {
        var response = answer
        response.fields.removeAll {
            [
                "Content-Security-Policy", "X-Frame-Options", "Cross-Origin-Opener-Policy",
            ].contains($0.name)
        }
        response.fields += [
            ("Content-Security-Policy", policy), ("X-Frame-Options", "SAMEORIGIN"),
        ]
        return response
    }

    /// The page that the request asks for. Nil where the API explains no such link to the person, and where the answer is a file, which
    /// can be of any size.
    private var served: ServedPage? {
        let (client, language) = (request.item("as") ?? "", request.item("in") ?? "")
        if let draft = request.item("draft") { return served(draft, client, language) }
        let url = request.item("url") ?? ""
        let explained = api.ask("GET", ["explain"], query: [("url", url), ("as", client)])
        guard explained.isSuccess, explained.json?["answer"]?["page"]?.text == "landing" else {
            return nil
        }
        return api.page(url, as: client, in: language)
    }

    /// The page of a link as it is typed. A frame alone shows it: with its path, anybody could show anything under the console's name.
    private func served(_ text: String, _ client: String, _ language: String) -> ServedPage? {
        guard request.person.mayEdit, !request.isTopLevel, !client.utf8.contains(0x2C),
            let draft = LinkDraft(text, id: request.item("id"))
        else { return nil }
        let explained = draft.explained(api, as: [client])
        guard explained.isSuccess, let json = explained.json, let link = json["link"],
            json["explanations"]?.elements?.first?["answer"]?["page"]?.text == "landing",
            let time = json["at"]?.text.flatMap({ try? Timestamp($0) })
        else { return nil }
        return api.page(
            json["url"]?.text ?? "", as: client, in: language,
            ServedPage.Draft(link: link, time: time.seconds))
    }

    /// The page with the address of its site, and in one scheme of colours whatever the browser prefers.
    private static func framed(_ page: ServedPage, isDark: Bool) -> [UInt8] {
        var content = quiet(page.content)
        for (scheme, isTaken) in [("dark", isDark), ("light", !isDark)] {
            for blank in ["", " "] {
                content = replacing(
                    Array("(prefers-color-scheme:\(blank)\(scheme))".utf8), in: content,
                    with: Array((isTaken ? "(min-width:0)" : "(max-width:0)").utf8))
            }
        }
        var base = MarkupWriter(capacity: 128)
        base.raw("<head><base")
        base.attribute("href", page.origin + "/")
        base.raw(">")
        return replacing(Array("<head>".utf8), in: content, with: base.bytes, isOnce: true)
    }

    /// The page without its scripts, with a body that takes no tap and no key: where its links lead, no frame of the console may go.
    private static func quiet(_ content: [UInt8]) -> [UInt8] {
        var (result, isScript) = ([UInt8](), false)
        result.reserveCapacity(content.count)
        for token in HTMLTokenizer(content) {
            switch token.kind {
            case .startTag(let tag) where tag.name == "script": isScript = true
            case .endTag("script"): isScript = false
            case .text where isScript: break
            case .startTag(let tag) where tag.name == "body":
                result += "<body inert".utf8
                result += content[token.range].dropFirst("<body".utf8.count)
            default: result += content[token.range]
            }
        }
        return result
    }

    /// Each byte is compared with few others, for the texts begin with a character that is rare in them.
    private static func replacing(
        _ text: [UInt8], in content: [UInt8], with other: [UInt8], isOnce: Bool = false
    ) -> [UInt8] {
        var (result, rest) = ([UInt8](), content[...])
        result.reserveCapacity(content.count + other.count)
        while let start = rest.firstIndex(of: text[0]) {
            result += rest[..<start]
            rest = rest[start...]
            if rest.starts(with: text) {
                result += other
                rest = rest.dropFirst(text.count)
                if isOnce { break }
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }

    /// The policy of the page without its scripts, for pictures of the same hosts, with its styles as they are now.
    private static func policy(of page: ServedPage, _ content: [UInt8]) -> String {
        var pictures = [String]()
        for directive in page.policy.utf8.split(separator: UInt8(ascii: ";")) {
            let words = directive.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            guard words.first == "img-src" else { continue }
            pictures = words.dropFirst().map { $0 == "'self'" ? page.origin : $0 }
        }
        var directives = ["sandbox", "default-src 'none'"]
        let styles = styles(of: content)
        // All fields of an answer together have 8,192 bytes.
        if !styles.isEmpty { directives.append("style-src \(styles.joined(separator: " "))") }
        if !pictures.isEmpty { directives.append("img-src \(pictures.joined(separator: " "))") }
        directives += [
            "base-uri \(page.origin)", "form-action 'none'", "frame-ancestors 'self'",
        ]
        return directives.joined(separator: "; ")
    }

    private static let stylesMax = 32

    /// The hashes of the first styles of a page.
    private static func styles(of content: [UInt8]) -> [String] {
        var (hashes, isStyle) = ([String](), false)
        for token in HTMLTokenizer(content) {
            if case .text = token.kind, isStyle, hashes.count < stylesMax {
                hashes.append("'sha256-\(base64(sha256(Array(content[token.range]))))'")
            }
            isStyle = false
            if case .startTag(let tag) = token.kind { isStyle = tag.name == "style" }
        }
        return hashes
    }
}
