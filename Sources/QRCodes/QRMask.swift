/// The eight masks that break up what readers could take for something else (ISO/IEC 18004 §7.8).
struct QRMasks<Line: ModuleLine>: Sendable {
    private let rows: [Line]
    private let columns: [Line]

    init(length: Int) {
        rows = Self.lines(length) { mask, line, position in inverts(mask, line, position) }
        columns = Self.lines(length) { mask, line, position in inverts(mask, position, line) }
    }

    /// Every mask repeats after twelve modules in both directions.
    func row(_ mask: Int, _ row: Int) -> Line { rows[mask * 12 + row % 12] }

    func column(_ mask: Int, _ column: Int) -> Line { columns[mask * 12 + column % 12] }

    private static func lines(_ length: Int, _ inverts: (Int, Int, Int) -> Bool) -> [Line] {
        (0..<8 * 12).map { index in
            (0..<length).reduce(into: Line.none) { line, position in
                if inverts(index / 12, index % 12, position) { line = line | .bit(position) }
            }
        }
    }
}

private func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
}

extension QRMatrix {
    /// The penalty for parts that could mislead a reader; the mask with the least is taken.
    var penalty: Int {
        let line = Line.first(size)
        var result = 0
        var dark = 0
        for index in 0..<size {
            result += linePenalty(rows[index], line) + linePenalty(columns[index], line)
            if index > 0 { result += squares(rows[index - 1], rows[index]) }
            dark += rows[index].nonzeroBitCount
        }
        // Ten for each step of five in a hundred away from half.
        let total = size * size
        return result + 10 * (abs(dark * 20 - total * 10) / total)
    }

    /// Runs of five and more modules of one colour, and what looks like a finder pattern.
    private func linePenalty(_ bits: Line, _ line: Line) -> Int {
        let equal = ~(bits ^ (bits >> 1)) & (line >> 1)
        let pairs = equal & (equal >> 1)
        let fives = pairs & (pairs >> 2)
        let runs = fives & ~(fives << 1)
        let light = ~bits & line
        let lights = light & (light >> 1)
        let fourLight = lights & (lights >> 2)
        let finder =
            bits & (light >> 1) & (bits >> 2) & (bits >> 3) & (bits >> 4) & (light >> 5)
            & (bits >> 6)
        let finders =
            (finder & (fourLight >> 7)).nonzeroBitCount
            + ((finder >> 4) & fourLight).nonzeroBitCount
        return fives.nonzeroBitCount + 2 * runs.nonzeroBitCount + 40 * finders
    }

    /// Three for each square of four modules of one colour.
    private func squares(_ upper: Line, _ lower: Line) -> Int {
        let line = Line.first(size - 1)
        let same = ~(upper ^ lower)
        let equal = ~(upper ^ (upper >> 1))
        return 3 * (same & (same >> 1) & equal & line).nonzeroBitCount
    }
}
