extension RegexPattern {
    /// Whether an expression can divide a path between a start and a group differently from patterns. In an expression,
    /// the start takes as much as it can. The two differ if the start can take a form of the group, and a shorter form is
    /// the end of that one.
    /// - Parameters:
    ///   - forms: those of each start.
    ///   - isOptional: whether the group can be missing.
    static func sharesOut(_ starts: [Variant], _ forms: [[Variant]], isOptional: Bool) -> Bool {
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
