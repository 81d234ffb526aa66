import JSONSyntax

/// Reads a document of a provider: a JSON object in which no member is there twice, because two programs could read it
/// in two ways.
func providerDocument(
    _ bytes: [UInt8], _ document: OpenIDFault.Document, bytesMax: Int
) throws(OpenIDFault) -> JSONValue {
    guard bytes.count <= bytesMax else { throw .malformed(document) }
    let read = JSONDocument(bytes, file: "")
    guard read.diagnostics.isEmpty, let root = read.root, root.members != nil else {
        throw .malformed(document)
    }
    return root
}

extension JSONValue {
    /// The texts of a list, or the only text in place of one; nil for anything else.
    var texts: [String]? {
        if let text { return [text] }
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }

    /// A time in seconds since 1970 (RFC 7519 §2), which can have a fraction.
    var numericDate: Double? {
        guard case .number(let digits) = content, let number = Double(digits), number.isFinite,
            abs(number) < Double(1 << 53)
        else { return nil }
        return number
    }
}

/// Whether two texts are the same bytes. Canonical equivalence is none here.
func isSame(_ one: String?, _ other: String) -> Bool {
    one?.utf8.elementsEqual(other.utf8) ?? false
}
