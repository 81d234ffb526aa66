internal import Markup
internal import Mustache

/// A landing page of one shape as the templates lay it out: bytes, and places for values. What
/// Mustache decides is decided here, so that a page is written by filling in its values.
struct Arrangement: Sendable {
    enum Piece: Sendable {
        case markup([UInt8])
        case slot(PageSlot)
        /// A text of the page's language, by name.
        case text(String)
    }

    let pieces: [Piece]

    init(_ shape: PageShape, _ library: MustacheLibrary, textNames: Set<String>) {
        let html = library.render(
            Self.context(shape, textNames: textNames), withTemplate: Theme.landingName)
        pieces = Self.pieces(Array((html ?? "").utf8))
    }

    /// What sections ask for; values are their own names, which the content type makes into places.
    private static func context(_ shape: PageShape, textNames: Set<String>) -> [String: Any] {
        var context = [String: Any]()
        for flag in PageFlag.allCases { context[flag.name] = shape.has(flag) }
        for slot in PageSlot.allCases where shape.has(slot) {
            let value = slot.kind == .markup ? HoleContentType.hole(slot.name) : slot.name
            let path = slot.name.utf8.split(separator: UInt8(ascii: ".")).map {
                String(Substring($0))
            }
            guard path.count > 1 else {
                context[slot.name] = value
                continue
            }
            var members = context[path[0]] as? [String: Any] ?? [:]
            members[path[1]] = value
            context[path[0]] = members
        }
        let texts = textNames.map { ($0, "texts.\($0)" as Any) }
        context["texts"] = Dictionary(texts) { first, _ in first }
        return context
    }

    private static func pieces(_ html: [UInt8]) -> [Piece] {
        var pieces = [Piece]()
        var done = 0
        while let start = place(of: HoleContentType.start, in: html, from: done),
            let end = place(of: HoleContentType.end, in: html, from: start.upperBound)
        {
            pieces.append(.markup(Array(html[done..<start.lowerBound])))
            let name = String(decoding: html[start.upperBound..<end.lowerBound], as: UTF8.self)
            if let slot = PageSlot.byName[name] {
                pieces.append(.slot(slot))
            } else {
                pieces.append(.text(String(Substring(name.utf8.dropFirst("texts.".utf8.count)))))
            }
            done = end.upperBound
        }
        return pieces + [.markup(Array(html[done...]))]
    }

    /// Most of a page is neither, so that looking for the first byte is what counts.
    private static func place(
        of mark: [UInt8], in html: [UInt8], from start: Int
    ) -> Range<Int>? {
        var rest = html[start...]
        while let first = rest.firstIndex(of: mark[0]) {
            if rest[first...].starts(with: mark) { return first..<first + mark.count }
            rest = rest[(first + 1)...]
        }
        return nil
    }
}

/// What templates write instead of a value: its name, between two scalars that no template may
/// hold. Values never pass through the template engine; they are escaped, byte by byte, when they
/// are put there.
struct HoleContentType: MustacheContentType {
    static let name = "WAYMARK"
    static let start = Array("\u{E000}".utf8)
    static let end = Array("\u{E001}".utf8)

    static func hole(_ name: String) -> String { "\u{E000}\(name)\u{E001}" }

    func escapeText(_ text: String) -> String { Self.hole(text) }
}
