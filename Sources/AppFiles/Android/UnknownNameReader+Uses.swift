extension UnknownNameReader {
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
        // They were looked at with what stands behind them.
        if GradleNames.aaptParameters.contains(name) { return true }
        if name.isText("root") { return isOfModule || !isInSets }
        // `Files.copy(a, b)`, and `Runtime.getRuntime().exec("a")`.
        if ["copy", "exec"].contains(where: name.isText) {
            // `.copy(port = 1)` is of a data class.
            return tokens.isSymbol("{", index + 1)
                || tokens.isSymbol("(", index + 1) && tokens.isSymbol("=", index + 3)
        }
        if ["into", "delete"].contains(where: name.isText) { return rest.isOfOutputs }
        if name.isText("append"), isInString, tokens.word(index).isText("append"),
            !tokens.isMember(index)
        {
            return true
        }
        // `executable()` of a native binary.
        if name.isText("executable"), tokens.isSymbol(")", index + 2) { return true }
        if name.isText("execute"), tokens.assigns(at: index) { return true }
        if ["commandLine", "executable"].contains(where: name.isText) {
            return rest.isReading
        }
        if name.isText("execute") {
            // `"git log".execute()`, and `["git", "log"].execute()`.
            let start = max(0, tokens.isSymbol("]", index - 2) ? closed : index - 2)
            return tokens.isSymbol(".", index - 1) && tokens.line(from: start).isReading
        }
        // A step of Spotless: `replace("a", "b", "c")`.
        if name.isText("replace"), tokens.word(index).parts.count == 1, !tokens.isMember(index) {
            return rest.count { $0 == .symbol(UInt8(ascii: ",")) } < 2
        }
        // `eachFile { path = "../a" }`.
        if ["path", "relativePath", "rename"].contains(where: name.isText), rest.leavesDirectory {
            return false
        }
        if name.isText("useModule") { return rest.namesKnownModule }
        if name.isText("setProperty") { return rest.contains(.text("archivesBaseName")) }
        // Tasks that are switched off can be those of a release.
        if GradleNames.switches.contains(name), isInTasks {
            return rest.contains { $0.isWord("true") }
        }
        // `children.forEach { it.projectDir = a }`, where the name of no module says which.
        if name.isText("projectDir"), tokens.assigns(at: index) {
            return tokens.word(index).parts.count < 2
        }
        // `buildTypes -= a`.
        let isOfCollection = ["buildTypes", "productFlavors"].contains(where: name.isText)
        if isOfCollection, tokens.assigns(at: index) { return false }
        return nil
    }

    /// Whether a text is the name of what the readers of scripts know, by which it is got: `properties["sourceSets"]`.
    func isKey(_ name: [UInt8], at index: Int) -> Bool {
        let isKnown =
            GradleNames.moduleNames.contains(name) || GradleNames.objects.contains(name)
            || isOfManifest(name)
        guard isKnown else {
            return false
        }
        return tokens.isSymbol("[", index - 1) && tokens.isSymbol("]", index + 1)
            || tokens.isSymbol("(", index - 1)
                && GradleNames.getters.contains(tokens.word(index - 2).lastPart)
    }

    /// Whether a part of a name is known by no reader in this form: `ant`, and what is got by a method, such as `getSourceSets()`.
    func isAlwaysUnknown(_ part: [UInt8]) -> Bool {
        if ["ant", "includedBuilds"].contains(where: part.isText) { return true }
        if let property = part.propertyOfGetter {
            return GradleNames.moduleNames.contains(property)
                || GradleNames.objects.contains(property)
        }
        return false
    }

    /// Whether it is a property of manifests that no reader knows.
    func isOfManifest(_ part: [UInt8]) -> Bool {
        holds("anifest", in: String(decoding: part, as: UTF8.self))
            && !GradleNames.moduleNames.contains(part) && !GradleNames.harmless.contains(part)
    }

    /// Whether a word is of the whole project, and not only of its variables, or of another module: `project(":a").b`.
    func reachesOut(_ parts: [[UInt8]], at index: Int) -> Bool {
        if parts.contains(where: GradleNames.outside.contains) {
            return !parts.dropFirst().contains(where: GradleNames.variables.contains)
        }
        guard parts.last?.isText("project") == true, tokens.isSymbol(")", index + 3) else {
            return false
        }
        return tokens.isSymbol(".", index + 4) || tokens.isSymbol("{", index + 4)
    }
}
