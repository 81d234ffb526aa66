import Diagnostics

/// The directory in which the relative paths of a configuration begin, and the site for whose name
/// `{site}` stands.
struct PathBase {
    let directory: String
    /// Nil for what sites share, and for the only site.
    var siteName: String?

    /// The file or directory that a value names.
    func reference(_ value: Value?) -> FileReference? {
        guard let value, let text = value.text, !text.isEmpty else { return nil }
        let path = named(text)
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return FileReference(
            path: isAbsolute || directory == "." ? path : "\(directory)/\(path)",
            position: value.position)
    }

    /// A text with the name of the site in place of `{site}`.
    func named(_ text: String) -> String {
        guard let siteName else { return text }
        return text.replacing("{site}", with: siteName)
    }

    func certificate(_ value: Value) -> CertificateFiles? {
        guard let certificate = reference(value["certificate"]), let key = reference(value["key"])
        else { return nil }
        return CertificateFiles(certificate: certificate, key: key)
    }
}
