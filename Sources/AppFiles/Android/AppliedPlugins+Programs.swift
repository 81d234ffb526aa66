extension AppliedPlugins {
    /// The plugins that the program of another plugin applies.
    /// - Parameter isScript: whether it can have a block `plugins` of its own.
    init(ofProgram tokens: [GradleToken], isScript: Bool, _ catalog: GradleCatalog) {
        self.catalog = catalog
        var depth = 0
        for index in tokens.indices {
            switch tokens[index] {
            case .symbol(UInt8(ascii: "{")): depth += 1
            case .symbol(UInt8(ascii: "}")): depth -= 1
            case .word:
                if tokens[index].isWord("import"), tokens.beginsStatement(index) {
                    take(import: tokens.line(from: index))
                } else if isScript, depth == 0, tokens[index].isWord("plugins"),
                    tokens.isSymbol("{", index + 1)
                {
                    take(plugins: tokens[(index + 2)...])
                } else if let statement = tokens.application(at: index) {
                    take(statement)
                }
            default: break
            }
        }
    }

    /// Takes the statements of a block, up to its end.
    private mutating func take(plugins rest: ArraySlice<GradleToken>) {
        let ends: [GradleToken] = [.newline, .symbol(UInt8(ascii: ";"))]
        let block = rest.prefix { $0 != .symbol(UInt8(ascii: "}")) }
        for statement in block.split(whereSeparator: ends.contains) { take(statement) }
    }
}

extension [GradleToken] {
    /// The statement that applies a plugin at a place, such as `pluginManager.apply("shop")`; nil if none does, as in the
    /// definition `fun apply(target: Project)`, in `extension.apply { }`, and in
    /// `Shop().apply(project)`, whose class is looked at where it stands.
    fileprivate func application(at index: Int) -> ArraySlice<GradleToken>? {
        let parts = self[index].parts
        // `apply { plugin("shop") }`.
        if parts.last == "plugin", parts.count == 1 || parts[0] == "it", beginsStatement(index) {
            return isCall(at: index) ? callee(from: index) : nil
        }
        guard parts.last == "apply", !GradleNames.definers.contains(word(index - 1)) else {
            return nil
        }
        // `forEach(pluginManager::apply)`.
        if isSymbol(":", index - 1), isSymbol(":", index - 2) { return [self[index], self[index]] }
        let isOfProject =
            ["project", "target", "this"].contains { token(index + 2).isWord($0) }
            && isSymbol(")", index + 3)
        return isCall(at: index) && !isOfProject ? callee(from: index) : nil
    }

    /// Whether what stands at a place gets an argument or a type.
    private func isCall(at index: Int) -> Bool {
        isSymbol("(", index + 1) || isSymbol("<", index + 1)
            || isArgument(index + 1) && !isSymbol("{", index + 1)
    }

    /// A call with its arguments.
    private func callee(from index: Int) -> ArraySlice<GradleToken> {
        let line = line(from: index).prefix {
            ![UInt8(ascii: "{"), UInt8(ascii: "}")].map(GradleToken.symbol).contains($0)
        }
        guard let end = line.dropFirst().closingParenthesis else { return line }
        return line[...end]
    }
}
