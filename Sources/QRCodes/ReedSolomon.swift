/// Reed-Solomon codes over the field of 256 elements that QR codes use (ISO/IEC 18004, annex A).
struct ReedSolomon {
    /// The generator polynomial without its first coefficient, which is 1.
    private let generator: [UInt8]

    /// The codes by their length, up to the longest that is used.
    static let codes = (0...30).map { ReedSolomon(count: max($0, 1)) }

    /// - Parameter count: how many codewords of correction a block gets.
    init(count: Int) {
        var generator = [UInt8](repeating: 0, count: count)
        generator[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in generator.indices {
                generator[index] = Self.product(generator[index], root)
                if index + 1 < count { generator[index] ^= generator[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.generator = generator
    }

    /// The remainder of the block's polynomial by the generator.
    func correction(_ block: ArraySlice<UInt8>) -> [UInt8] {
        // A place more, which stays 0.
        var remainder = [UInt8](repeating: 0, count: generator.count + 1)
        let (powers, logarithms) = (Self.powers, Self.logarithms)
        for word in block {
            let factor = word ^ remainder[0]
            let logarithm = Int(logarithms[Int(factor)])
            for index in generator.indices {
                // No coefficient of a generator is 0.
                let product = powers[Int(logarithms[Int(generator[index])]) + logarithm]
                remainder[index] = remainder[index + 1] ^ (factor == 0 ? 0 : product)
            }
        }
        return Array(remainder.dropLast())
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        guard left != 0, right != 0 else { return 0 }
        return powers[Int(logarithms[Int(left)]) + Int(logarithms[Int(right)])]
    }

    /// Powers of 2, twice over, so that a sum of two logarithms needs no remainder.
    private static let powers: [UInt8] = {
        var (powers, value) = ([UInt8](), 1)
        for _ in 0..<510 {
            powers.append(UInt8(value))
            value <<= 1
            if value > 255 { value ^= 0x11D }
        }
        return powers
    }()

    private static let logarithms: [UInt8] = {
        var logarithms = [UInt8](repeating: 0, count: 256)
        for exponent in 0..<255 { logarithms[Int(powers[exponent])] = UInt8(exponent) }
        return logarithms
    }()
}
