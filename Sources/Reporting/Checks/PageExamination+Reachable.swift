import Associations
import Diagnostics

extension PageExamination {
    var reachable: [ItemResult] {
        [
            status, redirects, metaRefresh, https, contentType, characterEncoding, pageSize,
            headSize, headIntact, contentWithoutScript, sameForPeople, compression,
        ]
    }

    /// The evidence of items that need a response.
    static let noResponse = "a file has no response; a URL with --config has one"

    private var status: ItemResult {
        guard let exchange = input.exchange else {
            return ReportItem.status.notApplicable(Self.noResponse)
        }
        switch exchange.response.status {
        case 200: return ReportItem.status.pass("200 for \(exchange.client)")
        case 401, 403, 407:
            return ReportItem.status.required(
                "\(exchange.response.status): who has no account gets no page")
        case 300..<400:
            return ReportItem.status.required(
                "\(exchange.response.status) to "
                    + quoted(exchange.response["Location"] ?? "nowhere")
                    + ", which is not answered here")
        case let other:
            return ReportItem.status.required(
                "\(other) for \(exchange.client)",
                fix: "answer 200 with the page, or do not link to it")
        }
    }

    private var redirects: ItemResult {
        guard let exchange = input.exchange else {
            return ReportItem.redirects.notApplicable(Self.noResponse)
        }
        let chain = exchange.redirects.map { "\($0.status) to \(quoted($0.location))" }
            .joined(separator: ", then ")
        switch exchange.redirects.count {
        case 0: return ReportItem.redirects.pass("none")
        case 1: return ReportItem.redirects.pass(chain)
        default: return ReportItem.redirects.recommended(chain)
        }
    }

    private var metaRefresh: ItemResult {
        let tags = page.metas("refresh").filter { $0.kind == .equivalent }
        guard let tag = tags.first(where: { $0.content.lowercased().utf8.contains(0x3D) }) else {
            return ReportItem.metaRefresh.pass("none")
        }
        return ReportItem.metaRefresh.required("line \(tag.line): \(quoted(tag.content))")
    }

    private var https: ItemResult {
        guard let url else { return ReportItem.https.notApplicable(Self.noAddress) }
        return url.isSecure
            ? ReportItem.https.pass("\(url.host); its certificate is not looked at here")
            : ReportItem.https.required("\(quoted(url.description)) is plain HTTP")
    }

    static let noAddress = "the page's address is not known; say it with --url"

    private var contentType: ItemResult {
        guard let exchange = input.exchange else {
            return ReportItem.contentType.notApplicable(Self.noResponse)
        }
        let type = exchange.response["Content-Type"] ?? ""
        let essence = trimmed(
            String(decoding: type.utf8.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
        return ["text/html", "application/xhtml+xml"].contains(essence.lowercased())
            ? ReportItem.contentType.pass(type)
            : ReportItem.contentType.required(
                type.utf8.isEmpty ? "there is none" : "it is \(quoted(type))")
    }

    private var characterEncoding: ItemResult {
        guard page.isUTF8 else {
            return ReportItem.characterEncoding.required("the bytes are not UTF-8")
        }
        let header = input.exchange?.response["Content-Type"].flatMap(charsetName)
        if let header {
            return isUTF8(header)
                ? ReportItem.characterEncoding.pass("\(header), by the type")
                : ReportItem.characterEncoding.required("the type says \(quoted(header))")
        }
        guard let charset = page.charset else {
            return ReportItem.characterEncoding.recommended("nothing says which it is")
        }
        guard isUTF8(charset.name) else {
            return ReportItem.characterEncoding.required("a tag says \(quoted(charset.name))")
        }
        return charset.end <= 1_024
            ? ReportItem.characterEncoding.pass("\(charset.name), by a tag")
            : ReportItem.characterEncoding.recommended(
                "the tag ends at byte \(charset.end), programs look at 1,024")
    }

    private func isUTF8(_ name: String) -> Bool { ["utf-8", "utf8"].contains(name) }

    private var pageSize: ItemResult {
        let evidence = "\(page.byteCount) bytes"
        return page.byteCount <= Self.pageBytesMax
            ? ReportItem.pageSize.pass(evidence)
            : ReportItem.pageSize.required("\(evidence), at most \(Self.pageBytesMax) are read")
    }

    private var headSize: ItemResult {
        let evidence = "\(page.headBytes) bytes"
        return page.headBytes <= Self.headBytesMax
            ? ReportItem.headSize.pass(evidence)
            : ReportItem.headSize.recommended("\(evidence), at most \(Self.headBytesMax) are read")
    }

    private static let pageBytesMax = 1_048_576
    private static let headBytesMax = 300 * 1_024

    private var headIntact: ItemResult {
        let stranded = page.metas.filter { !$0.isInHead && Self.isShared($0.key) }
        guard let first = stranded.first else {
            return ReportItem.headIntact.pass("all of them stand in it")
        }
        let names = stranded.prefix(3).map { quoted($0.key) }.joined(separator: ", ")
        guard let end = page.headEnd else {
            return ReportItem.headIntact.recommended(
                "\(names) from line \(first.line) on stand in the body")
        }
        let what = end.element.map(tag) ?? "text"
        let position = end.isInNoScript ? " within <noscript>, for programs without scripts," : ""
        return ReportItem.headIntact.recommended(
            "\(what)\(position) ends the head in line \(end.line), before \(names)")
    }

    /// A start tag with this name, which can contain anything except spaces, slashes and brackets.
    private func tag(_ name: String) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
        let isPlain = name.utf8.count <= 32 && name.utf8.allSatisfy(letters.contains)
        return isPlain ? "<\(name)>" : quoted("<\(name)>")
    }

    private static func isShared(_ key: String) -> Bool {
        ["description", "robots", "apple-itunes-app"].contains(key)
            || ["og:", "al:", "twitter:"].contains { key.utf8.starts(with: $0.utf8) }
    }

    private var contentWithoutScript: ItemResult {
        page.textBytes > 0
            ? ReportItem.contentWithoutScript.pass("\(page.textBytes) bytes of text")
            : ReportItem.contentWithoutScript.recommended("the body has no text")
    }

    private var sameForPeople: ItemResult {
        let item = ReportItem.sameForPeople
        guard let exchange = input.exchange else { return item.notApplicable(Self.noResponse) }
        guard let other = input.counterpart else {
            return item.notApplicable("the others are sent elsewhere")
        }
        guard let difference = page.difference(from: other.page) else {
            return item.pass("\(exchange.client) and \(other.client) get the same")
        }
        return item.recommended("\(other.client) gets another \(difference)")
    }

    private var compression: ItemResult {
        guard let exchange = input.exchange else {
            return ReportItem.compression.notApplicable(Self.noResponse)
        }
        guard let encoding = exchange.encoding else {
            return ReportItem.compression.pass("not compressed")
        }
        return ["gzip", "x-gzip", "deflate", "identity"].contains(encoding.lowercased())
            ? ReportItem.compression.pass(encoding)
            : ReportItem.compression.required("\(quoted(encoding)) was not asked for")
    }
}
