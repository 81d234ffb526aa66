private import URISyntax

/// The content coding that a response has (RFC 9110 §8.4).
package enum ContentCoding: UInt8, Sendable, CaseIterable {
    /// In the order of preference where a client weighs them alike, the last one first. The better a
    /// coding compresses text that was compressed at leisure, the fewer bytes go over the network.
    case identity, gzip, zstd, brotli

    /// Its name in Content-Encoding.
    package var name: StaticString {
        switch self {
        case .identity: "identity"
        case .gzip: "gzip"
        case .zstd: "zstd"
        case .brotli: "br"
        }
    }
}

/// The codings in which a resource can be had, identity always among them.
package struct ContentCodings: Sendable {
    private var bits: UInt8 = 1

    /// Identity and these.
    package init(_ codings: ContentCoding...) { for coding in codings { insert(coding) } }

    package mutating func insert(_ coding: ContentCoding) { bits |= 1 << coding.rawValue }

    package func contains(_ coding: ContentCoding) -> Bool { bits & 1 << coding.rawValue != 0 }
}

extension FieldSection {
    /// The coding that the client prefers among those that there are (RFC 9110 §12.5.3), of several
    /// with one weight the one that compresses best; nil when it accepts none. Without the field any
    /// would be allowed, but no client means that: it gets the content as it is.
    package func contentCoding(
        _ bytes: [UInt8], among available: ContentCodings
    ) -> ContentCoding? {
        guard contains(.acceptEncoding) else { return .identity }
        let weights = weights(bytes.span)
        let identity = weights.identity ?? weights.any ?? 1
        var (best, bestWeight) = (ContentCoding.identity, 0)
        func consider(_ coding: ContentCoding, _ weight: Int?) {
            let weight = available.contains(coding) ? weight ?? weights.any ?? 0 : 0
            if weight > bestWeight { (best, bestWeight) = (coding, weight) }
        }
        consider(.brotli, weights.brotli)
        consider(.zstd, weights.zstd)
        consider(.gzip, weights.gzip)
        // A client that does not name identity allows it and does not prefer it.
        if bestWeight > 0, bestWeight >= weights.identity ?? 0 { return best }
        return identity > 0 ? .identity : bestWeight > 0 ? best : nil
    }

    /// The weights of the codings that are known here, and of `*`, in thousandths.
    private struct Weights {
        var gzip: Int?
        var zstd: Int?
        var brotli: Int?
        var identity: Int?
        var any: Int?
    }

    private func weights(_ span: Span<UInt8>) -> Weights {
        var weights = Weights()
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
                    weights.gzip = max(weights.gzip ?? 0, weight)
                } else if span.equals(coding, lowercased: Word.br) {
                    weights.brotli = weight
                } else if span.equals(coding, lowercased: Word.zstd) {
                    weights.zstd = weight
                } else if coding.count == 1, span[coding.lowerBound] == UInt8(ascii: "*") {
                    weights.any = weight
                } else if span.equals(coding, lowercased: Word.identity) {
                    weights.identity = weight
                }
            }
            line = next(.acceptEncoding, from: index + 1)
        }
        return weights
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
