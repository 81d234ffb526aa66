/// An executable of Apple's systems, as far as its signatures: thin, or with a slice for each kind of
/// processor.
enum MachO {
    static func isLikely(_ beginning: [UInt8]) -> Bool {
        guard let big = beginning.big(4, at: 0), let little = beginning.little(4, at: 0) else {
            return false
        }
        return fatMagics.contains(big) || thinMagics.contains(little)
    }

    /// The signature of each slice, nil for one that has none.
    static func signatures(in source: ByteSource) throws(FormatFault) -> [CodeSignature?] {
        guard source.count <= AppFileLimits.executableBytesMax else {
            throw FormatFault(
                "has an executable of \(source.count) bytes, may have "
                    + "\(AppFileLimits.executableBytesMax)")
        }
        let head = try source.read(min(source.count, 4096), at: 0)
        guard let magic = head.big(4, at: 0), fatMagics.contains(magic) else {
            return [try signature(of: 0..<source.count, in: source)]
        }
        var signatures = [CodeSignature?]()
        for slice in try slices(head, isWide: magic == 0xCAFE_BABF, source.count) {
            signatures.append(try signature(of: slice, in: source))
        }
        return signatures
    }

    /// In their order in the file. They must not overlap: a compressed file is read forwards.
    private static func slices(
        _ head: [UInt8], isWide: Bool, _ size: Int
    ) throws(FormatFault) -> [Range<Int>] {
        let (width, entry) = isWide ? (8, 32) : (4, 20)
        guard let count = head.big(4, at: 4), (1...AppFileLimits.slicesMax).contains(count) else {
            throw damaged
        }
        var slices = [Range<Int>]()
        for number in 0..<count {
            let start = 8 + number * entry + 8
            guard let offset = head.big(width, at: start),
                let bytes = head.big(width, at: start + width),
                offset <= size, bytes <= size - offset
            else { throw damaged }
            slices.append(offset..<(offset + bytes))
        }
        slices.sort { $0.lowerBound < $1.lowerBound }
        for (earlier, later) in zip(slices, slices.dropFirst())
        where earlier.upperBound > later.lowerBound { throw damaged }
        return slices
    }

    private static func signature(
        of slice: Range<Int>, in source: ByteSource
    ) throws(FormatFault) -> CodeSignature? {
        guard slice.count >= 32 else { throw damaged }
        let head = try source.read(32, at: slice.lowerBound)
        guard let magic = head.little(4, at: 0), thinMagics.contains(magic),
            let count = head.little(4, at: 16), let size = head.little(4, at: 20)
        else { throw damaged }
        let header = magic == 0xFEED_FACF ? 32 : 28
        guard size <= AppFileLimits.commandBytesMax, header + size <= slice.count else {
            throw damaged
        }
        // From the end of what was read on: a compressed file is read forwards.
        let rest = try source.read(
            header + size > 32 ? header + size - 32 : 0, at: slice.lowerBound + 32)
        let commands = Array((head + rest).prefix(header + size))
        guard let place = try signaturePlace(commands, from: header, count: count) else {
            return nil
        }
        guard place.size <= AppFileLimits.signatureBytesMax,
            place.offset <= slice.count, place.size <= slice.count - place.offset
        else { throw damaged }
        return try CodeSignature(source.read(place.size, at: slice.lowerBound + place.offset))
    }

    /// The place in the slice that LC_CODE_SIGNATURE names.
    private static func signaturePlace(
        _ commands: [UInt8], from start: Int, count: Int
    ) throws(FormatFault) -> (offset: Int, size: Int)? {
        var offset = start
        var place: (offset: Int, size: Int)?
        for _ in 0..<count {
            guard let command = commands.little(4, at: offset),
                let size = commands.little(4, at: offset + 4), size >= 8,
                commands.part(offset, size) != nil
            else { throw damaged }
            if command == 0x1D {
                guard place == nil, let first = commands.little(4, at: offset + 8),
                    let length = commands.little(4, at: offset + 12)
                else { throw damaged }
                place = (first, length)
            }
            offset += size
        }
        return place
    }

    private static let damaged = FormatFault("has a damaged executable")
    private static let fatMagics: Set = [0xCAFE_BABE, 0xCAFE_BABF]
    private static let thinMagics: Set = [0xFEED_FACF, 0xFEED_FACE]
}
