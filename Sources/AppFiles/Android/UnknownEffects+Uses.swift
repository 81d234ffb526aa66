// What names do that depends on where they stand, and on what they are used with.

extension UnknownEffects {
    /// Whether something is made of a type: `A()`, `new A`, `register<A>`, and `task a(type: A)`.
    func isMade(_ type: [UInt8], at index: Int) -> Bool {
        if type.suffix(14).isText("VariantBuilder") { return true }
        switch tokens.token(index + 1) {
        case .text, .filled, .symbol(UInt8(ascii: "{")), .symbol(UInt8(ascii: "(")): return true
        default: break
        }
        if tokens.word(index - 1).isText("new") { return true }
        if tokens.isSymbol("<", index - 1) {
            return GradleNames.makers.contains(tokens.word(index - 2).lastPart)
        }
        guard let bracket = brackets.last else { return tokens.isSymbol(",", index - 1) }
        return GradleNames.makers.contains(tokens.word(bracket - 1).lastPart)
            || GradleNames.makers.contains(tokens.word(bracket - 2).lastPart)
    }

    /// Whether what a name is used with is harmless; nil for names of which that does not depend on it.
    func isHarmless(_ name: [UInt8], at index: Int) -> Bool? {
        let rest = tokens.line(from: index + 1)
        if name.isText("root") { return isOfModule || !isInSets }
        // `Files.copy(a, b)`, and `Runtime.getRuntime().exec("a")`.
        if ["copy", "exec"].contains(where: name.isText) { return tokens.isSymbol("{", index + 1) }
        if ["into", "delete"].contains(where: name.isText) { return rest.isOfOutputs }
        if ["commandLine", "executable"].contains(where: name.isText) {
            return rest.isReading
        }
        if name.isText("execute") {
            // `"git log".execute()`, and `["git", "log"].execute()`.
            let start = tokens.isSymbol("]", index - 2) ? closed : index - 2
            return tokens.isSymbol(".", index - 1) && start >= 0 && tokens[start...].isReading
        }
        if name.isText("setProperty") { return rest.contains(.text("archivesBaseName")) }
        // Tasks that are switched off can be those of a release.
        if ["enabled", "isEnabled", "setEnabled"].contains(where: name.isText), isInTasks {
            return rest.contains { $0.isWord("true") }
        }
        // `buildTypes -= a`.
        let isOfCollection = ["buildTypes", "productFlavors"].contains(where: name.isText)
        if isOfCollection, tokens.assigns(at: index) { return false }
        return nil
    }
}
