private import URISyntax

extension HTMLTokenizer {
    /// Reads the comment, document type or bogus comment that begins with `<!` at the index.
    mutating func declaration() -> HTMLToken.Kind {
        if stands("--", at: index + 2) { return comment() }
        guard stands("doctype", at: index + 2) else { return bogusComment(from: index + 2) }
        index += 9
        skip(while: \.isHTMLSpace)
        let start = index
        skip { !$0.isHTMLSpace && $0 != UInt8(ascii: ">") }
        let name = lowerCased(start..<index)
        skip { $0 != UInt8(ascii: ">") }
        index = Swift.min(index + 1, bytes.count)
        return .doctype(name)
    }

    /// A comment ends with `-->` or `--!>`, or at once as `<!-->` and `<!--->`.
    private mutating func comment() -> HTMLToken.Kind {
        let start = index + 4
        for (shortcut, length) in [(">", 1), ("->", 2)] as [(StaticString, Int)]
        where stands(shortcut, at: start) {
            index = start + length
            return .comment("")
        }
        index = start
        while index < bytes.count {
            for (end, length) in [("-->", 3), ("--!>", 4)] as [(StaticString, Int)]
            where stands(end, at: index) {
                defer { index += length }
                return .comment(text(start..<index))
            }
            index += 1
            skip { $0 != UInt8(ascii: "-") }
        }
        return .comment(text(start..<withoutUnfinishedEnd(start..<bytes.count)))
    }

    /// An end that the document cuts short is no part of the comment.
    private func withoutUnfinishedEnd(_ range: Range<Int>) -> Int {
        for end in ["--!", "--", "-"] as [StaticString] {
            let start = range.upperBound - end.utf8CodeUnitCount
            if start >= range.lowerBound, stands(end, at: start) { return start }
        }
        return range.upperBound
    }

    /// What begins like markup and is none goes up to the next `>`.
    mutating func bogusComment(from start: Int) -> HTMLToken.Kind {
        index = start
        skip { $0 != UInt8(ascii: ">") }
        let end = index
        index = Swift.min(index + 1, bytes.count)
        return .comment(text(start..<end))
    }
}
