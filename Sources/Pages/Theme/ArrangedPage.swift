internal import Markup

/// A landing page laid out, with what its security policy must allow of the templates' own.
struct ArrangedPage: Sendable {
    let pieces: [Arrangement.Piece]
    /// Sources of the templates' own styles and scripts, as a policy writes them.
    let styles: [String]
    let scripts: [String]
    /// Where the templates' own pictures are, beside this host.
    let imageOrigins: [String]

    init(_ arrangement: Arrangement, _ digest: ([UInt8]) -> [UInt8]) {
        pieces = arrangement.pieces
        var html = [UInt8]()
        for case .markup(let bytes) in pieces { html += bytes }
        var (styles, scripts, origins) = ([String](), [String](), [String]())
        var element = ""
        for token in HTMLTokenizer(html) {
            switch token.kind {
            case .startTag(let tag):
                element = tag.name
                let source = tag.name == "img" ? tag["src"].flatMap { PageURL($0) } : nil
                if let origin = source?.origin { origins.append(origin) }
            case .text(let text) where element == "style":
                styles.append(SecurityPolicy.source(of: text, digest))
            case .text(let text) where element == "script":
                scripts.append(SecurityPolicy.source(of: text, digest))
            default: element = ""
            }
        }
        (self.styles, self.scripts, imageOrigins) = (styles, scripts, origins)
    }
}
