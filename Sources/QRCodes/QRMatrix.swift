/// The modules of a code. Each row and each column is an integer whose bits are its modules, the
/// first module lowest: what a mask does, and how good it is, is counted for a whole line at once.
struct QRMatrix<Line: ModuleLine>: Sendable {
    private(set) var size: Int
    private var level: QRLevel
    private(set) var rows: [Line]
    private(set) var columns: [Line]
    /// Modules that hold no data, by rows and by columns: no mask may touch them.
    private var fixedRows: [Line]
    private var fixedColumns: [Line]

    init(_ version: QRVersion, codewords: [UInt8]) {
        self = Line.layouts[version.number - 1]
        level = version.level
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

    /// The version without data.
    init(_ version: QRVersion) {
        (size, level) = (version.size, version.level)
        rows = [Line](repeating: .none, count: size)
        columns = rows
        // Neither may it touch what is beyond the last module.
        fixedRows = [Line](repeating: ~.first(size), count: size)
        fixedColumns = fixedRows
        drawPatterns(version)
    }

    private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
        let (rowBit, columnBit) = (Line.bit(column), Line.bit(row))
        rows[row] = isDark ? rows[row] | rowBit : rows[row] & ~rowBit
        columns[column] = isDark ? columns[column] | columnBit : columns[column] & ~columnBit
    }

    private mutating func fix(_ column: Int, _ row: Int, _ isDark: Bool) {
        set(column, row, isDark)
        fixedRows[row] = fixedRows[row] | .bit(column)
        fixedColumns[column] = fixedColumns[column] | .bit(row)
    }

    /// The code with a mask over its data, and the mask's number in it.
    func masked(with mask: Int) -> QRMatrix {
        var result = self
        let masks = Line.masks
        for index in 0..<size {
            result.rows[index] = rows[index] ^ masks.row(mask, index) & ~fixedRows[index]
            result.columns[index] =
                columns[index] ^ masks.column(mask, index) & ~fixedColumns[index]
        }
        result.drawFormat(mask)
        return result
    }

    /// Data goes up and down in strips of two modules, from the right (ISO/IEC 18004 §7.7.3).
    private mutating func place(_ codewords: [UInt8]) {
        var bits = QRBitReader(codewords)
        for (right, isUpward) in strips {
            let (rightFixed, leftFixed) = (fixedColumns[right], fixedColumns[right - 1])
            var (rightBits, leftBits) = (Line.none, Line.none)
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                if !rightFixed[row], bits.next() { rightBits = rightBits | .bit(row) }
                if !leftFixed[row], bits.next() { leftBits = leftBits | .bit(row) }
            }
            add(rightBits, toColumn: right)
            add(leftBits, toColumn: right - 1)
        }
    }

    /// The right column of each strip, and its direction.
    private var strips: [(right: Int, isUpward: Bool)] {
        ([Int](stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]).enumerated().map {
            ($1, $0 % 2 == 0)
        }
    }

    /// Every module that holds data or error correction, in the order of their bits.
    var dataModules: [(column: Int, row: Int)] {
        strips.flatMap { right, isUpward in
            (0..<size).flatMap { step in
                let row = isUpward ? size - 1 - step : step
                return [right, right - 1].filter { !fixedColumns[$0][row] }.map { ($0, row) }
            }
        }
    }

    private mutating func add(_ bits: Line, toColumn column: Int) {
        columns[column] = columns[column] | bits
        var row = bits.trailingZeroBitCount
        while row < size {
            rows[row] = rows[row] | .bit(column)
            row += 1 + ((bits >> row) >> 1).trailingZeroBitCount
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

    /// The level, the mask and a check, twice (ISO/IEC 18004 §7.9).
    fileprivate mutating func drawFormat(_ mask: Int) {
        let data = level.bits << 3 | mask
        let bits = (data << 10 | remainder(of: data, by: 0x537, bits: 10)) ^ 0x5412
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
