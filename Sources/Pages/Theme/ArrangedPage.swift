internal import Markup

/// The layout of a landing page, and what its security policy must allow for the templates' own
/// styles, scripts and images.
struct ArrangedPage: Sendable {
    let pieces: [Arrangement.Piece]
    /// The sources of the templates' own styles and scripts, in the policy's form.
    let styles: [String]
    let scripts: [String]
    /// The hosts of the templates' own images, other than this host.
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
