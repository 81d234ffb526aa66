/// Reads the form of XML that aapt2 writes into Android App Bundles (Android, `Resources.proto`).
struct BundleXML {
    private let bytes: [UInt8]
    private var valuesLeft = AppFileLimits.valuesMax

    static func read(_ bytes: [UInt8]) throws(FormatFault) -> XMLNode {
        var reader = BundleXML(bytes: bytes)
        guard let root = try reader.node(bytes.indices, depth: 0) else { throw ProtoFields.damaged }
        return root
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Nil for a text.
    private mutating func node(_ range: Range<Int>, depth: Int) throws(FormatFault) -> XMLNode? {
        guard let element = try bytes.field(1, in: range) else { return nil }
        guard depth < AppFileLimits.depthMax else {
            throw FormatFault("has elements in more than \(AppFileLimits.depthMax) others")
        }
        let source = try bytes.field(3, in: range)
        let line = try source.flatMap { source throws(FormatFault) in
            try bytes.field(1, in: source.range)?.value
        }
        let place = TextPlace(line: max(1, line ?? 1), column: 1)
        try count()
        var node = XMLNode(
            name: bytes.text(try bytes.field(3, in: element.range)?.range ?? 0..<0), place: place)
        var fields = ProtoFields(bytes, element.range)
        while let field = try fields.next() {
            switch field.number {
            case 4:
                guard node.attributes.count < AppFileLimits.attributesMax else {
                    throw FormatFault.tooManyAttributes
                }
                node.attributes.append(try attribute(field.range, place))
            case 5:
                if let child = try self.node(field.range, depth: depth + 1) {
                    node.children.append(child)
                }
            default: break
            }
        }
        return node
    }

    private mutating func count() throws(FormatFault) {
        valuesLeft -= 1
        guard valuesLeft >= 0 else {
            throw FormatFault(
                "has a manifest with more than \(AppFileLimits.valuesMax) elements and attributes")
        }
    }

    private mutating func attribute(
        _ range: Range<Int>, _ place: TextPlace
    ) throws(FormatFault) -> XMLAttribute {
        try count()
        var (space, name, text, number, item) = ("", "", "", 0, Range<Int>?.none)
        var fields = ProtoFields(bytes, range)
        while let field = try fields.next() {
            switch field.number {
            case 1: space = bytes.text(field.range)
            case 2: name = bytes.text(field.range)
            case 3: text = bytes.text(field.range)
            case 5: number = field.value
            case 6: item = field.range
            default: break
            }
        }
        if let known = platformAttributes[number] { (space, name) = (androidNamespace, known) }
        let value = try item.flatMap { item throws(FormatFault) in
            try BundleValue(bytes, item)
        }
        var attribute = XMLAttribute(
            namespace: space, name: name, value: value?.text ?? withoutEscapes(text), place: place)
        if case .reference(let resource) = value {
            (attribute.isReference, attribute.resource) = (true, resource == 0 ? nil : resource)
        }
        return attribute
    }
}

/// A text of a manifest's source as aapt2 writes it into an APK: a backslash stands before a character
/// that means itself, or is `\n`, `\t` or `\uXXXX`.
func withoutEscapes(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var (result, scalars) = (String.UnicodeScalarView(), text.unicodeScalars[...])
    while let scalar = scalars.popFirst() {
        guard scalar == "\\" else {
            result.append(scalar)
            continue
        }
        guard let next = scalars.popFirst() else { break }
        switch next {
        case "n": result.append("\n")
        case "t": result.append("\t")
        case "u":
            let digits = scalars.prefix(4)
            guard digits.count == 4,
                let number = UInt32(String(digits), radix: 16),
                let scalar = Unicode.Scalar(number)
            else { continue }
            scalars = scalars.dropFirst(4)
            result.append(scalar)
        default: result.append(next)
        }
    }
    return String(result)
}
