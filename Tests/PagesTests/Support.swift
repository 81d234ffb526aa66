import Markup
import Pages
import SiteConfiguration

/// A model that has everything, each value taken from one function.
func fullModel(_ value: (String) -> String = { $0 }) -> PageModel {
    var model = PageModel(title: value("A title"), url: "https://e.com/a")
    model.description = value("About it")
    model.alternates = [.init(language: "de", url: "https://e.com/de/a")]
    model.siteName = value("Shop")
    model.twitterSite = value("@shop")
    model.type = value("video.other")
    var image = PageImage("https://e.com/i.jpg")
    (image.widthPixels, image.heightPixels, image.type) = (1200, 630, value("image/jpeg"))
    image.alt = value("A picture")
    model.image = image
    var video = PageVideo("https://e.com/v.mp4")
    (video.widthPixels, video.heightPixels, video.type) = (1280, 720, value("video/mp4"))
    (video.duration, video.uploaded) = (value("PT4M12S"), value("2016-03-11T00:00:00Z"))
    model.video = video
    var app = PageModel.App(name: value("Shop App"))
    (app.appStoreIdentifier, app.androidPackage) = ("412366298", value("com.e.shop"))
    app.scheme = "shop"
    model.app = app
    (model.icons.icon, model.icons.touchIcon) = ("/icon.png", "/touch.png")
    model.icons.manifest = "/manifest.webmanifest"
    model.breadcrumbs = [
        .init(name: value("Home"), url: "https://e.com/"), .init(name: value("A"), url: nil),
    ]
    var organization = PageModel.Organization(name: value("Shop Ltd"))
    organization.sameAs = ["https://social.example/shop"]
    model.organization = organization
    model.schema = .type(value("Restaurant"))
    return model
}

/// What a program sees of a page: the elements with their attributes' names, and what is in them.
struct Outline: Equatable {
    var elements = [String]()
    var values = [String]()
    var texts = [String]()

    init(_ html: [UInt8]) {
        for token in HTMLTokenizer(html) {
            switch token.kind {
            case .startTag(let tag):
                let names = tag.attributes.map { " \($0.name)" }.joined()
                elements.append("<\(tag.name)\(names)>")
                values += tag.attributes.map(\.value)
            case .endTag(let name): elements.append("</\(name)>")
            case .text(let text): texts.append(text)
            case .comment: elements.append("comment")
            case .doctype(let name): elements.append("<!\(name)>")
            }
        }
    }
}

/// The elements of a head as `name = value`, in order.
func statements(_ html: [UInt8]) -> [String] {
    var result = [String]()
    var element = ""
    for token in HTMLTokenizer(html) {
        if case .text(let text) = token.kind, element == "title" || element == "script" {
            result.append("\(element) = \(text)")
            element = ""
        }
        guard case .startTag(let tag) = token.kind else { continue }
        element = tag.name
        if let name = tag["name"] ?? tag["property"] {
            result.append("\(name) = \(tag["content"] ?? "")")
        }
        if let relation = tag["rel"] {
            result.append(
                "\(relation)\(tag["hreflang"].map { " \($0)" } ?? "") = \(tag["href"] ?? "")")
        }
    }
    return result
}
