import HTTPMessages

/// Status codes by their place in `Status.allCases`; any other comes after them.
enum StatusIndex {
    static let codes = Status.allCases.map(\.rawValue)
    static let count = codes.count + 1

    /// The place of each code below 600.
    static let indexes: [UInt8] = {
        var indexes = [UInt8](repeating: UInt8(codes.count), count: 600)
        for (index, code) in codes.enumerated() { indexes[code] = UInt8(index) }
        return indexes
    }()

    /// Those that tell a fetcher that the file is there.
    static let successes = [of(200), of(304)]

    /// Those with which a request for a file that is there fails.
    static let failures = (0..<count).filter {
        $0 == codes.count || ![200, 206, 304].contains(codes[$0])
    }

    static func of(_ code: Int) -> Int {
        indexes.indices.contains(code) ? Int(indexes[code]) : codes.count
    }

    static func name(_ index: Int) -> String { index < codes.count ? "\(codes[index])" : "other" }
}
