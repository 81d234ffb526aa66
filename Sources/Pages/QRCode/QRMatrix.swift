/// The modules of a code. Each row and each column is an integer whose bits are its modules, the
/// first module lowest: what a mask does, and how good it is, is counted for a whole line at once.
struct QRMatrix: Sendable {
    private(set) var size: Int
    private(set) var rows: [UInt128]
    private(set) var columns: [UInt128]
    /// Modules that hold no data, by rows and by columns: no mask may touch them.
    private var fixedRows: [UInt128]
    private var fixedColumns: [UInt128]

    init(_ version: QRVersion, codewords: [UInt8]) {
        self = Self.layouts[version.number - 1]
        place(codewords)
        var best = masked(with: 0)
        var penalty = best.penalty
        for mask in 1..<8 {
            let other = masked(with: mask)
            let otherPenalty = other.penalty
            if otherPenalty < penalty { (best, penalty) = (other, otherPenalty) }
        }
        self = best
    }

    /// Every version without data.
    private static let layouts = QRVersion.allCases.map { QRMatrix($0) }

    private init(_ version: QRVersion) {
        size = version.size
        rows = [UInt128](repeating: 0, count: size)
        columns = rows
        // Neither may it touch what is beyond the last module.
        fixedRows = [UInt128](repeating: ~0 << size, count: size)
        fixedColumns = fixedRows
        drawPatterns(version)
    }

    subscript(column: Int, row: Int) -> Bool { rows[row] >> column & 1 == 1 }

    private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
        let (rowBit, columnBit) = (UInt128(1) << column, UInt128(1) << row)
        rows[row] = isDark ? rows[row] | rowBit : rows[row] & ~rowBit
        columns[column] = isDark ? columns[column] | columnBit : columns[column] & ~columnBit
    }

    private mutating func fix(_ column: Int, _ row: Int, _ isDark: Bool) {
        set(column, row, isDark)
        fixedRows[row] |= 1 << column
        fixedColumns[column] |= 1 << row
    }

    /// The code with a mask over its data, and the mask's number in it.
    func masked(with mask: Int) -> QRMatrix {
        var result = self
        for index in 0..<size {
            result.rows[index] ^= QRMask.row(mask, index) & ~fixedRows[index]
            result.columns[index] ^= QRMask.column(mask, index) & ~fixedColumns[index]
        }
        result.drawFormat(mask)
        return result
    }

    /// Data goes up and down in strips of two modules, from the right (ISO/IEC 18004 §7.7.3).
    private mutating func place(_ codewords: [UInt8]) {
        var bits = QRBitReader(codewords)
        var isUpward = true
        for right in [Int](stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            let (rightFixed, leftFixed) = (fixedColumns[right], fixedColumns[right - 1])
            var (rightBits, leftBits) = (UInt128(0), UInt128(0))
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                if rightFixed >> row & 1 == 0, bits.next() { rightBits |= 1 << row }
                if leftFixed >> row & 1 == 0, bits.next() { leftBits |= 1 << row }
            }
            add(rightBits, toColumn: right)
            add(leftBits, toColumn: right - 1)
            isUpward.toggle()
        }
    }

    private mutating func add(_ bits: UInt128, toColumn column: Int) {
        columns[column] |= bits
        var rest = bits
        while rest != 0 {
            rows[rest.trailingZeroBitCount] |= 1 << column
            rest &= rest - 1
        }
    }
}

/// The bits of codewords, the most significant first, and zeros after them.
private struct QRBitReader {
    private let codewords: [UInt8]
    private var count = 0

    init(_ codewords: [UInt8]) { self.codewords = codewords }

    mutating func next() -> Bool {
        defer { count += 1 }
        return count < codewords.count * 8
            && codewords[count >> 3] >> UInt8(7 - count & 7) & 1 == 1
    }
}

// The patterns by which readers find their way (ISO/IEC 18004 §6.3).
extension QRMatrix {
    private mutating func drawPatterns(_ version: QRVersion) {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(column, row) }
        let centres = version.alignments
        for row in centres {
            for column in centres {
                let last = size - 7
                let isFinder = [(6, 6), (6, last), (last, 6)].contains { $0 == (column, row) }
                if !isFinder { drawAlignment(column, row) }
            }
        }
        drawFormat(0)
        drawVersion(version.number)
    }

    private mutating func drawFinder(_ column: Int, _ row: Int) {
        for down in -4...4 {
            for right in -4...4 {
                let (x, y) = (column + right, row + down)
                guard (0..<size).contains(x), (0..<size).contains(y) else { continue }
                let ring = max(abs(right), abs(down))
                fix(x, y, ring != 2 && ring != 4)
            }
        }
    }

    private mutating func drawAlignment(_ column: Int, _ row: Int) {
        for down in -2...2 {
            for right in -2...2 { fix(column + right, row + down, max(abs(right), abs(down)) != 1) }
        }
    }

    /// Level M is 00; the mask and a check follow, twice (ISO/IEC 18004 §7.9).
    fileprivate mutating func drawFormat(_ mask: Int) {
        let bits = (mask << 10 | remainder(of: mask, by: 0x537, bits: 10)) ^ 0x5412
        func isDark(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(8, index, isDark(index)) }
        fix(8, 7, isDark(6))
        fix(8, 8, isDark(7))
        fix(7, 8, isDark(8))
        for index in 9..<15 { fix(14 - index, 8, isDark(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, isDark(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, isDark(index)) }
        fix(8, size - 8, true)
    }

    /// From version 7 on its number stands there twice (ISO/IEC 18004 §7.10).
    private mutating func drawVersion(_ number: Int) {
        guard number >= 7 else { return }
        let bits = number << 12 | remainder(of: number, by: 0x1F25, bits: 12)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (near, far) = (index / 3, size - 11 + index % 3)
            fix(far, near, isDark)
            fix(near, far, isDark)
        }
    }

    private func remainder(of value: Int, by divisor: Int, bits: Int) -> Int {
        var remainder = value
        for _ in 0..<bits {
            remainder = remainder << 1 ^ (remainder >> (bits - 1) & 1) * divisor
        }
        return remainder
    }
}
