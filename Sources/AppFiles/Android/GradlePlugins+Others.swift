private import Diagnostics

extension GradlePlugins {
    /// The file of a script or program, if it applies a plugin that is neither known nor the project's own.
    /// - Parameter others: those that it applies and that are not known.
    func unknown(_ others: [PluginName], of file: String) -> UnreadSource? {
        others.first { !isOwn($0) }.map { plugin in
            let name = quoted(String(decoding: plugin.text, as: UTF8.self))
            let fact =
                if !plugin.isComputed {
                    "it applies the plugin \(name), which is not known"
                } else if plugin.text.isEmpty {
                    "it computes which plugin it applies"
                } else {
                    "it computes which plugin it applies: \(name)"
                }
            return UnreadSource(file, fact, isRead: true)
        }
    }

    /// Whether one of the plugins that a script applies is of the project itself.
    func haveOwn(in plugins: AppliedPlugins) -> Bool {
        own.contain(anyOf: plugins.applied) || plugins.others.contains(where: isOwn)
    }

    private func isOwn(_ plugin: PluginName) -> Bool {
        switch plugin {
        case .identifier(let name): own.contain(anyOf: [name])
        case .alias(let alias): own.contain(anyOf: [alias, OwnPlugins.name(ofAlias: alias)])
        case .type(let type): defined.contains(type.lastPart)
        // A name that a program computes can be any.
        case .computed: false
        }
    }
}
