private import Diagnostics

/// Reads a property list in its oldest form, in which Xcode writes projects (Apple, "Old-Style ASCII Property
/// Lists"). Of its values, dictionaries have a place, which is their line.
struct OpenStepReader {
    private let bytes: [UInt8]
    private var index = 0
    private var values = 0
    /// The number of a line, and the index up to which lines were counted.
    private var (line, counted) = (1, 0)

    static func read(_ bytes: [UInt8]) throws(FormatFault) -> PropertyList {
        guard bytes.count <= AppFileLimits.documentBytesMax else {
            throw FormatFault(
                "has \(bytes.count) bytes, may have \(AppFileLimits.documentBytesMax)",
                advice: "give a smaller file")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw FormatFault("is not UTF-8", advice: "save it as UTF-8")
        }
        var reader = OpenStepReader(bytes: bytes)
        let list = try reader.value(depth: 0)
        guard try reader.next() == nil else { throw reader.fault("has more after its value") }
        return list
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next byte that is neither space nor comment, which `index` is then at.
    private mutating func next() throws(FormatFault) -> UInt8? {
        while index < bytes.count {
            if bytes[index] <= 0x20 {
                index += 1
            } else if starts("//") {
                while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
            } else if starts("/*") {
                let start = index
                index += 2
                while !starts("*/") {
                    guard index < bytes.count else {
                        index = start
                        throw fault("has a comment without an end")
                    }
                    index += 1
                }
                index += 2
            } else {
                return bytes[index]
            }
        }
        return nil
    }

    private func starts(_ mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }

    private mutating func value(
        depth: Int, isOfSettings: Bool = false
    ) throws(FormatFault) -> PropertyList {
        values += 1
        guard depth < AppFileLimits.depthMax, values <= AppFileLimits.projectValuesMax else {
            throw fault("has too many values, or values too deep within each other")
        }
        switch try next() {
        case UInt8(ascii: "{"): return try dictionary(depth, isSettings: isOfSettings)
        case UInt8(ascii: "("): return try array(depth)
        case UInt8(ascii: "<"):
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
                throw fault("has data without an end")
            }
            index = end + 1
            return PropertyList(.other)
        default: return PropertyList(.string(try text()))
        }
    }

    /// - Parameter isSettings: whether its members are build settings.
    private mutating func dictionary(
        _ depth: Int, isSettings: Bool
    ) throws(FormatFault) -> PropertyList {
        var members = [[UInt8]: PropertyList]()
        line += bytes[counted..<index].count { $0 == 0x0A }
        counted = index
        let place = TextPlace(line: line, column: 1)
        index += 1
        while try next() != UInt8(ascii: "}") {
            let key = try text()
            try take(UInt8(ascii: "="))
            let isOfSettings = key.utf8.elementsEqual("buildSettings".utf8)
            let value = try value(depth: depth + 1, isOfSettings: isOfSettings)
            if let known = members.updateValue(value, forKey: Array(key.utf8)),
                !known.isSame(as: value)
            {
                // Xcode opens a project with a setting that is there twice. Which of them it takes is left open.
                guard isSettings else { throw fault("repeats the key \(quoted(key))") }
                members[Array(key.utf8)] = PropertyList(.other)
            }
            try take(UInt8(ascii: ";"))
        }
        index += 1
        return PropertyList(.dictionary(members), at: place)
    }

    private mutating func array(_ depth: Int) throws(FormatFault) -> PropertyList {
        var items = [PropertyList]()
        index += 1
        while try next() != UInt8(ascii: ")") {
            items.append(try value(depth: depth + 1))
            if try next() != UInt8(ascii: ")") { try take(UInt8(ascii: ",")) }
        }
        index += 1
        return PropertyList(.array(items))
    }

    private mutating func take(_ byte: UInt8) throws(FormatFault) {
        guard try next() == byte else {
            throw fault("must have \(quoted(String(decoding: [byte], as: UTF8.self))) here")
        }
        index += 1
    }

    private mutating func text() throws(FormatFault) -> String {
        let first = try next()
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quotedText() }
        let start = index
        while index < bytes.count, isPlain(bytes[index]) { index += 1 }
        guard index > start else { throw fault("must have a text here") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quotedText() throws(FormatFault) -> String {
        let (start, quote) = (index, bytes[index])
        var text = [UInt8]()
        index += 1
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
                index += 1
                text.append(escapes[bytes[index]] ?? bytes[index])
            } else {
                text.append(bytes[index])
            }
            index += 1
        }
        guard index < bytes.count else {
            index = start
            throw fault("has a text without an end")
        }
        index += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// A fault at `index`.
    private func fault(_ fact: String) -> FormatFault {
        let before = bytes[..<index]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // Bytes that continue a scalar are no column.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 }
        return FormatFault(
            fact, at: TextPlace(line: 1 + before.count { $0 == 0x0A }, column: 1 + column),
            advice: "let Xcode write the project again, or solve the conflict of a merge")
    }
}

private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"), 0x80...:
        true
    default: false
    }
}

private let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D,
]
