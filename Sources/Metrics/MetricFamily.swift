/// A metric and the meaning of its samples.
package struct MetricFamily: Sendable {
    /// The name of its samples; a counter's ends in `_total`.
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

    /// The type of a metric.
    package enum Kind: String, Sendable {
        /// A number that only grows, from 0 at the start of the process.
        case counter
        case gauge
        case histogram
    }
}

/// A label's name and value.
package struct MetricLabel: Sendable {
    let name: String
    let value: String

    /// - Parameter value: its description is written.
    package init(_ name: String, _ value: some CustomStringConvertible) {
        self.name = name
        self.value = value.description
    }
}

/// The values of a histogram: the number of observations in each bucket, and of those beyond the
/// last.
package struct MetricHistogram: Sendable {
    package var counts: [Int]
    /// The sum of all observations, in the unit of the bounds.
    package var sum: MetricValue

    package init(counts: [Int], sum: MetricValue) {
        self.counts = counts
        self.sum = sum
    }
}

/// A sample's value.
package enum MetricValue: Sendable {
    case integer(Int)
    /// Millionths of a unit, such as seconds that were counted in microseconds.
    case millionths(Int)

    var text: String {
        switch self {
        case .integer(let number): return "\(number)"
        case .millionths(let number):
            let sign = number < 0 ? "-" : ""
            let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
            guard rest != 0 else { return "\(sign)\(whole)" }
            let digits = String(rest)
            let zeros = String(repeating: "0", count: 6 - digits.utf8.count)
            return "\(sign)\(whole).\(zeros)\(digits)"
        }
    }
}
