/// Punycode, which writes a label of a host name in ASCII (RFC 3492).
enum Punycode {
    /// The label's ASCII form without the prefix `xn--`, or nil if the arithmetic overflows.
    static func encode(_ label: [Unicode.Scalar]) -> [UInt8]? {
        var result = label.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = UInt32(result.count)
        if basicCount > 0 { result.append(UInt8(ascii: "-")) }
        var (codePoint, delta, bias, handled) = (UInt32(0x80), UInt32(0), UInt32(72), basicCount)
        while handled < label.count {
            guard let next = label.lazy.map(\.value).filter({ $0 >= codePoint }).min() else {
                return nil
            }
            let (step, overflows) = (next - codePoint).multipliedReportingOverflow(by: handled + 1)
            guard !overflows, step <= UInt32.max - delta else { return nil }
            delta += step
            codePoint = next
            for scalar in label {
                if scalar.value < codePoint {
                    guard delta < .max else { return nil }
                    delta += 1
                }
                guard scalar.value == codePoint else { continue }
                append(delta, bias, to: &result)
                handled += 1
                bias = adapted(delta, handled, isFirst: handled == basicCount + 1)
                delta = 0
            }
            guard delta < .max else { return nil }
            delta += 1
            codePoint += 1
        }
        return result
    }

    /// Writes a number of variable length (RFC 3492 §3.3).
    private static func append(_ number: UInt32, _ bias: UInt32, to result: inout [UInt8]) {
        var (rest, position) = (number, base)
        while true {
            let threshold =
                position <= bias ? leastThreshold : min(position - bias, greatestThreshold)
            guard rest >= threshold else { break }
            let range = base - threshold
            result.append(digit(threshold + (rest - threshold) % range))
            rest = (rest - threshold) / range
            position += base
        }
        result.append(digit(rest))
    }

    /// The bias for the next number (RFC 3492 §3.4).
    private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var position: UInt32 = 0
        while delta > (base - leastThreshold) * greatestThreshold / 2 {
            delta /= base - leastThreshold
            position += base
        }
        return position + (base - leastThreshold + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value) + (value < 26 ? UInt8(ascii: "a") : UInt8(ascii: "0") - 26)
    }

    // RFC 3492 §5.
    private static let base: UInt32 = 36
    private static let leastThreshold: UInt32 = 1
    private static let greatestThreshold: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damp: UInt32 = 700
}
