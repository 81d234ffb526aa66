/// The variables of a script whose values are literals.
struct GradleDefinitions {
    /// Nil for one with several values.
    private var texts = [[UInt8]: String?]()

    mutating func add(_ value: GradleToken, _ name: [UInt8]) {
        var text: String?
        if case .text(let literal) = value { text = literal }
        texts[name] = texts[name] == nil ? .some(text) : .some(nil)
    }

    mutating func open(_ name: [UInt8]) { texts[name] = .some(nil) }

    /// Tokens with the values of variables in their places.
    func values(of tokens: ArraySlice<GradleToken>) -> ArraySlice<GradleToken> {
        tokens.map { token in
            if case .word(let name) = token, let text = texts[name] { .text(text) } else { token }
        }[...]
    }
}
