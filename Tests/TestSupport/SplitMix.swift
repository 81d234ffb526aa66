/// Random numbers that a seed repeats (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators"): for tests and fuzzers, which print the seed of what fails.
package struct SplitMix: RandomNumberGenerator, Sendable {
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) { (self.seed, state) = (seed, seed) }

    /// Another seed each time.
    package init() { self.init(seed: .random(in: .min ... .max)) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
