extension String {
    /// The text, cut after at most so many bytes, with three dots where it was cut.
    func shortened(to bytesMax: Int) -> String {
        guard utf8.count > bytesMax else { return self }
        return String(self[..<placeBetweenCharacters(upTo: bytesMax)]) + "…"
    }

    /// The last place within so many bytes that is not within a character as people see it, such as a letter with its accent or a family in
    /// one picture.
    /// - Parameter bytes: at most as many as the text has.
    func placeBetweenCharacters(upTo bytes: Int) -> String.Index {
        let scalars = unicodeScalars
        var place = utf8.index(utf8.startIndex, offsetBy: bytes)
        while place.samePosition(in: scalars) == nil { place = utf8.index(before: place) }
        guard place < endIndex else { return place }
        let whole = place
        for _ in 0..<scalarsMax {
            guard place > startIndex, isWithinCharacter(place) else { return place }
            place = scalars.index(before: place)
        }
        // A text with so many marks in a row is none that anybody reads.
        return whole
    }

    /// Whether the scalars at both sides of a place are of one character.
    private func isWithinCharacter(_ place: String.Index) -> Bool {
        let scalars = unicodeScalars
        let next = scalars[place]
        let last = scalars[scalars.index(before: place)]
        // Two letters of a country are a flag.
        if next.isLetterOfFlag {
            let letters = scalars[..<place].suffix(scalarsMax).reversed()
            return !letters.prefix { $0.isLetterOfFlag }.count.isMultiple(of: 2)
        }
        return next.belongsToCharacterBefore || last.isJoiner
    }
}

/// The most scalars that a character is looked through for; no character of a language and no picture has so many.
private let scalarsMax = 40

extension Unicode.Scalar {
    fileprivate var isJoiner: Bool { value == 0x200D }

    fileprivate var isLetterOfFlag: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// Whether it changes the look of what is before it: a mark, a tone of skin or the choice of a variant.
    fileprivate var belongsToCharacterBefore: Bool {
        guard value >= 0x300 else { return false }
        return isJoiner || properties.isGraphemeExtend || properties.isEmojiModifier
            || properties.generalCategory == .spacingMark
    }
}
