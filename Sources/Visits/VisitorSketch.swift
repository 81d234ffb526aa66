/// The number of different visitors of a link on a day: their hashes while there are at most 128,
/// afterwards a HyperLogLog of 2,048 registers (Flajolet et al., 2007) with Ertl's estimate (2017),
/// whose standard error is 2.3 %.
package struct VisitorSketch: Equatable, Sendable {
    /// The hashes, in order.
    private var hashes = [UInt32]()
    /// Nil while the hashes are kept.
    private var registers: [UInt8]?

    /// Of no visitors.
    package init() {}

    /// Adds a visitor.
    /// - Returns: whether the sketch has changed.
    package mutating func add(_ hash: UInt32) -> Bool {
        if registers != nil { return raise(hash) }
        let index = hashes.firstIndex { $0 >= hash } ?? hashes.endIndex
        if index < hashes.endIndex, hashes[index] == hash { return false }
        hashes.insert(hash, at: index)
        if hashes.count > Self.exactMax {
            registers = [UInt8](repeating: 0, count: Self.registerCount)
            for hash in hashes { _ = raise(hash) }
            hashes = []
        }
        return true
    }

    /// The number of visitors, or an estimate of it.
    package var count: Int {
        guard let registers else { return hashes.count }
        var histogram = [Int](repeating: 0, count: Self.rankMax + 1)
        for rank in registers { histogram[Int(rank)] += 1 }
        let number = Double(Self.registerCount)
        var sum = number * Self.tau(1 - Double(histogram[Self.rankMax]) / number)
        for rank in (1..<Self.rankMax).reversed() { sum = 0.5 * (sum + Double(histogram[rank])) }
        sum += number * Self.sigma(Double(histogram[0]) / number)
        let estimate = (number * number / (2 * Self.naturalLogarithmOfTwo * sum)).rounded()
        // Registers that no hashes can have filled have no estimate.
        return Int(exactly: estimate) ?? 0
    }

    // MARK: Bytes

    /// As it is stored: four bytes for each hash, or one for each register.
    package var bytes: [UInt8] {
        registers
            ?? hashes.flatMap { hash in
                (0..<4).map { UInt8(truncatingIfNeeded: hash >> UInt32(8 * $0)) }
            }
    }

    /// Reads `bytes`; nil for what is no sketch.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count != Self.registerCount else {
            guard bytes.allSatisfy({ $0 <= Self.rankMax }) else { return nil }
            registers = bytes
            return
        }
        guard bytes.count <= 4 * Self.exactMax, bytes.count.isMultiple(of: 4) else { return nil }
        hashes = stride(from: 0, to: bytes.count, by: 4).map { start in
            (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
        }
    }

    // MARK: HyperLogLog

    package static let exactMax = 128
    private static let indexBits = 11
    private static let registerCount = 1 << indexBits
    private static let rankMax = 32 - indexBits + 1
    private static let naturalLogarithmOfTwo = 0.693_147_180_559_945_3

    private mutating func raise(_ hash: UInt32) -> Bool {
        let index = Int(hash >> UInt32(32 - Self.indexBits))
        // The bit below the last one ends the zeros.
        let rest = hash << UInt32(Self.indexBits) | 1 << UInt32(Self.indexBits - 1)
        let rank = UInt8(rest.leadingZeroBitCount + 1)
        guard let before = registers?[index], before < rank else { return false }
        registers?[index] = rank
        return true
    }

    private static func sigma(_ start: Double) -> Double {
        guard start < 1 else { return .infinity }
        var (power, weight, sum) = (start, 1.0, start)
        while true {
            power *= power
            let next = sum + power * weight
            weight += weight
            guard next != sum else { return sum }
            sum = next
        }
    }

    private static func tau(_ start: Double) -> Double {
        guard start > 0, start < 1 else { return 0 }
        var (root, weight, sum) = (start, 1.0, 1 - start)
        while true {
            root = root.squareRoot()
            weight *= 0.5
            let next = sum - (1 - root) * (1 - root) * weight
            guard next != sum else { return sum / 3 }
            sum = next
        }
    }
}
