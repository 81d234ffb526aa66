/// The texts and booleans among the resources of an APK (Android, `ResourceTypes.h`).
struct ResourceTable {
    private let bytes: [UInt8]
    private var pool: StringPool?
    /// The parts with the values of a package and a type. The system reads a manifest without language, screen
    /// and mode, so only those count that require nothing, or a version of Android.
    private var values = [Int: [BinaryChunk]]()
    /// The parts that say for each entry of a package and a type by what its values differ.
    private var differences = [Int: BinaryChunk]()

    init(_ bytes: [UInt8]) throws(FormatFault) {
        self.bytes = bytes
        guard let table = BinaryChunk(bytes, at: 0, end: bytes.count), table.type == 0x0002 else {
            throw Self.damaged
        }
        for chunk in try chunks(from: table.body, to: table.end) {
            switch chunk.type {
            case 0x0001:
                guard pool == nil else { throw Self.damaged }
                do throws(FormatFault) { pool = try StringPool(bytes, chunk) } catch {
                    throw Self.damaged
                }
            case 0x0200:
                guard let package = bytes.little(4, at: chunk.start + 8) else { throw Self.damaged }
                for part in try chunks(from: chunk.body, to: chunk.end) {
                    if part.type == 0x0201 { try add(part, of: package) }
                    guard part.type == 0x0202, let type = bytes.little(1, at: part.start + 8) else {
                        continue
                    }
                    differences[package << 8 | type] = part
                }
            default: break
            }
        }
    }

    private static let damaged = FormatFault("has a damaged table of resources")

    private func chunks(from start: Int, to end: Int) throws(FormatFault) -> [BinaryChunk] {
        var chunks = [BinaryChunk]()
        var offset = start
        while offset < end {
            guard let chunk = BinaryChunk(bytes, at: offset, end: end),
                chunks.count < AppFileLimits.resourceChunksMax
            else { throw Self.damaged }
            chunks.append(chunk)
            offset = chunk.end
        }
        return chunks
    }

    private mutating func add(_ chunk: BinaryChunk, of package: Int) throws(FormatFault) {
        guard let type = bytes.little(1, at: chunk.start + 8), package <= 0xFF,
            let size = bytes.little(4, at: chunk.start + 20), size >= 4,
            size <= chunk.headerBytes - 20,
            let configuration = bytes.part(chunk.start + 20, size)
        else { throw Self.damaged }
        // Four bytes have the size, and four the version.
        let isForAll = zip(0..., configuration).allSatisfy { offset, byte in
            byte == 0 || (0..<4).contains(offset) || (24..<28).contains(offset)
        }
        guard isForAll else { return }
        let key = package << 8 | type
        guard values[key, default: []].count < AppFileLimits.versionsMax else { throw Self.damaged }
        values[key, default: []].append(chunk)
    }

    /// A value as its type and its data.
    private struct Value: Equatable {
        let type: Int
        let data: Int
    }

    /// The value of a resource. Nil where versions of Android have different ones, where it is no text
    /// or boolean, and where the table does not have it.
    mutating func value(_ resource: Int) -> String? {
        var resource = resource
        for _ in 0..<AppFileLimits.referencesMax {
            let found = values[resource >> 16, default: []].compactMap {
                value(resource & 0xFFFF, in: $0)
            }
            guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
            switch first.type {
            case 0x01: resource = first.data
            case 0x03: return try? pool?.text(first.data)
            case 0x12: return first.data == 0 ? "false" : "true"
            default: return nil
            }
        }
        return nil
    }

    /// Whether a resource, or one that it refers to, has other values for some devices than for all. Versions of Android do not
    /// count, because their values are looked at, and neither do marks of resources for other apps.
    func dependsOnDevice(_ resource: Int) -> Bool {
        var resource = resource
        for _ in 0..<AppFileLimits.referencesMax {
            if let part = differences[resource >> 16],
                let count = bytes.little(4, at: part.start + 12),
                resource & 0xFFFF < count,
                let flags = bytes.little(4, at: part.body + (resource & 0xFFFF) * 4),
                flags & 0x1FFF_FBFF != 0
            {
                return true
            }
            let first = values[resource >> 16, default: []].lazy
                .compactMap { value(resource & 0xFFFF, in: $0) }.first
            guard let first, first.type == 0x01 else { return false }
            resource = first.data
        }
        return false
    }

    /// Nil for an entry that has none. A list is none that is asked for, and has no type of a value.
    private func value(_ number: Int, in chunk: BinaryChunk) -> Value? {
        guard let offset = offset(number, in: chunk), let size = bytes.little(2, at: offset),
            let flags = bytes.little(2, at: offset + 2), offset + 8 <= chunk.end
        else { return nil }
        guard flags & 1 == 0 else { return Value(type: 0, data: 0) }
        if flags & 8 != 0 {
            return bytes.little(4, at: offset + 4).map { Value(type: flags >> 8, data: $0) }
        }
        guard offset + size + 8 <= chunk.end, let type = bytes.little(1, at: offset + size + 3),
            let data = bytes.little(4, at: offset + size + 4)
        else { return nil }
        return Value(type: type, data: data)
    }

    private func offset(_ number: Int, in chunk: BinaryChunk) -> Int? {
        guard let flags = bytes.little(1, at: chunk.start + 9),
            let count = bytes.little(4, at: chunk.start + 12),
            let start = bytes.little(4, at: chunk.start + 16)
        else { return nil }
        let relative: Int?
        if flags & 1 != 0 {
            relative = sparseOffset(number, among: count, in: chunk)
        } else {
            guard number < count else { return nil }
            let isShort = flags & 2 != 0
            let none = isShort ? 0xFFFF : 0xFFFF_FFFF
            relative = bytes.little(isShort ? 2 : 4, at: chunk.body + number * (isShort ? 2 : 4))
                .flatMap { $0 == none ? nil : isShort ? $0 * 4 : $0 }
        }
        return relative.map { chunk.start + start + $0 }
    }

    /// Sorted pairs of a number and a quarter of an offset.
    private func sparseOffset(_ number: Int, among count: Int, in chunk: BinaryChunk) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let here = bytes.little(2, at: chunk.body + middle * 4) else { return nil }
            if here == number {
                return bytes.little(2, at: chunk.body + middle * 4 + 2).map { $0 * 4 }
            }
            if here < number { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}
