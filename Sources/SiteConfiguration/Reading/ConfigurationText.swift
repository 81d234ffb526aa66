import Diagnostics

/// The text of a configuration for the YAML parser, after its size, encoding and characters were
/// checked.
enum ConfigurationText {
    static func read(_ bytes: [UInt8], file: String, into findings: inout Findings) -> [UInt8]? {
        let start = SourcePosition(file: file, line: 1, column: 1)
        guard bytes.count <= ConfigurationLimits.fileBytesMax else {
            findings.error(
                .fileSize, at: start,
                "file has \(bytes.count) bytes, may have \(ConfigurationLimits.fileBytesMax)")
            return nil
        }
        if bytes.allSatisfy(isPlain) { return bytes }
        if let offset = firstInvalidByte(in: bytes) {
            let position = position(ofByte: offset, in: bytes, file: file)
            findings.error(
                .notUTF8, at: position, "byte 0x\(hex(UInt32(bytes[offset]))) is not UTF-8",
                advice: "save the file as UTF-8")
            return nil
        }
        // libYAML would count a byte-order mark as a column.
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = Array(bytes[mark...])
        return isFree(ofControls: text, file: file, &findings) ? text : nil
    }

    /// The scalar at a position, counted as libYAML counts; nil at the end of a line or after it.
    static func scalar(at line: Int, _ column: Int, in text: [UInt8]) -> Unicode.Scalar? {
        var here = (line: 1, column: 1)
        var previous: Unicode.Scalar?
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if here == (line, column) { return isLineBreak(scalar) ? nil : scalar }
            advance(&here, over: scalar, behind: previous)
            previous = scalar
        }
        return nil
    }
}

/// Whether the byte is an ASCII character that is allowed anywhere in a configuration.
private func isPlain(_ byte: UInt8) -> Bool {
    0x20...0x7E ~= byte || byte == 0x0A || byte == 0x0D || byte == 0x09
}

private func firstInvalidByte(in bytes: [UInt8]) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
        switch parser.parseScalar(from: &rest) {
        case .valid(let scalar): offset += scalar.count
        case .emptyInput: return nil
        case .error: return offset
        }
    }
}

/// The position of a byte, counted as libYAML counts: lines end with CR, LF, both, NEL, LS or PS.
private func position(ofByte offset: Int, in bytes: [UInt8], file: String) -> SourcePosition {
    var here = (line: 1, column: 1)
    var previous: Unicode.Scalar?
    for scalar in String(decoding: bytes[..<offset], as: UTF8.self).unicodeScalars {
        advance(&here, over: scalar, behind: previous)
        previous = scalar
    }
    return SourcePosition(file: file, line: here.line, column: here.column)
}

func advance(
    _ here: inout (line: Int, column: Int), over scalar: Unicode.Scalar,
    behind previous: Unicode.Scalar?
) {
    if scalar == "\n", previous == "\r" {
        // The line has ended already.
    } else if isLineBreak(scalar) {
        here = (here.line + 1, 1)
    } else {
        here.column += 1
    }
}

func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
}

/// Control characters other than tabs and line ends, and the scalars that YAML does not allow (YAML
/// 1.2 §5.1).
private func isFree(ofControls text: [UInt8], file: String, _ findings: inout Findings) -> Bool {
    var offset = 0
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...:
            offset += UTF8.width(scalar)
        default:
            findings.error(
                .controlCharacter, at: position(ofByte: offset, in: text, file: file),
                "character U+\(hex(scalar.value)) is not allowed in a configuration")
            return false
        }
    }
    return true
}

func hex(_ value: UInt32, digits least: Int? = nil) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    let width = least ?? (value < 0x100 ? 2 : 4)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
