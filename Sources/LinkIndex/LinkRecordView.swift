private import Memory

/// The parts of a record, by their ranges in its bytes.
package struct LinkRecordView: Sendable {
    package let collection: UInt32
    package let id: UInt64
    package let state: LinkRecord.State
    /// The link's own slug, if the record is of an alias.
    package let ownSlug: Range<Int>?
    /// Whether its details can change where people are led.
    package let changesRedirect: Bool
    package let from: Int?
    package let until: Int?
    package let slug: Range<Int>
    package let destination: Range<Int>
    package let details: Range<Int>

    /// The range of the slug, if the record is of a collection: all that a search needs.
    static func slug(in bytes: Span<UInt8>, of collection: UInt32) -> Range<Int>? {
        let head = bytes.word(at: 0)
        guard UInt32(truncatingIfNeeded: head) == collection else { return nil }
        let flags = UInt8(truncatingIfNeeded: head >> 32)
        let times = (flags & Flags.from == 0 ? 0 : 8) + (flags & Flags.until == 0 ? 0 : 8)
        let start = 14 + times
        return start..<start + Int(truncatingIfNeeded: head >> 40 & 0xFF)
    }

    /// Whether a record is of an alias, and has only the slug of its link.
    static func isOfAlias(_ bytes: Span<UInt8>) -> Bool { bytes[4] & Flags.alias != 0 }

    /// The number of the link.
    static func id(in bytes: Span<UInt8>) -> UInt64 { bytes.word(at: 6) >> 16 }

    /// The parts of bytes that may be no record; nil if their lengths do not fit.
    init?(checking bytes: Span<UInt8>) {
        guard bytes.count >= 14, bytes.count <= RecordTable.recordBytesMax else { return nil }
        let flags = bytes[4]
        let times = (flags & Flags.from == 0 ? 0 : 8) + (flags & Flags.until == 0 ? 0 : 8)
        let texts = Int(bytes[5]) + Int(bytes[6]) + Int(bytes[7]) << 8
        var end = bytes.count
        if flags & Flags.alias != 0 { end -= 1 + Int(bytes[end - 1]) }
        guard 14 + times + texts <= end else { return nil }
        self.init(bytes)
    }

    /// - Parameter bytes: of `LinkRecord.bytes`.
    package init(_ bytes: Span<UInt8>) {
        let head = bytes.word(at: 0)
        collection = UInt32(truncatingIfNeeded: head)
        let flags = UInt8(truncatingIfNeeded: head >> 32)
        state = LinkRecord.State(rawValue: flags & Flags.state) ?? .disabled
        changesRedirect = flags & Flags.changesRedirect != 0
        // Its number has six bytes.
        id = Self.id(in: bytes)
        var position = 14
        func time(_ flag: UInt8) -> Int? {
            guard flags & flag != 0 else { return nil }
            defer { position += 8 }
            return Int(Int64(bitPattern: bytes.word(at: position)))
        }
        from = time(Flags.from)
        until = time(Flags.until)
        slug = position..<position + Int(truncatingIfNeeded: head >> 40 & 0xFF)
        destination = slug.upperBound..<slug.upperBound + Int(truncatingIfNeeded: head >> 48)
        var end = bytes.count
        if flags & Flags.alias != 0 {
            let length = end - 1
            end = length - Int(bytes[length])
            ownSlug = end..<length
        } else {
            ownSlug = nil
        }
        details = destination.upperBound..<end
    }
}
