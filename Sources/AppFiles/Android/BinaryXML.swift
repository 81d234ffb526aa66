/// Reads the binary form of XML that aapt and aapt2 write into APKs (Android, `ResourceTypes.h`).
struct BinaryXML {
    private let bytes: [UInt8]
    private var pool: StringPool?
    /// The numbers of attributes, which the platform goes by: names can be stripped.
    private var identifiers = [Int]()
    private var open = [XMLNode]()
    private var root: XMLNode?
    private var elements = 0
    private var attributesLeft = AppFileLimits.valuesMax

    static func isLikely(_ beginning: [UInt8]) -> Bool {
        beginning.starts(with: [0x03, 0x00, 0x08, 0x00])
    }

    static func read(_ bytes: [UInt8]) throws(FormatFault) -> XMLNode {
        guard bytes.count <= AppFileLimits.documentBytesMax, isLikely(bytes),
            let size = bytes.little(4, at: 4), size <= bytes.count
        else { throw damaged }
        var reader = BinaryXML(bytes: bytes)
        var offset = 8
        while offset < size {
            guard let chunk = BinaryChunk(bytes, at: offset, end: size) else { throw damaged }
            try reader.take(chunk)
            offset = chunk.end
        }
        guard let root = reader.root, reader.open.isEmpty else { throw damaged }
        return root
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    static let damaged = FormatFault("has a damaged binary manifest")

    private mutating func take(_ chunk: BinaryChunk) throws(FormatFault) {
        switch chunk.type {
        case 0x0001:
            guard pool == nil else { throw Self.damaged }
            pool = try StringPool(bytes, chunk)
        case 0x0180:
            identifiers = stride(
                from: chunk.body, to: chunk.end - 3, by: 4
            ).compactMap { bytes.little(4, at: $0) }
        case 0x0102: try startElement(chunk)
        case 0x0103:
            guard let node = open.popLast() else { throw Self.damaged }
            if open.isEmpty {
                root = node
            } else {
                open[open.count - 1].children.append(node)
            }
        default: break  // Namespaces and texts.
        }
    }

    private mutating func startElement(_ chunk: BinaryChunk) throws(FormatFault) {
        elements += 1
        let body = chunk.body
        guard root == nil, elements <= AppFileLimits.valuesMax,
            open.count < AppFileLimits.depthMax, body + 20 <= chunk.end,
            let line = bytes.little(4, at: chunk.start + 8),
            let name = bytes.little(4, at: body + 4),
            let first = bytes.little(2, at: body + 8), let size = bytes.little(2, at: body + 10),
            let count = bytes.little(2, at: body + 12), count == 0 || size >= 20,
            body + first + count * size <= chunk.end, count <= attributesLeft
        else { throw Self.damaged }
        attributesLeft -= count
        guard count <= AppFileLimits.attributesMax else { throw FormatFault.tooManyAttributes }
        let place = TextPlace(line: max(1, line), column: 1)
        var node = XMLNode(name: try string(name), place: place)
        for number in 0..<count {
            node.attributes.append(try attribute(at: body + first + number * size, place))
        }
        open.append(node)
    }

    private mutating func attribute(
        at offset: Int, _ place: TextPlace
    ) throws(FormatFault) -> XMLAttribute {
        guard let space = bytes.little(4, at: offset), let name = bytes.little(4, at: offset + 4),
            let raw = bytes.little(4, at: offset + 8),
            let type = bytes.little(1, at: offset + 15), let data = bytes.little(4, at: offset + 16)
        else { throw Self.damaged }
        let known = name < identifiers.count ? platformAttributes[identifiers[name]] : nil
        let value: String
        switch type {
        case 0x03: value = try string(data)
        case 0x12: value = data == 0 ? "false" : "true"
        case 0x10, 0x11: value = "\(Int32(truncatingIfNeeded: data))"
        case 0x01, 0x07: value = "@0x" + String(data, radix: 16)
        case 0x02: value = "?0x" + String(data, radix: 16)
        default: value = raw == 0xFFFF_FFFF ? "" : try string(raw)
        }
        var attribute = XMLAttribute(
            namespace: androidNamespace, name: known ?? "", value: value,
            isReference: [0x01, 0x02, 0x07].contains(type), resource: type == 0x01 ? data : nil,
            place: place)
        if known == nil {
            attribute.namespace = space == 0xFFFF_FFFF ? "" : try string(space)
            attribute.name = try string(name)
        }
        return attribute
    }

    private mutating func string(_ number: Int) throws(FormatFault) -> String {
        guard let text = try pool?.text(number) else { throw Self.damaged }
        return text
    }
}

/// Attributes of the platform, by their public numbers (Android, `public.xml`).
let platformAttributes: [Int: String] = [
    0x0101_0003: "name", 0x0101_0006: "permission", 0x0101_04EE: "autoVerify",
    0x0101_0027: "scheme", 0x0101_0028: "host",
    0x0101_0029: "port", 0x0101_002A: "path", 0x0101_002B: "pathPrefix",
    0x0101_002C: "pathPattern", 0x0101_0026: "mimeType", 0x0101_0024: "value",
    0x0101_0025: "resource", 0x0101_000E: "enabled", 0x0101_0010: "exported",
    0x0101_000F: "debuggable", 0x0101_0272: "testOnly", 0x0101_0202: "targetActivity",
    0x0101_020C: "minSdkVersion", 0x0101_0270: "targetSdkVersion", 0x0101_061E: "pathSuffix",
    0x0101_0620: "pathAdvancedPattern", 0x0101_028E: "required",
]
