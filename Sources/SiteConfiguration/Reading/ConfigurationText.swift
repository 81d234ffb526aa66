import Diagnostics

/// The text of a configuration, fit to be given to the YAML parser: its size, encoding and
/// characters are checked, and what could make the parser work for minutes is refused.
enum ConfigurationText {
    static func read(_ bytes: [UInt8], file: String, into findings: inout Findings) -> String? {
        let start = SourcePlace(file: file, line: 1, column: 1)
        guard bytes.count <= ConfigurationLimits.fileBytesMax else {
            findings.error(
                .fileSize, at: start,
                "file has \(bytes.count) bytes, may have \(ConfigurationLimits.fileBytesMax)")
            return nil
        }
        if let offset = firstInvalidByte(in: bytes) {
            let place = place(ofByte: offset, in: bytes, file: file)
            findings.error(
                .notUTF8, at: place, "byte 0x\(hex(UInt32(bytes[offset]))) is not UTF-8",
                advice: "save the file as UTF-8")
            return nil
        }
        // libYAML would count a byte-order mark as a column.
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = Array(bytes[mark...])
        guard isFree(ofControls: text, file: file, &findings),
            isFree(ofAliases: text, file: file, &findings),
            isFree(ofKeysInKeys: text, file: file, &findings)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
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

/// The place of a byte, counted as libYAML counts: lines end with CR, LF, both, NEL, LS or PS.
private func place(ofByte offset: Int, in bytes: [UInt8], file: String) -> SourcePlace {
    var (line, column) = (1, 1)
    var previous: Unicode.Scalar?
    for scalar in String(decoding: bytes[..<offset], as: UTF8.self).unicodeScalars {
        if scalar == "\n", previous == "\r" {
            // The line has ended already.
        } else if isLineBreak(scalar) {
            (line, column) = (line + 1, 1)
        } else {
            column += 1
        }
        previous = scalar
    }
    return SourcePlace(file: file, line: line, column: column)
}

func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
}

/// Controls other than tabs and line ends, and the scalars that YAML has no place for
/// (YAML 1.2 §5.1).
private func isFree(
    ofControls text: [UInt8], file: String, _ findings: inout Findings
) -> Bool {
    var offset = 0
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...:
            offset += UTF8.width(scalar)
        default:
            findings.error(
                .controlCharacter, at: place(ofByte: offset, in: text, file: file),
                "character U+\(hex(scalar.value)) may not stand in a configuration")
            return false
        }
    }
    return true
}

/// Refuses an alias, `*name`, behind an anchor, `&name`. A few of them can stand for millions of
/// nodes, which the parser would walk through whenever they are part of a key.
///
/// This looks at bytes, so it would also refuse prose that holds `&x` and later `*x` as words; an
/// alias in what it lets through has no anchor, and is refused by the parser.
private func isFree(
    ofAliases text: [UInt8], file: String, _ findings: inout Findings
) -> Bool {
    var anchors = Set<ArraySlice<UInt8>>()
    for index in text.indices
    where text[index] == UInt8(ascii: "&") || text[index] == UInt8(ascii: "*") {
        guard index == 0 || mayEndToken(text[index - 1]) else { continue }
        let name = text[(index + 1)...].prefix(while: isAnchorByte)
        if name.isEmpty { continue }
        if text[index] == UInt8(ascii: "&") {
            anchors.insert(name)
        } else if anchors.contains(name) {
            findings.aliasRefused(at: place(ofByte: index, in: text, file: file))
            return false
        }
    }
    return true
}

/// Refuses more explicit keys, `? key`, than could ever be meant. A mapping as a key of a mapping
/// as a key … makes the parser compare the innermost once for each level.
private func isFree(
    ofKeysInKeys text: [UInt8], file: String, _ findings: inout Findings
) -> Bool {
    var count = 0
    // What stands before a token on its line, blanks aside.
    var before = UInt8(ascii: "\n")
    for (index, byte) in text.enumerated() where byte != 0x20 && byte != 0x09 {
        defer { before = byte }
        guard byte == UInt8(ascii: "?"), mayPrecedeExplicitKey(before) else { continue }
        let next = index + 1 < text.count ? text[index + 1] : 0x20
        guard next <= 0x20 || next >= 0x80 || isFlowIndicator(before) else { continue }
        count += 1
        guard count <= ConfigurationLimits.nestingMax else {
            findings.error(
                .nesting, at: place(ofByte: index, in: text, file: file),
                "file has more than \(ConfigurationLimits.nestingMax) explicit keys",
                advice: "write `key: value` instead of `? key`")
            return false
        }
    }
    return true
}

private func mayPrecedeExplicitKey(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x0A, 0x0D, 0x80...: true
    case UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "?"): true
    default: isFlowIndicator(byte)
    }
}

/// In brackets `?` needs no blank behind it; one explicit key can follow another.
private func isFlowIndicator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: "?"): true
    default: false
    }
}

/// Whether the byte before an indicator leaves room for a token: a blank, a line end (which may
/// be the last byte of a longer sequence), an opening bracket, or the end of a key.
private func mayEndToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D, 0x20, 0x80...: true
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"),
        UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        true
    default: false
    }
}

private func isAnchorByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
    default: false
    }
}

func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, (value < 0x100 ? 2 : 4) - digits.utf8.count))
        + digits
}

extension Findings {
    mutating func aliasRefused(at place: SourcePlace) {
        error(
            .yamlAlias, at: place, "anchors and aliases are not read",
            advice: "write the value again; quote a text that begins with & or *")
    }
}
