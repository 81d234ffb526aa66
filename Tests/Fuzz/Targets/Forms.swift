import HTTPMessages

/// The parts of a form with files: what was read is the same when it is written as browsers write it.
@Sendable func readForm(_ bytes: [UInt8]) {
    let type = "multipart/form-data; boundary=b"
    guard let form = measure({ try? MultipartForm(bytes, type: type) }) else { return }
    var written = [UInt8]()
    for part in form.parts {
        func escaped(_ name: String) -> String { name.replacing("\"", with: "%22") }
        let file = part.fileName.map { "; filename=\"\(escaped($0))\"" } ?? ""
        let head = "Content-Disposition: form-data; name=\"\(escaped(part.name))\"\(file)"
        written += Array("--b\r\n\(head)\r\n\r\n".utf8) + part.content + Array("\r\n".utf8)
    }
    written += Array("--b--\r\n".utf8)
    require((try? MultipartForm(written, type: type))?.parts == form.parts, "it is read otherwise")
}
