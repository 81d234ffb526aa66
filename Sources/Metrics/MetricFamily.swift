/// A metric, and what its samples tell.
package struct MetricFamily: Sendable {
    /// The name of its samples, that of counters with `_total`.
    package let name: String
    package let kind: Kind
    package let help: String
    /// The names of the labels that each of its samples has.
    package let labels: [String]

    package init(_ name: String, _ kind: Kind, _ help: String, labels: [String] = []) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// What may become of a metric's value.
    package enum Kind: String, Sendable {
        /// It goes up, and begins at 0 when the process does.
        case counter
        case gauge
        case histogram
    }
}

/// A label's name and value.
package struct MetricLabel: Sendable {
    let name: String
    let value: String

    /// - Parameter value: is written as it describes itself.
    package init(_ name: String, _ value: some CustomStringConvertible) {
        self.name = name
        self.value = value.description
    }
}

/// The values of a histogram: how many observations fell into each bucket, and after the last.
package struct MetricHistogram: Sendable {
    package var counts: [Int]
    /// Of all observations, in the unit of the bounds.
    package var sum: MetricValue

    package init(counts: [Int], sum: MetricValue) {
        self.counts = counts
        self.sum = sum
    }
}

/// A sample's value.
package enum MetricValue: Sendable {
    case integer(Int)
    /// So many millionths of a unit: seconds that were counted in microseconds.
    case millionths(Int)

    var text: String {
        switch self {
        case .integer(let number): return "\(number)"
        case .millionths(let number):
            let (whole, rest) = (number / 1_000_000, number % 1_000_000)
            guard rest != 0 else { return "\(whole)" }
            let digits = String(rest)
            let zeros = String(repeating: "0", count: 6 - digits.utf8.count)
            return "\(whole).\(zeros)\(digits)"
        }
    }
}
