/// Any version: up to 177 modules.
struct LongLine: ModuleLine {
    var low: UInt128
    var high: UInt64

    static let none = LongLine(low: 0, high: 0)

    static func & (left: LongLine, right: LongLine) -> LongLine {
        LongLine(low: left.low & right.low, high: left.high & right.high)
    }

    static func | (left: LongLine, right: LongLine) -> LongLine {
        LongLine(low: left.low | right.low, high: left.high | right.high)
    }

    static func ^ (left: LongLine, right: LongLine) -> LongLine {
        LongLine(low: left.low ^ right.low, high: left.high ^ right.high)
    }

    static prefix func ~ (line: LongLine) -> LongLine { LongLine(low: ~line.low, high: ~line.high) }

    static func << (line: LongLine, count: Int) -> LongLine {
        LongLine(
            low: line.low << count,
            high: line.high << count | UInt64(truncatingIfNeeded: line.low >> (128 - count)))
    }

    static func >> (line: LongLine, count: Int) -> LongLine {
        LongLine(
            low: line.low >> count | UInt128(line.high) << (128 - count), high: line.high >> count)
    }

    var nonzeroBitCount: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    var trailingZeroBitCount: Int {
        low == 0 ? 128 + high.trailingZeroBitCount : low.trailingZeroBitCount
    }

    subscript(index: Int) -> Bool {
        index < 128 ? low >> index & 1 == 1 : high >> (index - 128) & 1 == 1
    }

    static func bit(_ index: Int) -> LongLine {
        index < 128
            ? LongLine(low: 1 << index, high: 0) : LongLine(low: 0, high: 1 << (index - 128))
    }

    static func first(_ count: Int) -> LongLine {
        LongLine(
            low: count < 128 ? ~(~0 << count) : ~0, high: count < 128 ? 0 : ~(~0 << (count - 128)))
    }

    static let masks = QRMasks<LongLine>(length: 192)
    static let layouts = QRVersion.all(.medium).map { QRMatrix<LongLine>($0) }
}
