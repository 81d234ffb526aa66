import Diagnostics
import URISyntax

extension PageExamination {
    var iconResults: [ItemResult] { [touchIcon, favicon] }

    /// An icon that a tag of the page names, or that browsers request without a tag.
    private enum Icon {
        /// It is not at hand.
        case unread
        case missing
        case noPicture
        case picture(ImageHeader)
    }

    private func icon(_ href: String) -> Icon {
        guard let file = resolve(href, against: base).flatMap({ input.resources[$0.pageAddress] })
        else { return .unread }
        guard let file, file.isThere else { return .missing }
        return ImageHeader(file.bytes).map(Icon.picture) ?? .noPicture
    }

    private var touchIcon: ItemResult {
        let item = ReportItem.touchIcon
        let tags = page.links("apple-touch-icon") + page.links("apple-touch-icon-precomposed")
        let href = tags.first?["href"] ?? "/apple-touch-icon.png"
        switch icon(href) {
        case .picture(let header):
            guard let width = header.width, let height = header.height else {
                return item.recommended("\(quoted(href)) is \(header.format.rawValue)")
            }
            let evidence = "\(width)×\(height), read from \(quoted(href))"
            return min(width, height) >= 108 ? item.pass(evidence) : item.recommended(evidence)
        case _ where tags.isEmpty: return item.recommended("the page names none")
        case .missing: return item.recommended("\(quoted(href)) is not there")
        case .noPicture: return item.recommended("\(quoted(href)) is no picture")
        case .unread: break
        }
        let sizes = tags.flatMap { $0.words("sizes") }.compactMap(iconWidth)
        if let largest = sizes.max(), largest < 108 {
            return item.recommended("\(largest) pixels, as declared")
        }
        return item.pass("\(quoted(href)), which is not at hand")
    }

    private func iconWidth(_ sizes: String) -> Int? {
        Int(String(decoding: sizes.utf8.prefix(while: \.isDigit), as: UTF8.self))
    }

    private var favicon: ItemResult {
        let item = ReportItem.favicon
        let href = page.links("icon").first?["href"]
        let name = quoted(href ?? "/favicon.ico")
        switch icon(href ?? "/favicon.ico") {
        case .picture: return item.pass(name)
        case .missing: return item.recommended("\(name) is not there")
        case .noPicture: return item.recommended("\(name) is no picture")
        case .unread:
            return href == nil ? item.recommended("the page names none") : item.pass(name)
        }
    }
}
