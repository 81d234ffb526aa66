/// The entitlements in the signature of an executable, for one kind of processor.
package struct CodeSignature: Sendable {
    /// The XML form, which iOS 14 and earlier read.
    package let xml: PropertyList?
    /// The DER form, which iOS 15 and later read.
    package let der: PropertyList?

    /// Whether it is ad hoc, so that it has no certificate and is of no team.
    package let isAdHoc: Bool

    /// The form that current systems read.
    package var entitlements: PropertyList? { der ?? xml }

    /// Whether both forms are there and differ.
    package var formsDiffer: Bool {
        guard let xml, let der else { return false }
        return !xml.isSame(as: der)
    }

    /// - Parameter bytes: a SuperBlob and what follows it.
    init(_ bytes: [UInt8]) throws(FormatFault) {
        guard bytes.big(4, at: 0) == 0xFADE_0CC0, let length = bytes.big(4, at: 4),
            let count = bytes.big(4, at: 8), length <= bytes.count, count <= blobsMax
        else { throw FormatFault("has a damaged signature") }
        var (xml, der): (PropertyList?, PropertyList?)
        var isAdHoc = false
        var slots = Set<Int>()
        for number in 0..<count {
            guard let slot = bytes.big(4, at: 12 + 8 * number),
                let offset = bytes.big(4, at: 16 + 8 * number),
                // Each is read once, however often the list has it.
                slots.insert(slot).inserted
            else { throw FormatFault("has a damaged signature") }
            switch slot {
            case 0: isAdHoc = Self.isAdHoc(bytes, at: offset)
            case 5:
                let content = try Self.blob(0xFADE_7171, bytes, at: offset)
                // A signer without entitlements may leave the text empty.
                xml = content.isEmpty ? nil : try PropertyList.read(content)
            case 7: der = try EntitlementsDER.read(Self.blob(0xFADE_7172, bytes, at: offset))
            default: break
            }
        }
        guard [xml, der].allSatisfy({ $0?.isDictionary != false }) else {
            throw FormatFault("has a signature whose entitlements are no dictionary")
        }
        (self.xml, self.der, self.isAdHoc) = (xml, der, isAdHoc)
    }

    /// Whether the flags of a CodeDirectory have `CS_ADHOC`.
    private static func isAdHoc(_ bytes: [UInt8], at offset: Int) -> Bool {
        guard bytes.big(4, at: offset) == 0xFADE_0C02, let flags = bytes.big(4, at: offset + 12)
        else { return false }
        return flags & 0x2 != 0
    }

    private static func blob(
        _ magic: Int, _ bytes: [UInt8], at offset: Int
    ) throws(FormatFault) -> [UInt8] {
        guard bytes.big(4, at: offset) == magic, let length = bytes.big(4, at: offset + 4),
            length >= 8, length <= AppFileLimits.documentBytesMax,
            let content = bytes.part(offset + 8, length - 8)
        else { throw FormatFault("has a damaged signature") }
        return Array(content)
    }
}

private let blobsMax = 64
