import Diagnostics
import QRCodes

/// The picture that codes of a site's links can have in the middle, which is the site's icon.
package final class CodeLogo: Equatable, Sendable {
    /// The path of the public file.
    private let path: String
    /// The number of its bytes.
    let bytes: Int
    private let content: @Sendable () -> [UInt8]?

    /// The largest picture.
    package static let bytesMax = LogoImage.bytesMax
    /// The most of a code's side that it has.
    private static let percentMax = 25

    /// - Parameter content: the bytes of the file, which may be read now; nil if they cannot be.
    package init(_ path: String, bytes: Int = 0, content: @escaping @Sendable () -> [UInt8]?) {
        (self.path, self.bytes, self.content) = (path, bytes, content)
    }

    /// The picture in the middle of a code, beneath which each of its blocks stays correctable.
    func placed(on code: QRCode) throws(Problem) -> QRPicture.Logo {
        guard let bytes = content() else {
            // This is not a failure of the store, after which clients ask again.
            throw Problem(
                .query,
                "logo is true, and the site's icon \(quoted(path)) cannot be read, or has more than \(Self.bytesMax) bytes"
            )
        }
        guard let image = LogoImage(bytes) else {
            throw Problem(
                .query,
                "logo is true, and the site's icon \(quoted(path)) is "
                    + (LogoImage.kind(of: bytes) ?? "neither a PNG nor an SVG document")
                    + ": a code can have a PNG or an SVG document in the middle")
        }
        guard let square = code.logo(percentMax: Self.percentMax) else {
            throw Problem(.query, "logo is true, and this code has no room for one: leave it out")
        }
        return QRPicture.Logo(square, image)
    }

    /// - Returns: the reason for which a PDF cannot have the picture; nil if it can.
    func obstacleToPDF() -> String? {
        content().flatMap { LogoImage($0) }?.obstacleToPDF.map { fact, advice in
            "format is pdf, and the site's icon \(quoted(path)) \(fact): \(advice), or ask for an SVG"
        }
    }

    package static func == (left: CodeLogo, right: CodeLogo) -> Bool { left === right }
}
