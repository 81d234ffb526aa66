/// The histograms' buckets.
enum Buckets {
    /// In microseconds. This origin answers most requests within the first.
    private static let durationBounds: [15 of Int] = [
        250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000,
    ]
    static let durationCount = 15
    static let durationTexts = [
        "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25",
        "0.5", "1.0", "2.5", "5.0", "10.0",
    ]
    /// In bytes: 256, and four times as many for each further one, up to 4 MiB.
    static let sizeCount = 8
    static let sizeTexts = (0..<sizeCount).map { "\(256 << (2 * $0)).0" }

    static func duration(_ microseconds: Int) -> Int {
        var index = 0
        while index < durationCount, microseconds > durationBounds[index] { index += 1 }
        return index
    }

    @inline(__always)
    static func size(_ bytes: Int) -> Int {
        guard bytes > 256 else { return 0 }
        // So many bits are needed for what is less than the bound of its bucket.
        let bits = Int.bitWidth - (bytes - 1).leadingZeroBitCount
        return min((bits - 7) / 2, sizeCount)
    }
}
