/// Metrics in Prometheus' formats: text 0.0.4, or OpenMetrics 1.0. Write each family once, with its
/// samples after it.
package struct Exposition: Sendable {
    package let format: ExpositionFormat
    private var text = ""
    private var declared = Set<String>()
    private var family = MetricFamily("", .gauge, "")

    /// An empty exposition.
    package init(_ format: ExpositionFormat) { self.format = format }

    /// Begins a family; its samples follow.
    package mutating func begin(_ family: MetricFamily) {
        self.family = family
        let (name, kind) = declaration(of: family)
        declared.insert(name)
        let help = escaped(family.help, quote: format == .openMetrics)
        text += "# HELP \(name) \(help)\n"
        text += "# TYPE \(name) \(kind)\n"
    }

    /// Adds a sample of the current family.
    package mutating func add(_ value: MetricValue, _ labels: MetricLabel...) {
        add(family.name, labels, value.text)
    }

    /// Adds a sample with these labels.
    package mutating func add(_ value: MetricValue, _ labels: [MetricLabel]) {
        add(family.name, labels, value.text)
    }

    /// Adds a histogram of the current family.
    /// - Parameter bounds: the upper bounds of its buckets as text; there is one more count than
    ///   bounds.
    package mutating func add(
        _ histogram: MetricHistogram, bounds: [String], _ labels: MetricLabel...
    ) {
        precondition(histogram.counts.count == bounds.count + 1)
        var total = 0
        for (count, bound) in zip(histogram.counts, bounds + ["+Inf"]) {
            total += count
            add("\(family.name)_bucket", labels + [MetricLabel("le", bound)], "\(total)")
        }
        add("\(family.name)_sum", labels, histogram.sum.text)
        add("\(family.name)_count", labels, "\(total)")
    }

    /// The whole text, with the end that the format requires.
    package var bytes: [UInt8] { Array((format == .openMetrics ? text + "# EOF\n" : text).utf8) }

    private mutating func add(_ name: String, _ labels: [MetricLabel], _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(escaped($0.value, quote: true))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    /// OpenMetrics declares a counter without the suffix `_total`. If a gauge already has that
    /// name, such as `waymark_connections`, the kind of the counter is left out.
    private func declaration(of family: MetricFamily) -> (name: String, kind: String) {
        guard format == .openMetrics, family.kind == .counter else {
            return (family.name, family.kind.rawValue)
        }
        let name = String(family.name.dropLast("_total".utf8.count))
        return declared.contains(name) ? (family.name, "unknown") : (name, family.kind.rawValue)
    }
}

/// The format of metrics.
package enum ExpositionFormat: Sendable {
    case text, openMetrics

    /// The value of the Content-Type field; Prometheus uses nothing else to choose its parser.
    package var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The format that a client prefers by its Accept field (RFC 9110 §12.5.1); plain text unless
    /// it accepts OpenMetrics in this version.
    package init(accept: some Collection<UInt8>) {
        let field = String(decoding: accept, as: UTF8.self)
        var (open, plain) = (0, 0)
        for range in field.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = range.split(separator: UInt8(ascii: ";")).map(trimmed)
            guard let type = parts.first else { continue }
            let weight = parts.dropFirst().lazy.compactMap(quality).first ?? 1000
            let version = parts.dropFirst().first { $0.hasPrefix("version=") }
            switch type {
            case "application/openmetrics-text":
                guard version == nil || version == "version=1.0.0" else { continue }
                open = max(open, weight)
            case "text/plain", "text/*", "*/*": plain = max(plain, weight)
            default: continue
            }
        }
        self = open > plain ? .openMetrics : .text
    }
}

private func trimmed(_ part: Substring.UTF8View) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = part.drop(while: isSpace)
    let end = start.reversed().drop(while: isSpace).reversed()
    return String(decoding: end, as: UTF8.self).lowercased()
}

/// Thousandths of `q=`; nil for another parameter.
private func quality(_ parameter: String) -> Int? {
    guard parameter.hasPrefix("q=") else { return nil }
    let digits = parameter.utf8.dropFirst(2).filter { $0 != UInt8(ascii: ".") }
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return 0
    }
    let padded = Array(digits.prefix(4)) + [UInt8](repeating: 0x30, count: max(0, 4 - digits.count))
    guard first == 0x30 else { return 1000 }
    return padded.reduce(0) { $0 * 10 + Int($1 & 0xF) }
}

private func escaped(_ text: String, quote: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": escaped += "\\\\"
        case "\n": escaped += "\\n"
        case "\"" where quote: escaped += "\\\""
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
