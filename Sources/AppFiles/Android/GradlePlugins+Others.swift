private import Diagnostics

extension GradlePlugins {
    /// The file of a script or program, if it applies a plugin that is neither known nor the project's own.
    /// - Parameters:
    ///   - others: those that it applies and that are not known.
    ///   - texts: those that can be the plugins whose names it computes.
    func unknown(
        _ others: [PluginName], of file: String, _ texts: [[UInt8]] = []
    ) -> UnreadSource? {
        others.first { !isOwn($0, texts) }.map { plugin in
            UnreadSource(
                file,
                plugin.text.isEmpty
                    ? "it computes which plugin it applies"
                    : "it applies the plugin \(quoted(String(decoding: plugin.text, as: UTF8.self))), which is not known",
                isRead: true)
        }
    }

    /// Whether one of the plugins that a script applies is of the project itself.
    func haveOwn(in plugins: AppliedPlugins) -> Bool {
        own.contain(anyOf: plugins.applied) || plugins.others.contains { isOwn($0, []) }
    }

    private func isOwn(_ plugin: PluginName, _ texts: [[UInt8]]) -> Bool {
        switch plugin {
        case .identifier(let name): return own.contain(anyOf: [name])
        case .alias(let alias): return own.contain(anyOf: [alias, OwnPlugins.name(ofAlias: alias)])
        case .type(let type): return defined.contains(type.lastPart)
        case .computed(let name):
            let values = constants[name.lastPart].map(Array.init) ?? texts
            return !name.isEmpty && !values.isEmpty
                && values.allSatisfy { own.contain(anyOf: [$0]) || AppliedPlugins.isKnown($0) }
        }
    }
}
