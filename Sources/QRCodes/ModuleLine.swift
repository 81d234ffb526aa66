/// A row or a column of modules, a bit for each, the first module lowest.
protocol ModuleLine: Equatable, Sendable {
    static var none: Self { get }
    static func & (left: Self, right: Self) -> Self
    static func | (left: Self, right: Self) -> Self
    static func ^ (left: Self, right: Self) -> Self
    static prefix func ~ (line: Self) -> Self
    static func << (line: Self, count: Int) -> Self
    static func >> (line: Self, count: Int) -> Self
    var nonzeroBitCount: Int { get }
    /// The first module that is dark; the number of bits, if none is.
    var trailingZeroBitCount: Int { get }
    subscript(index: Int) -> Bool { get }
    /// One module.
    static func bit(_ index: Int) -> Self
    /// The first modules.
    static func first(_ count: Int) -> Self

    /// The masks and layouts, which are the same for all codes with such lines.
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
