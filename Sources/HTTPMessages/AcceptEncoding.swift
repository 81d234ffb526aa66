private import URISyntax

/// The content coding of a response (RFC 9110 §8.4).
package enum ContentCoding: Sendable {
    case identity, gzip
}

extension FieldSection {
    /// The coding that the client prefers (RFC 9110 §12.5.3), gzip if it has no preference, or nil
    /// if it accepts none. Without the field, any coding would be allowed, but clients do not
    /// expect one, so the content is sent unencoded.
    package func contentCoding(_ bytes: [UInt8], hasGzip: Bool) -> ContentCoding? {
        guard contains(.acceptEncoding) else { return .identity }
        let weights = weights(bytes.span)
        let gzip = hasGzip ? weights.gzip ?? weights.any ?? 0 : 0
        let allowsIdentity = weights.identity ?? weights.any ?? 1 > 0
        if gzip > 0, gzip >= weights.identity ?? 0 { return .gzip }
        return allowsIdentity ? .identity : gzip > 0 ? .gzip : nil
    }

    /// The weights of the known codings and of `*`, in thousandths.
    private func weights(_ span: Span<UInt8>) -> (gzip: Int?, identity: Int?, any: Int?) {
        var (gzip, identity, any): (Int?, Int?, Int?) = (nil, nil, nil)
        var line = next(.acceptEncoding, from: 0)
        while let index = line {
            var list = FieldList(value(at: index))
            while let item = list.next(span) {
                var end = item.lowerBound
                while end < item.upperBound, span[end] != .semicolon { end += 1 }
                let coding = span.trimmingOWS(item.lowerBound..<end)
                // A malformed weight is ignored together with its coding.
                guard let weight = span.weight(end..<item.upperBound) else { continue }
                if span.equals(coding, lowercased: Word.gzip)
                    || span.equals(coding, lowercased: Word.xGzip)
                {
                    gzip = max(gzip ?? 0, weight)
                } else if coding.count == 1, span[coding.lowerBound] == UInt8(ascii: "*") {
                    any = weight
                } else if span.equals(coding, lowercased: Word.identity) {
                    identity = weight
                }
            }
            line = next(.acceptEncoding, from: index + 1)
        }
        return (gzip, identity, any)
    }
}

extension Span<UInt8> {
    /// The weight of `;q=0.5` in thousandths; 1000 if there is none, nil if it is malformed (RFC
    /// 9110 §12.4.2).
    fileprivate func weight(_ parameters: Range<Int>) -> Int? {
        let range = trimmingOWS(parameters)
        guard !range.isEmpty else { return 1000 }
        let value = trimmingOWS(range.lowerBound + 1..<range.upperBound)
        guard value.count >= 3, value.count <= 7,
            self[value.lowerBound] | 0x20 == UInt8(ascii: "q"),
            self[value.lowerBound + 1] == UInt8(ascii: "=")
        else { return nil }
        let whole = self[value.lowerBound + 2]
        guard whole == 0x30 || whole == 0x31 else { return nil }
        guard value.count > 3 else { return whole == 0x31 ? 1000 : 0 }
        guard self[value.lowerBound + 3] == UInt8(ascii: ".") else { return nil }
        var (fraction, scale) = (0, 100)
        for index in value.lowerBound + 4..<value.upperBound {
            guard self[index].isDigit else { return nil }
            fraction += Int(self[index] &- 0x30) * scale
            scale /= 10
        }
        guard whole == 0x31 else { return fraction }
        return fraction == 0 ? 1000 : nil
    }
}
