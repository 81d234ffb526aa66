/// The package of a module's components, which is also the application ID of an app that sets no other one (Android,
/// "Configure the app module").
struct GradleNamespace {
    /// An inner nil is open.
    private(set) var value: String??
    /// Whether the plugin of apps is applied in any case, and that of libraries is named.
    private var (isOfApp, mayBeOfLibrary) = (false, false)
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
        guard let first = statement.first?.parts.last,
            isListed ? ["id", "alias"].contains(first) : blocks.isCertain && first == "apply",
            !statement.contains(where: { $0.isWord("false") })
        else { return }
        isOfApp =
            isOfApp || names("com.android.application", ["androidapplication", "androidapp"])
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
