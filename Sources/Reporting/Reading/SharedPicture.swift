import Associations

/// The image that previews show: the first `og:image` and its properties.
struct SharedPicture {
    /// As the page writes it.
    let address: String
    let url: LinkURL?
    /// The file, if it is on the page's own host; the outer nil if it was not given.
    let file: FetchedFile??
    let header: ImageHeader?
    let declaredWidth: Int?
    let declaredHeight: Int?

    init?(_ page: PageReading, _ base: LinkURL?, _ input: ReportInput) {
        guard let meta = page.meta("og:image") ?? page.meta("og:image:url") else { return nil }
        address = meta.content
        url = resolve(meta.content, against: base)
        file = url.flatMap { input.resources[$0.pageAddress] }
        header = file.flatMap(\.self).flatMap { ImageHeader($0.bytes) }
        declaredWidth = page.meta("og:image:width").flatMap { Int($0.content) }
        declaredHeight = page.meta("og:image:height").flatMap { Int($0.content) }
    }

    /// The size in pixels, and whether it comes from the file itself.
    var size: (width: Int, height: Int, isRead: Bool)? {
        if let header, let width = header.width, let height = header.height {
            return (width, height, true)
        }
        guard let declaredWidth, let declaredHeight else { return nil }
        return (declaredWidth, declaredHeight, false)
    }
}
