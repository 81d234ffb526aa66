import Associations
import Diagnostics

extension PageExamination {
    var imageResults: [ItemResult] {
        [
            image, imageAddress, imageServed, imageFormat, imageSize, imageDimensions, imageBytes,
            imageAlternative, imageOnce, imageCaching,
        ]
    }

    private static let noPicture = "there is no og:image"
    private static let notRead = "the picture is not at hand"

    private var image: ItemResult {
        picture.map { ReportItem.image.pass(quoted($0.address)) }
            ?? ReportItem.image.required("there is none")
    }

    private var imageAddress: ItemResult {
        let item = ReportItem.imageAddress
        guard let picture else { return item.notApplicable(Self.noPicture) }
        let said = quoted(picture.address)
        guard let scheme = scheme(of: Array(picture.address.utf8)) else {
            return item.required("\(said) is relative")
        }
        guard scheme == "https" else { return item.required("\(said) is not https") }
        return picture.url == nil ? item.required("\(said) is no address") : item.pass("https")
    }

    private var imageServed: ItemResult {
        let item = ReportItem.imageServed
        guard let picture else { return item.notApplicable(Self.noPicture) }
        guard let file = picture.file else { return item.notApplicable(Self.notRead) }
        guard let file else { return item.required("the file does not exist") }
        guard file.isThere else { return item.required("\(file.response?.status ?? 0)") }
        if let type = file.response?["Content-Type"], !isPictureType(type) {
            return item.required("it is answered with \(quoted(type))")
        }
        return item.pass("\(file.bytes.count) bytes")
    }

    private var imageFormat: ItemResult {
        let item = ReportItem.imageFormat
        guard let picture else { return item.notApplicable(Self.noPicture) }
        if pictureFile != nil {
            guard let header = picture.header else {
                return item.required("the file is no picture that previews draw")
            }
            return isDrawn(header.format)
                ? item.pass(header.format.rawValue)
                : item.required("the file is \(header.format.rawValue)")
        }
        let declared = page.meta("og:image:type")?.content.lowercased()
        let path = (picture.url?.path ?? picture.address).lowercased()
        let isSVG =
            declared?.utf8.starts(with: "image/svg".utf8)
            ?? path.utf8.suffix(4).elementsEqual(".svg".utf8)
        if isSVG { return item.required("it is SVG") }
        return declared.map { item.pass("\(quoted($0)), as declared") }
            ?? item.notApplicable(Self.notRead)
    }

    /// The image's file, if it exists and is served as such.
    private var pictureFile: FetchedFile? {
        guard let file = picture?.file.flatMap(\.self), file.isThere else { return nil }
        return file.response?["Content-Type"].map(isPictureType) ?? true ? file : nil
    }

    private func isPictureType(_ type: String) -> Bool {
        let type = type.lowercased().utf8
        return type.starts(with: "image/".utf8) || type.starts(with: "application/octet".utf8)
    }

    private func isDrawn(_ format: ImageHeader.Format) -> Bool {
        [.png, .jpeg, .gif, .webP].contains(format)
    }

    private var imageSize: ItemResult {
        let item = ReportItem.imageSize
        guard let picture else { return item.notApplicable(Self.noPicture) }
        guard let (width, height, isRead) = picture.size else {
            return item.notApplicable("\(Self.notRead), and its size is not declared")
        }
        let evidence = "\(width)×\(height), " + (isRead ? "read from the file" : "as declared")
        if width < 200 || height < 200 {
            return item.required("\(evidence): Facebook takes none under 200×200")
        }
        if width < 900 { return item.recommended("\(evidence): Messages wants 900 wide") }
        return width < 1_200 || height < 630 ? item.recommended(evidence) : item.pass(evidence)
    }

    private var imageDimensions: ItemResult {
        let item = ReportItem.imageDimensions
        guard let picture else { return item.notApplicable(Self.noPicture) }
        guard let width = picture.declaredWidth, let height = picture.declaredHeight, width > 0,
            height > 0
        else {
            let isThere = page.meta("og:image:width") != nil && page.meta("og:image:height") != nil
            return isThere
                ? item.required("they are no whole numbers of pixels")
                : item.recommended("they are not given")
        }
        let evidence = "\(width)×\(height)"
        guard let header = picture.header, let realWidth = header.width,
            let realHeight = header.height, (realWidth, realHeight) != (width, height)
        else { return item.pass(evidence) }
        return item.recommended("\(evidence) are given, the file has \(realWidth)×\(realHeight)")
    }

    private var imageBytes: ItemResult {
        let item = ReportItem.imageBytes
        guard picture != nil else { return item.notApplicable(Self.noPicture) }
        guard let pictureFile else { return item.notApplicable(Self.notRead) }
        let count = pictureFile.bytes.count
        if count > 5 * 1_048_576 {
            return item.required("\(count) bytes: X and LinkedIn take 5 MB")
        }
        return count > 600 * 1_024
            ? item.recommended("\(count) bytes: WhatsApp takes 600 KB")
            : item.pass("\(count) bytes")
    }

    private var imageAlternative: ItemResult {
        let item = ReportItem.imageAlternative
        guard picture != nil else { return item.notApplicable(Self.noPicture) }
        guard let text = (page.meta("og:image:alt") ?? page.meta("twitter:image:alt"))?.content
        else { return item.recommended("there is none") }
        let count = characterCount(text)
        return count <= 420
            ? item.pass(quoted(text)) : item.recommended("\(count) characters, may have 420")
    }

    private var imageOnce: ItemResult {
        let item = ReportItem.imageOnce
        guard picture != nil else { return item.notApplicable(Self.noPicture) }
        let count = page.metas("og:image").count
        return count <= 1 ? item.pass("one") : item.recommended("there are \(count)")
    }

    private var imageCaching: ItemResult {
        let item = ReportItem.imageCaching
        guard picture != nil else { return item.notApplicable(Self.noPicture) }
        guard let response = pictureFile?.response else {
            return item.notApplicable("there is no response with the picture")
        }
        let directive = response["Cache-Control"] ?? ""
        let age = maxAge(directive)
        guard let age, age >= 3_600 else {
            return item.recommended(
                directive.utf8.isEmpty
                    ? "there is no Cache-Control" : "it says \(quoted(directive))")
        }
        guard response["ETag"] != nil else { return item.recommended("there is no ETag") }
        return item.pass("\(quoted(directive)), with an ETag")
    }

    private func maxAge(_ directive: String) -> Int? {
        for part in directive.lowercased().utf8.split(separator: UInt8(ascii: ",")) {
            let words = trimmed(String(decoding: part, as: UTF8.self))
            if words.utf8.starts(with: "max-age=".utf8) {
                return Int(String(decoding: words.utf8.dropFirst(8), as: UTF8.self))
            }
        }
        return nil
    }
}
