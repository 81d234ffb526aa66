/// The wish of a client to be answered when all nodes have its change, or after some seconds (`Prefer: wait=N`, RFC
/// 7240 §4.3). A field that cannot be understood is no wish, and no fault.
package struct WaitPreference: Equatable, Sendable {
    package let seconds: Int

    /// - Parameter field: the value of all `Prefer` fields.
    init?(_ field: String) {
        for preference in Self.parts(Array(field.utf8)[...], at: UInt8(ascii: ",")) {
            // Parameters of a preference stand behind it.
            let own = Self.parts(preference, at: UInt8(ascii: ";")).first ?? []
            let halves = own.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves.first?.trimmed,
                name.map({ $0 | 0x20 }).elementsEqual("wait".utf8)
            else { continue }
            // Of several, the first one counts (RFC 7240 §2).
            guard halves.count == 2, let seconds = Self.number(halves[1].trimmed) else {
                return nil
            }
            self.seconds = min(seconds, Self.secondsMax)
            return
        }
        return nil
    }

    /// A longer wait is cut to this.
    package static let secondsMax = 10

    /// Splits where a byte stands outside of quotes.
    private static func parts(
        _ bytes: ArraySlice<UInt8>, at separator: UInt8
    ) -> [ArraySlice<UInt8>] {
        var (parts, start, isQuoted, isEscaped) = (
            [ArraySlice<UInt8>](), bytes.startIndex, false, false
        )
        for (index, byte) in zip(bytes.indices, bytes) {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = byte == UInt8(ascii: "\\")
            } else if byte == separator {
                parts.append(bytes[start..<index])
                start = index + 1
            }
        }
        return parts + [bytes[start...]]
    }

    /// The number of a word, which may be quoted; nil for anything else. One with many digits is as much as any.
    private static func number(_ word: ArraySlice<UInt8>) -> Int? {
        let quote = UInt8(ascii: "\"")
        var digits = word
        if digits.count >= 2, digits.first == quote, digits.last == quote {
            digits = digits.dropFirst().dropLast()
        }
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { min($0 * 10 + Int($1 - 0x30), secondsMax) }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks at both ends.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let rest = drop { $0 == 0x20 || $0 == 0x09 }
        let end = rest.lastIndex { $0 != 0x20 && $0 != 0x09 }
        return end.map { rest[...$0] } ?? []
    }
}

extension APIResponse {
    /// The answer to a request that has waited.
    /// - Parameters:
    ///   - nodes: those that have the change, and all that are there; nil if they are not known.
    package func awaited(
        _ preference: WaitPreference, _ nodes: (having: Int, all: Int)?
    ) -> APIResponse {
        guard let nodes else { return self }
        var answer = self
        answer.fields["Preference-Applied"] = "wait=\(preference.seconds)"
        answer.fields["Waymark-Nodes"] = "\(nodes.having)/\(nodes.all)"
        return answer
    }
}
