// Whether one pattern takes all that another takes: the question behind rules that are never
// tried, and behind what changes between two files.

extension Glob {
    /// Whether every text that `other` matches is matched by this pattern too.
    ///
    /// `true` is always right; `false` may mean that the question was too hard: values of
    /// variables are not looked into, and the last of `steps` ends the search.
    /// - Parameter folding: whether letter case makes no difference.
    package func covers(_ other: Glob, folding: Bool, steps: inout Int) -> Bool {
        if isUniversal { return true }
        let (own, texts) = (symbols, other.symbols)
        var (position, text) = (0, 0)
        // Where to go on when the latest star must take one more.
        var star: (position: Int, text: Int)?
        while text < texts.count {
            steps -= 1
            guard steps > 0 else { return false }
            if position < own.count, own[position] == .many {
                star = (position + 1, text)
                position += 1
            } else if position < own.count, own[position].takes(texts[text], folding) {
                position += 1
                text += 1
            } else if let back = star {
                star = (back.position, back.text + 1)
                (position, text) = (back.position, back.text + 1)
            } else {
                return false
            }
        }
        return own[position...].allSatisfy { $0 == .many }
    }

    /// The same for paths, all of which begin with a slash. Sources disagree on what else than
    /// itself matches the root, which is the one path without a second slash.
    package func coversPath(_ other: Glob, folding: Bool, steps: inout Int) -> Bool {
        if takesEveryPath { return true }
        if other.symbols == [.literal("/")] { return symbols == other.symbols }
        return covers(other, folding: folding, steps: &steps)
    }
}

extension Glob.Symbol {
    /// Whether all that `other` stands for is something that this symbol, no star, stands for.
    fileprivate func takes(_ other: Glob.Symbol, _ folding: Bool) -> Bool {
        switch (self, other) {
        case (.one, .literal), (.one, .one): true
        case (.literal(let own), .literal(let text)):
            own == text || (folding && folded(own) == folded(text))
        case (.variable(let own), .variable(let text)): own.utf8.elementsEqual(text.utf8)
        default: false
        }
    }
}

/// One scalar for one scalar, as letter case is folded in patterns.
private func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
        let isCapital = ("A"..."Z").contains(scalar)
        return isCapital ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
    }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first ?? scalar : scalar
}
