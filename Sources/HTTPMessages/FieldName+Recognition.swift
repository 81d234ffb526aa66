import Memory

// Names are distinguished by comparing eight octets at once: this needs no string, and no hash that
// could collide. The words are the ASCII of `FieldName.text`; a test compares them.

extension FieldName {
    /// Recognises the most frequent names together with their colons, without searching for the
    /// colon first; nil for all others.
    @inline(__always)
    static func frequent(_ span: Span<UInt8>, at start: Int) -> (name: FieldName, colon: Int)? {
        guard span.hasOctets(at: start + 8) else { return nil }
        let first = span.octets(at: start)
        if Spelling.host.matches(first) { return (.host, start + 4) }
        if Spelling.accept.matches(first) { return (.accept, start + 6) }
        let second = span.octets(at: start + 8)
        if Spelling.userAge.matches(first), Spelling.nt.matches(second) {
            return (.userAgent, start + 10)
        }
        if Spelling.acceptE.matches(first), Spelling.ncoding.matches(second) {
            return (.acceptEncoding, start + 15)
        }
        if Spelling.connecti.matches(first), Spelling.on.matches(second) {
            return (.connection, start + 10)
        }
        return nil
    }

    /// The known field whose name a range of token characters is, in any letter case.
    init(_ span: Span<UInt8>, _ range: Range<Int>) {
        let (start, end) = (range.lowerBound, range.upperBound)
        let first = span.word(start..<min(end, start + 8)).foldedToLowerCase
        var rest: UInt64 = 0
        if range.count > 8 { rest = span.word(start + 8..<min(end, start + 16)).foldedToLowerCase }
        self =
            switch range.count {
            case 3: first == 0x64_6E74 ? .doNotTrack : .other
            case 4: first == 0x686F_7374 ? .host : .other
            case 5:
                first == 0x72_616E_6765 ? .range : first == 0x78_2D6D_6F7A ? .xMoz : .other
            case 6:
                first == 0x6578_7065_6374
                    ? .expect : first == 0x6163_6365_7074 ? .accept : .other
            case 7: Self.short(first)
            case 8:
                first == 0x6966_2D6D_6174_6368
                    ? .ifMatch : first == 0x6966_2D72_616E_6765 ? .ifRange : .other
            case 9...15: Self.long(first, rest)
            case 17, 19:
                Self.longer(first, rest, span.word(start + 16..<end).foldedToLowerCase)
            default: .other
            }
    }

    private static func short(_ name: UInt64) -> FieldName {
        switch name {
        case 0x72_6566_6572_6572: .referer
        case 0x70_7572_706F_7365: .purpose
        case 0x73_6563_2D67_7063: .secGPC
        default: .other
        }
    }

    private static func long(_ first: UInt64, _ rest: UInt64) -> FieldName {
        switch (first, rest) {
        case (0x666F_7277_6172_6465, 0x64): .forwarded
        case (0x636F_6E6E_6563_7469, 0x6F6E): .connection
        case (0x7573_6572_2D61_6765, 0x6E74): .userAgent
        case (0x7472_6163_6570_6172, 0x65_6E74): .traceParent
        case (0x7365_632D_7075_7270, 0x6F_7365): .secPurpose
        case (0x782D_7075_7270_6F73, 0x65): .xPurpose
        case (0x782D_7265_7175_6573, 0x742D_6964): .requestIdentifier
        case (0x6966_2D6E_6F6E_652D, 0x6D_6174_6368): .ifNoneMatch
        case (0x636F_6E74_656E_742D, 0x6C65_6E67_7468): .contentLength
        case (0x6163_6365_7074_2D65, 0x6E_636F_6469_6E67): .acceptEncoding
        case (0x6163_6365_7074_2D6C, 0x61_6E67_7561_6765): .acceptLanguage
        case (0x782D_666F_7277_6172, 0x64_6564_2D66_6F72): .forwardedFor
        default: .other
        }
    }

    private static func longer(_ first: UInt64, _ rest: UInt64, _ last: UInt64) -> FieldName {
        switch (first, rest, last) {
        case (0x6966_2D6D_6F64_6966, 0x6965_642D_7369_6E63, 0x65): .ifModifiedSince
        case (0x7472_616E_7366_6572, 0x2D65_6E63_6F64_696E, 0x67): .transferEncoding
        case (0x782D_666F_7277_6172, 0x6465_642D_7072_6F74, 0x6F): .forwardedProto
        case (0x6966_2D75_6E6D_6F64, 0x6966_6965_642D_7369, 0x6E_6365): .ifUnmodifiedSince
        default: .other
        }
    }
}

/// Up to eight octets of a field's name, the first octet lowest. The mask removes the bit that
/// distinguishes upper and lower case, and the octets after the name.
private struct Spelling {
    let mask: UInt64
    let capitals: UInt64

    @inline(__always)
    func matches(_ word: UInt64) -> Bool { word & mask == capitals }

    static var host: Spelling { .init(mask: 0xFF_DFDF_DFDF, capitals: 0x3A_5453_4F48) }
    static var accept: Spelling { .init(mask: 0xFF_DFDF_DFDF_DFDF, capitals: 0x3A_5450_4543_4341) }
    static var acceptE: Spelling {
        .init(mask: 0xDFFF_DFDF_DFDF_DFDF, capitals: 0x452D_5450_4543_4341)
    }
    static var ncoding: Spelling {
        .init(mask: 0xFFDF_DFDF_DFDF_DFDF, capitals: 0x3A47_4E49_444F_434E)
    }
    static var userAge: Spelling {
        .init(mask: 0xDFDF_DFFF_DFDF_DFDF, capitals: 0x4547_412D_5245_5355)
    }
    static var nt: Spelling { .init(mask: 0xFF_DFDF, capitals: 0x3A_544E) }
    static var connecti: Spelling {
        .init(mask: 0xDFDF_DFDF_DFDF_DFDF, capitals: 0x4954_4345_4E4E_4F43)
    }
    static var on: Spelling { .init(mask: 0xFF_DFDF, capitals: 0x3A_4E4F) }
}
