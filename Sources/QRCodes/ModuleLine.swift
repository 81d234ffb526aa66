/// A row or a column of modules, a bit for each, the first module lowest.
protocol ModuleLine: Equatable, Sendable {
    static var none: Self { get }
    static func & (left: Self, right: Self) -> Self
    static func | (left: Self, right: Self) -> Self
    static func ^ (left: Self, right: Self) -> Self
    static prefix func ~ (line: Self) -> Self
    /// For counts below 128.
    static func << (line: Self, count: Int) -> Self
    static func >> (line: Self, count: Int) -> Self
    var nonzeroBitCount: Int { get }
    subscript(index: Int) -> Bool { get }
    /// One module.
    static func bit(_ index: Int) -> Self
    /// The first modules.
    static func first(_ count: Int) -> Self

    /// What is the same for all codes with such lines.
    static var masks: QRMasks<Self> { get }
    static var layouts: [QRMatrix<Self>] { get }
}

/// Versions 1 to 27: codes for screens, which landing pages make for each request.
extension UInt128: ModuleLine {
    static let none = UInt128(0)
    subscript(index: Int) -> Bool { self >> index & 1 == 1 }
    static func bit(_ index: Int) -> UInt128 { 1 << index }
    static func first(_ count: Int) -> UInt128 { ~(~0 << count) }

    static let masks = QRMasks<UInt128>(length: 128)
    static let layouts = QRVersion.all(.medium).prefix(27).map { QRMatrix<UInt128>($0) }
}

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
