import Diagnostics
private import Files

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

    /// Reads the manifest of an Android app. The site is served without it, too.
    func manifest(_ value: Value?, into findings: inout Findings) -> ManifestFile? {
        guard let file = reference(value) else { return nil }
        do throws(FileError) {
            let content = try readFileOfItsDirectory(file.path, bytesMax: ManifestFile.bytesMax)
            return ManifestFile(file: file, bytes: content.bytes)
        } catch {
            findings.warning(
                .fileUnreadable, at: file.position,
                "\(quotedPath(file.path)) cannot be read, so what the app opens is not known: "
                    + error.words(at: file.path),
                advice: error.linkCure(at: file.path)
                    ?? "write the path of the app's AndroidManifest.xml")
            return ManifestFile(file: file, bytes: nil)
        }
    }
}
