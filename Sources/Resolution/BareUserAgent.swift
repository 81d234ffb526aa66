private import URISyntax

extension VisitorTable {
    /// Whether a text says that it is Mozilla, and behind that at most the system of a computer, as scripts do. Browsers of
    /// computers have the name of their engine behind the system, or their own one in it. A few of phones have neither.
    static func namesNoBrowser(_ userAgent: Span<UInt8>, _ tokens: VisitorTokens) -> Bool {
        guard let comment = onlyComment(of: userAgent), !tokens.contains(.oldBrowser),
            !tokens.contains(.iPhone), !tokens.contains(.iPad), !tokens.contains(.android),
            !tokens.contains(.windowsPhone), tokens.first(in: VisitorToken.apps) == nil
        else { return false }
        return !compiledWords.tokens(in: userAgent.extracting(comment)).contains(.browser)
    }

    /// The place of what is behind `Mozilla/` and a version, if that is nothing or one comment (RFC 9110 §5.6.5), which may be
    /// cut off. What is behind the comment is not read.
    private static func onlyComment(of userAgent: Span<UInt8>) -> Range<Int>? {
        guard userAgent.count >= mozilla.count else { return nil }
        for index in mozilla.indices where userAgent[index] != mozilla[index] { return nil }
        var index = mozilla.count
        while index < userAgent.count, isOfVersion(userAgent[index]) { index += 1 }
        let start = index
        var (depth, hasComment) = (0, false)
        while index < userAgent.count {
            switch userAgent[index] {
            case UInt8(ascii: "("):
                if depth == 0, hasComment { return nil }
                (depth, hasComment) = (depth + 1, true)
            case UInt8(ascii: ")") where depth > 0: depth -= 1
            case 0x20, UInt8(ascii: ";"): break
            default: if depth == 0 { return nil }
            }
            index += 1
        }
        return start..<userAgent.count
    }

    private static func isOfVersion(_ byte: UInt8) -> Bool {
        byte.isDigit || byte == UInt8(ascii: ".")
    }

    private static let mozilla = Array("Mozilla/".utf8)
}
