private import Diagnostics
internal import LinkIndex

/// A link of the store with all that is known of it.
package struct StoredLink: Equatable, Sendable {
    package var id: LinkID
    /// The name of its collection.
    package var collection: String
    package var slug: String
    package var content: LinkContent
    /// Its other slugs, in their order.
    package var aliases = [String]()
    /// Seconds since 1970.
    package var created: Int
    package var updated: Int
    /// The generation of the store that changed it last; its entity tag.
    package var generation: Int
    /// Nil for a link that was not deleted.
    package var deleted: Int?

    /// The bytes of those texts that can be long.
    package var byteCount: Int {
        (content.destination?.utf8.count ?? 0) + (content.details?.utf8.count ?? 0)
            + (content.note?.utf8.count ?? 0)
    }
}

/// The members of a link that its maker decides.
package struct LinkContent: Equatable, Sendable {
    /// The URL to which browsers are led; nil for a link that leads nowhere on the web.
    package var destination: String?
    /// A JSON object of what it has besides (`web`, `page`, `campaign`, `app`, `after`); nil for
    /// nothing.
    package var details: String?
    package var tags = [String]()
    package var note: String?
    package var isDisabled = false
    package var isArchived = false
    /// Seconds since 1970.
    package var from: Int?
    package var until: Int?
    /// A name that another system has for it; no two links have the same.
    package var externalID: String?

    package init() {}

    /// Canonical equivalents (`é` as one scalar or as two) are two texts: who changes one into the
    /// other changes the link.
    package static func == (left: LinkContent, right: LinkContent) -> Bool {
        left.texts.elementsEqual(right.texts) { $0.isScalarwise($1) }
            && left.tags.elementsEqual(right.tags) { $0.isScalarwise($1) }
            && left.isDisabled == right.isDisabled && left.isArchived == right.isArchived
            && left.from == right.from && left.until == right.until
    }

    private var texts: [String?] { [destination, details, note, externalID] }

    /// A note has at most so many bytes: with it, a link that has everything is a line of an export
    /// that an import takes.
    package static let noteBytesMax = 4_096
}

/// The identity of a link: a UUID that begins with the time of its creation (RFC 9562 §5.7).
package struct LinkID: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    /// - Parameter milliseconds: since 1970.
    package init(milliseconds: Int, random: inout some RandomNumberGenerator) {
        let time = UInt64(milliseconds)
        var bytes = (0..<6).map { UInt8(truncatingIfNeeded: time >> UInt64(8 * (5 - $0))) }
        for word in [random.next(), random.next()] as [UInt64] {
            for index in 0..<5 {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
            }
        }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.bytes = bytes
    }

    /// The time of its making, since 1970.
    package var milliseconds: Int { bytes[..<6].reduce(0) { $0 << 8 | Int($1) } }

    /// One that comes directly after; nil after the last one.
    var successor: LinkID? {
        var next = bytes
        for index in next.indices.reversed() {
            // The bits of the version and the variant stay.
            let mask: UInt8 =
                switch index {
                case 6: 0x0F
                case 8: 0x3F
                default: 0xFF
                }
            next[index] = next[index] & ~mask | (next[index] &+ 1) & mask
            if next[index] & mask != 0 { return LinkID(next) }
        }
        return nil
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the form of `description`, in either letter case.
    package init?(_ text: some StringProtocol) {
        var digits = [UInt8]()
        for (index, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                switch byte {
                case 0x30...0x39: digits.append(byte - 0x30)
                case 0x41...0x46, 0x61...0x66: digits.append((byte | 0x20) - 0x61 + 10)
                default: return nil
                }
            }
        }
        guard digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text = [UInt8]()
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension LinkRecord {
    /// The record of a link under one of its slugs.
    init(_ link: StoredLink, row: Int, slug: String) {
        self.init(
            collection: CollectionName(link.collection).number, id: UInt64(bitPattern: Int64(row)),
            slug: Array(slug.utf8))
        ownSlug = slug == link.slug ? nil : Array(link.slug.utf8)
        guard link.deleted == nil else {
            state = .deleted
            return
        }
        state = link.content.isDisabled ? .disabled : .active
        (from, until) = (link.content.from, link.content.until)
        destination = Array((link.content.destination ?? "").utf8)
        details = Array((link.content.details ?? "").utf8)
    }
}
