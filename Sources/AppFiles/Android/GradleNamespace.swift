/// The package of a module's components, which is also the application ID of an app that sets no other one (Android,
/// "Configure the app module").
struct GradleNamespace {
    /// An inner nil is open.
    private(set) var value: String??
    /// Whether the plugin of apps is applied in any case, and that of libraries is named.
    private var (isOfApp, mayBeOfLibrary) = (false, false)
    /// Whether a plugin is named, also in a condition, that is that of apps, or is called like one.
    private(set) var mayBeOfApp = false
    /// Whether a variable of the script has the same name.
    private var isHidden = false
    /// The catalog that its aliases of plugins are of.
    var catalog = GradleCatalog()

    /// The application ID of an app that sets none; nil for other modules. An inner nil is open.
    var applicationID: String?? { isOfApp && !mayBeOfLibrary ? value : nil }

    /// Takes `namespace "com.example.shop"` in `android`.
    /// - Parameters:
    ///   - own: the parts of its first word.
    ///   - blocks: those around it.
    mutating func take(
        _ statement: [GradleToken], _ own: [String], in blocks: [String],
        _ definitions: GradleDefinitions
    ) {
        guard own.last == "namespace" || own.last == "setNamespace" else { return }
        let path = blocks + own
        let texts = statement.dropFirst().compactMap { token -> String?? in
            if case .text(let text) = definitions.value(token) { text } else { nil }
        }
        let isCertain = path.count == 2 && path.first == "android" && texts.count == 1
        value = .some(isCertain && value == nil ? texts[0] : nil)
    }

    /// Takes a statement that may apply the plugin of apps or that of libraries, or define a variable.
    mutating func take(plugins statement: [GradleToken], in blocks: OpenBlocks) {
        func names(_ plugin: String, _ aliases: [String]) -> Bool {
            statement.contains { token in
                guard let alias = token.gradleAlias else { return token == .text(plugin) }
                guard let known = catalog.plugin(alias) else {
                    return aliases.contains(letters(of: alias))
                }
                return known?.identifier.elementsEqual(plugin.utf8) == true
            }
        }
        if statement.prefix(4).contains(where: { $0.isWord("namespace") }),
            statement.contains(where: \.isDefinition)
        {
            isHidden = true
        }
        if names("com.android.library", ["androidlibrary"]) { mayBeOfLibrary = true }
        let isListed = blocks.path == ["plugins"]
        if isListed || statement.contains(where: { $0.isWord("apply") }),
            !statement.contains(where: { $0.isWord("false") }),
            statement.contains(where: isCalledApp)
        {
            mayBeOfApp = true
        }
        guard let first = statement.first?.parts.last,
            isListed ? ["id", "alias"].contains(first) : blocks.isCertain && first == "apply",
            !statement.contains(where: { $0.isWord("false") })
        else { return }
        isOfApp =
            isOfApp || names("com.android.application", ["androidapplication", "androidapp"])
    }

    /// Whether a plugin is that of apps, or is called like one: many projects have a plugin of their own for these.
    private func isCalledApp(_ token: GradleToken) -> Bool {
        let own: [UInt8]? =
            switch token {
            case .text(let text): text.map { Array($0.utf8) }
            case .word(let word): token.gradleAlias ?? word
            default: nil
            }
        guard let own else { return false }
        let known = token.gradleAlias.flatMap { catalog.plugin($0) }.flatMap { $0?.identifier }
        return [own, known.map { Array($0) } ?? own].contains { name in
            let last = name.lastPart
            return letters(of: last).utf8.suffix(11).elementsEqual("application".utf8)
                || letters(of: last) == "androidapp"
                || last.split(whereSeparator: { "-_".utf8.contains($0) }).contains {
                    $0.elementsEqual("app".utf8)
                }
        }
    }

    /// The tokens behind the word of a setting. Those of the application ID have the package in place of its name.
    func filled(
        in rest: ArraySlice<GradleToken>, of key: String
    ) -> ArraySlice<GradleToken> {
        guard key == "applicationId", !isHidden, let value, let value else { return rest }
        let names = ["namespace", "android.namespace"]
        return rest.map { token in
            names.contains(where: token.isWord) ? .text(value) : token
        }[...]
    }
}
