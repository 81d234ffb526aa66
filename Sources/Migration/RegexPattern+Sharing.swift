extension RegexPattern {
    /// Whether an expression can share out a path between what is in front and the forms of a group otherwise than patterns
    /// do: it gives a text to what is in front as long as that can take it, and another form is the end of the text.
    /// - Parameters:
    ///   - forms: those of each start.
    ///   - isOptional: whether the group can be missing.
    static func sharesOut(
        _ starts: [Variant], _ forms: [[Variant]], isOptional: Bool
    ) -> Bool {
        zip(starts, forms).contains { start, found in
            let texts =
                found.map { Array($0.pattern.text.utf8.dropFirst(start.pattern.text.utf8.count)) }
                + (isOptional ? [[]] : [])
            return texts.contains { text in
                start.pattern.canTake(text)
                    && texts.contains {
                        $0.count < text.count && text.suffix($0.count).elementsEqual($0)
                    }
            }
        }
    }
}
