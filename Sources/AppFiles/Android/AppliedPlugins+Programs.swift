extension AppliedPlugins {
    /// The plugins that the program of another plugin applies.
    /// - Parameter isScript: whether it can have a block `plugins` of its own.
    init(ofProgram tokens: [GradleToken], isScript: Bool, _ catalog: GradleCatalog) {
        self.catalog = catalog
        let usesPlugins = tokens.mentions(managers.contains)
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
                } else if let statement = tokens.application(at: index, usesPlugins) {
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
    /// definition `fun apply(target: Project)`, and in `extension.apply(block)`.
    /// - Parameter usesPlugins: whether `apply` alone can be of something that applies plugins, by its argument.
    fileprivate func application(
        at index: Int, _ usesPlugins: Bool
    ) -> ArraySlice<GradleToken>? {
        let parts = self[index].parts
        // `apply { plugin("shop") }`.
        if parts.last == "plugin", parts.count == 1 || parts[0] == "it", beginsStatement(index) {
            return isCall(at: index) ? callee(from: index) : nil
        }
        guard parts.last == "apply", !GradleNames.definers.contains(word(index - 1)) else {
            return nil
        }
        // `getPlugins().apply(a)`.
        let isOfPlugins = parts.contains(where: managers.contains) || isManager(index - 4)
        // `forEach(pluginManager::apply)`.
        if isSymbol(":", index - 1), isSymbol(":", index - 2) {
            return isManager(index - 3) ? self[(index - 3)...index] : nil
        }
        guard isCall(at: index) else { return nil }
        let statement = callee(from: index)
        guard case .computed(let name) = PluginName(statement) else { return statement }
        let isNamed = statement.contains { $0.isWord("plugin") || $0 == .text("plugin") }
        let isOfOwn = usesPlugins && parts.count == 1 && !name.isEmpty
        return isOfPlugins || isNamed || isOfOwn ? statement : nil
    }

    private func isManager(_ index: Int) -> Bool {
        indices.contains(index) && self[index].parts.contains(where: managers.contains)
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

    /// The texts that can be plugins where a program computes which it applies: identifiers, and aliases of a catalog.
    func texts(ofPlugins catalog: GradleCatalog) -> [[UInt8]] {
        indices.compactMap { index in
            guard case .text(let text?) = self[index] else { return nil }
            let name = [UInt8](text.utf8)
            if let plugin = catalog.plugin(name)?.map(\.identifier) { return plugin }
            let isOfOther =
                isSymbol("(", index - 1)
                && otherGetters.contains(where: word(index - 2).lastPart.isText)
            let isName =
                name.contains(UInt8(ascii: "."))
                && name.allSatisfy {
                    isGradleDigit($0) || ".-_".utf8.contains($0)
                        || (0x61...0x7A).contains($0 | 0x20)
                }
            return isName && !isOfOther ? name : nil
        }
    }

    /// The texts that names are given to, such as `const val SHOP = "com.example.shop"`.
    var constants: [(name: [UInt8], value: [UInt8])] {
        indices.compactMap { index -> (name: [UInt8], value: [UInt8])? in
            guard case .text(let text?) = self[index], isSymbol("=", index - 1) else { return nil }
            // `SHOP: String = "a"`.
            let name = isSymbol(":", index - 3) ? word(index - 4) : word(index - 2)
            return name.isEmpty ? nil : (name, [UInt8](text.utf8))
        }
    }
}

/// The methods that get something else by its name.
private let otherGetters = [
    "file", "files", "findBundle", "findLibrary", "findVersion", "getDefaultProguardFile",
]
/// The objects by whose methods programs apply plugins.
private let managers: Set = ["plugins", "pluginManager", "getPlugins", "getPluginManager"]
