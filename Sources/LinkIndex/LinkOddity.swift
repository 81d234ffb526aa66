private import Memory

/// The fault of an unanswered link, which no request can have made: another program has written it.
package enum LinkOddity: Hashable, Sendable, CustomStringConvertible {
    case slugBytes(Int)
    case destinationBytes(Int)
    /// It has other bytes than those of visible ASCII characters, which end a field of a response.
    case destinationForm
    /// It begins with neither of the schemes of the web, so a browser could be led to run it as a script.
    case destinationScheme
    case detailsBytes(Int)
    /// The number of its row is negative, or has more than 48 bits.
    case number
    /// Its identity has not 16 bytes.
    case identity

    package var description: String {
        func count(_ what: String, _ bytes: Int, _ limit: Int) -> String {
            "\(what) has \(bytes) bytes, may have \(limit)"
        }
        return switch self {
        case .slugBytes(0): "its slug is empty"
        case .slugBytes(let bytes): count("its slug", bytes, LinkRecord.slugBytesMax)
        case .destinationBytes(let bytes):
            count("its destination", bytes, LinkRecord.destinationBytesMax)
        case .destinationForm: "its destination has bytes that no URL has"
        case .destinationScheme: "its destination begins with neither https:// nor http://"
        case .detailsBytes(let bytes):
            count("its page, web, campaign, after and app", bytes, LinkRecord.detailsBytesMax)
        case .number: "the number of its row has more than 48 bits, or is negative"
        case .identity: "its identity has not 16 bytes"
        }
    }

    /// - Parameter bytes: of a record up to the end of its details.
    init?(_ id: UInt64, _ bytes: [UInt8], slug: Range<Int>, destination: Range<Int>) {
        let details = bytes.count - destination.upperBound
        if slug.isEmpty || slug.count > LinkRecord.slugBytesMax {
            self = .slugBytes(slug.count)
        } else if destination.count > LinkRecord.destinationBytesMax {
            self = .destinationBytes(destination.count)
        } else if details > LinkRecord.detailsBytesMax {
            self = .detailsBytes(details)
        } else if id > LinkRecord.idMax {
            self = .number
        } else if !bytes.span.isVisible(destination) {
            self = .destinationForm
        } else if !bytes.span.isOfWeb(destination) {
            self = .destinationScheme
        } else {
            return nil
        }
    }
}

extension Span<UInt8> {
    /// Whether these bytes are nothing, or begin with a scheme of the web and two slashes, in any letter case.
    fileprivate func isOfWeb(_ range: Range<Int>) -> Bool {
        guard range.count >= 8 else { return range.isEmpty }
        let start = word(range.lowerBound..<range.lowerBound + 8).foldedToLowerCase
        return start == 0x6874_7470_733A_2F2F || start >> 8 == 0x0068_7474_703A_2F2F
    }

    /// Whether these bytes are visible ASCII characters, eight at a time.
    fileprivate func isVisible(_ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        while position + 8 <= range.upperBound {
            let word = word(at: position)
            // The high bit of each byte that is below "!", or beyond "~".
            let low = word & 0x7F7F_7F7F_7F7F_7F7F
            let atLeastMark = low + 0x5F5F_5F5F_5F5F_5F5F
            let beyondTilde = low + 0x0101_0101_0101_0101
            if (word | ~atLeastMark | beyondTilde) & 0x8080_8080_8080_8080 != 0 { return false }
            position += 8
        }
        while position < range.upperBound {
            guard 0x21...0x7E ~= self[position] else { return false }
            position += 1
        }
        return true
    }
}
