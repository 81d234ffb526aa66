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
        // `names.each pluginManager.&apply`.
        if name.isText("apply"), tokens.isSymbol("&", index - 1) { return false }
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
        // The task of ktlint's manual.
        if name.isText("JavaExec") { return tokens[(index + 1)...].runsKtlint }
        if name.isText("useModule") { return rest.namesKnownModule }
        // What takes the place of a plugin that is known is another one.
        if isOfPlugins, ["substitute", "useTarget"].contains(where: name.isText) {
            let module = rest.lazy.compactMap(\.literal).first
            return name.isText("substitute") && module.map { !AppliedPlugins.isKnown($0) } == true
        }
        if name.isText("setProperty") { return rest.contains(.text("archivesBaseName")) }
        // Tasks that are switched off can be those of a release.
        if GradleNames.switches.contains(name), isInTasks {
            return rest.contains { $0.isWord("true") }
        }
        // `project(":a").projectDir = b` alone says which module moves.
        if name.isText("setProjectDir") || name.isText("projectDir") && tokens.assigns(at: index) {
            return tokens.word(index - 5).isText("project") && tokens.isSymbol("(", index - 4)
                && tokens.isSymbol(")", index - 2) && tokens.isSymbol(".", index - 1)
                && tokens.isText(index - 3)
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

    /// The word with which a plugin of settings may include modules, move them, or set up their projects; nil if it is none.
    func moduleWord(of parts: [[UInt8]], at index: Int) -> [UInt8]? {
        guard let last = parts.last else { return nil }
        let gets =
            GradleNames.finders.contains(last)
            && (tokens.isSymbol("(", index + 1) || tokens.isText(index + 1))
        let moves = last.isText("projectDir") && tokens.assigns(at: index)
        if gets || moves || GradleNames.including.contains(last) { return last }
        return reachesOut(parts, at: index) ? parts.first(where: GradleNames.modules.contains) : nil
    }

    /// The word for other projects, if these are not used where they stand, as in `project(":a").b()` and `subprojects { }`, but
    /// kept or handed on: what is done with them can then stand anywhere. Nil for one that is only read, compared, or a dependency.
    func keptProject(_ parts: [[UInt8]], at index: Int) -> [UInt8]? {
        // In other files, what is done with a project counts wherever it stands.
        guard isOfModule else { return nil }
        let isFound = parts.last.map(GradleNames.finders.contains) == true
        let last = parts.lastIndex(where: GradleNames.projects.contains)
        guard let place = isFound ? parts.count - 1 : last,
            isFound || isProject(parts, place, at: index)
        else { return nil }
        var end = index
        if isFound {
            // `project` alone is the module's own.
            let isCalled = tokens.isSymbol("(", index + 1)
            guard isCalled || tokens.isText(index + 1) else { return nil }
            let line = tokens[(index + 1)...].prefix(gradleLineMax)
            end = isCalled ? line.closingParenthesis ?? index : index + 1
        }
        if tokens.isSymbol("{", end + 1) { return nil }
        var member = parts.dropFirst(place + 1).first
        if member == nil {
            // `a?.b` and `a!!.b`.
            let next = (end + 1...end + 3).first { tokens.isSymbol(".", $0) }
            member = next.flatMap { tokens.word($0 + 1).parts.first }
        }
        if let member {
            let gives =
                GradleNames.collections.contains(parts[place])
                ? !GradleNames.reads.contains(member) : GradleNames.giving.contains(member)
            return isKept && gives ? parts[place] : nil
        }
        return isReadAlone(from: index, to: end) ? nil : parts[place]
    }

    /// Whether a word for other projects is one where it stands: it defines, sets or is a member of nothing else.
    private func isProject(_ parts: [[UInt8]], _ place: Int, at index: Int) -> Bool {
        if parts.count == place + 1 {
            let isNamed =
                GradleNames.definers.contains(tokens.word(index - 1)) || tokens.assigns(at: index)
                || tokens.isSymbol("-", index + 1)
                || tokens.isSymbol(":", index + 1) && !tokens.isSymbol(":", index + 2)
            if isNamed { return false }
        }
        guard ["parent", "getParent"].contains(where: parts[place].isText) else { return true }
        // `file.parent`.
        return place == 0
            ? !tokens.isMember(index) && !isVariable(parts[place])
            : ["project", "target"].contains(where: parts[place - 1].isText)
    }

    /// Takes a word that gives another project, or a file of it: a block behind a file gets no project.
    mutating func takeProject(_ parts: [[UInt8]], at index: Int) {
        let last = parts.last {
            GradleNames.modules.contains($0) || GradleNames.files.contains($0)
        }
        let isFile = last.map(GradleNames.files.contains) == true
        if isFile, tokens.isMember(index), projectDepth == brackets.count {
            // `project(":a").file("b")`.
            projectDepth = nil
        } else if !isFile, reachesOut(parts, at: index) {
            projectDepth = brackets.count
        }
    }

    /// Whether the projects of a block that ends go on behind it: `subprojects.findAll { }.each { }`, and
    /// `configure(subprojects.findAll { }) { }`.
    func givesOn(at index: Int) -> Bool {
        tokens.isSymbol(".", index + 1)
            || tokens.isSymbol(")", index + 1)
                && tokens.word((brackets.last ?? 0) - 1).isText("configure")
    }

    /// Whether a block that another project runs hands this on, or keeps it: `subprojects.each { a = it }`.
    func keepsOutside(_ word: [UInt8], at index: Int) -> Bool {
        guard isOfModule, isInProject,
            ["delegate", "it", "project", "this"].contains(where: word.isText)
                || parameters.contains(word)
        else { return false }
        let isLast =
            tokens.endsStatement(index) || [")", ","].contains { tokens.isSymbol($0, index + 1) }
        let isGiven =
            ["(", ","].contains { tokens.isSymbol($0, index - 1) }
            || tokens.isSymbol("=", index - 1) && !tokens.isOfComparison(index - 1)
        // `kover(it)` in `dependencies`.
        let method = tokens.word(index - 2)
        let isDependency =
            isOfDependencies && tokens.isSymbol("(", index - 1) && method.parts.count == 1
            && !tokens.isMember(index - 2) && !defined.contains(method) && !isVariable(method)
        return isLast && isGiven && !isDependency
    }

    /// Whether a project is only compared, a dependency, or set up by the block behind it: `configure(subprojects) { }`.
    private func isReadAlone(from start: Int, to end: Int) -> Bool {
        let isCompared =
            tokens.isSymbol("=", start - 1) && tokens.isOfComparison(start - 1)
            || tokens.isSymbol("=", end + 2) && tokens.isOfComparison(end + 2)
        let bracket = brackets.last ?? 0
        let method = tokens.word(bracket - 1)
        return isCompared || isOfDependencies
            || method.parts.contains { $0.isText("dependencies") }
            || GradleNames.endings.contains { method.suffix($0.utf8.count).isText($0) }
            || method.lastPart.isText("add") && tokens.isText(bracket + 1)
            || method.isText("configure") && tokens.isSymbol("{", end + 2)
    }
}
