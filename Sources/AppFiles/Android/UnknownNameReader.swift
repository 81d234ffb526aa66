/// Looks for the names of a script that are not known.
struct UnknownNameReader {
    private(set) var defined = Set<[UInt8]>()
    private(set) var names = [[UInt8]]()
    private(set) var reachesOut = false, appliesOutside = false
    /// Its variables and parameters. A member of something else with such a name is another one.
    private var variables = Set<[UInt8]>()
    /// Those of the scripts around the text that it is from.
    private let outer: [Set<[UInt8]>]
    /// Those of them that are parameters or keys.
    private(set) var parameters = Set<[UInt8]>()

    let tokens: [GradleToken]
    let isOfModule: Bool
    /// Whether it is of a plugin of settings, whose modules nobody else knows.
    let isOfSettings: Bool
    private var seen = Set<[UInt8]>()
    /// The blocks that are open.
    private(set) var open = [Block]()
    /// The places of the brackets that are open, and of the one that belongs to what was closed last.
    private(set) var brackets = [Int](), closed = 0
    /// Whether a place stands behind a name of source sets, of tasks or of other projects in its line, behind a sign that assigns, and in
    /// the head of a type.
    private(set) var namesSets = false, namesTasks = false, namesOutside = false
    /// The number of brackets around the word for other projects in its line that gives one; nil without one.
    var projectDepth: Int?
    private(set) var assigns = false, definesType = false
    /// Whether the head of a function is open, whose name can stand behind its types.
    private var definesFunction = false

    /// - Parameter outer: the variables of the scripts around the text that it is of, one set for each text.
    init(
        _ tokens: [GradleToken], isOfModule: Bool, isOfSettings: Bool = false, outer: [Set<[UInt8]>]
    ) {
        (self.tokens, self.isOfModule, self.outer) = (tokens, isOfModule, outer)
        self.isOfSettings = isOfSettings
    }

    mutating func read() {
        var isImport = false
        var index = 0
        while index < tokens.count {
            switch tokens[index] {
            case .newline:
                isImport = false
                endLine()
                // The head of a type can go on in the next line.
                let goesOn = tokens.isSymbol("{", index + 1) || tokens.isSymbol(":", index + 1)
                if brackets.isEmpty, !goesOn { definesType = false }
            case .filled(let text): take(filled: text, at: index)
            case .text(let text): take(text ?? "", at: index)
            case .symbol(UInt8(ascii: "`")): index = takeQuoted(from: index)
            case .symbol(let byte): take(byte, at: index)
            case .word(let word):
                if ["import", "package"].contains(where: word.isText) { isImport = true }
                if word.isText("fun") { definesFunction = true }
                if ["by", "return"].contains(where: word.isText) { assigns = true }
                if !isImport {
                    take(word, at: index)
                } else if tokens.word(index - 1).isText("as"), isKnown(called: word) {
                    // `import a.b as println`.
                    note(word)
                }
            }
            index += 1
        }
    }

    /// Takes a text, which can be the name of a method, or that of an extension: `extensions.create("a", B)`.
    private mutating func take(_ text: String, at index: Int) {
        let name = Array(text.utf8)
        if name.firstRange(of: "..".utf8) != nil { reachesOut = true }
        if tokens.isSymbol("(", index + 1) { take(called: name) }
        // `"apply"(plugin: a)` is read by no reader.
        if name.isText("apply"), tokens.isArgument(index + 1) || tokens.isSymbol("(", index + 1) {
            note(name)
        }
        if tokens.isMember(index) {
            if tokens.assigns(at: index) { take(assigned: name) }
            // `file."setText" a`.
            if tokens.isArgument(index + 1) { take(called: name) }
        }
        if isKey(name, at: index) { note(name) }
        guard tokens.isSymbol("(", index - 1) else { return }
        // `create<A>("b")`.
        let start = tokens.isSymbol(">", index - 2) ? index - 5 : index - 2
        if tokens.word(start).parts.suffix(2).elementsEqual(GradleNames.extensionMaker) {
            defined.insert(name)
        }
    }

    /// Takes a name of Kotlin between such signs, such as `maven-publish`.
    /// - Returns: the place of the second sign.
    private mutating func takeQuoted(from start: Int) -> Int {
        let rest = tokens[(start + 1)...].prefix(16)
        guard let end = rest.firstIndex(of: tokens[start]) else { return start }
        let isRead = ![UInt8(ascii: "("), UInt8(ascii: "{")].contains {
            tokens[(end + 1)...].first == .symbol($0)
        }
        if !isRead, !GradleNames.definers.contains(tokens.word(start - 1)) { note(Array("`".utf8)) }
        return end
    }

    private mutating func take(_ byte: UInt8, at index: Int) {
        switch byte {
        case UInt8(ascii: "{"):
            open.append(block(before: index))
            endLine()
            (definesType, definesFunction) = (false, false)
        case UInt8(ascii: "}"):
            let block = open.popLast()
            endLine()
            if block?.isOfProject == true, givesOn(at: index) {
                (namesOutside, projectDepth) = (true, brackets.count)
            }
        case UInt8(ascii: "("), UInt8(ascii: "["): brackets.append(index)
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
            closed = brackets.popLast() ?? 0
            if tokens.assigns(at: index) { takeAssigned(byte) }
        case UInt8(ascii: "="): if !tokens.isOfComparison(index) { assigns = true }
        case UInt8(ascii: "$"): note([byte])
        case UInt8(ascii: "<") where tokens.isSymbol("<", index + 1):
            // `file << text`, but not `options.compilerArgs << text`.
            let parts = tokens.word(index - 1).parts
            if parts.count < 2 || parts[parts.count - 2].isOfVariables { note(Array("<<".utf8)) }
        default: break
        }
    }

    /// Takes what is assigned behind brackets: `a["b"] = c`, `(a, b) = c`, and a function such as `fun a(b) = c`.
    private mutating func takeAssigned(_ byte: UInt8) {
        let name = tokens.word(closed - 1)
        let isDefined =
            GradleNames.definers.contains(name) || GradleNames.keywords.contains(name)
            || GradleNames.definers.contains(tokens.word(closed - 2))
            || defined.contains(name.lastPart)
        if byte == UInt8(ascii: ")"), !isDefined { note(Array("(".utf8)) }
        guard byte == UInt8(ascii: "]") else { return }
        // `file["text"] = a`, and `defaultConfig[key] = a`, which sets a property in Groovy.
        if case .text(let text?) = tokens.token(closed + 1), tokens.isSymbol("]", closed + 2) {
            take(assigned: Array(text.utf8))
        } else if parameters.contains(name)
            || name.parts.contains(where: GradleNames.objects.contains)
            || name.lastPart.isText("android")
        {
            note(Array("[".utf8))
        }
    }

    private func block(before index: Int) -> Block {
        let name = tokens.word(index - 1)
        let head = name.isEmpty ? tokens.word(closed - 1) : name
        let runs = ["else", "for", "if", "while"].contains(where: head.isText)
        return Block(
            isOfNames: GradleNames.namedBlocks.contains(name.lastPart),
            isOfVariables: name.isOfVariables,
            isOfSets: isInSets, isOfTasks: isInTasks, isOutside: isOutside,
            isOfProject: projectDepth != nil || isInProject, isKept: isKept,
            isOfDependencies: name.lastPart.isText("dependencies"),
            isInDependencies: isOfDependencies
                || ["dependencies", "dependencySubstitution"].contains(where: head.lastPart.isText),
            isOfPlugins: isOfPlugins
                || ["buildscript", "includeBuild", "pluginManagement"].contains(
                    where: (head.isEmpty ? tokens.word(index - 2) : head).isText),
            isOfType: definesType,
            isOfString: head.isText("buildString") || runs && isInString)
    }

    /// Takes a text that is filled in: the code in it, and itself as the name of a method.
    private mutating func take(filled text: [UInt8], at index: Int) {
        if text.firstRange(of: "..".utf8) != nil { reachesOut = true }
        if tokens.isSymbol("(", index + 1) { take(called: text) }
        if tokens.isMember(index), tokens.assigns(at: index) || tokens.isArgument(index + 1) {
            note(text)
        }
        guard outer.count < textsMax else { return note(Array("$".utf8)) }
        for code in text.filledCode {
            let inner = UnknownEffects(
                UnknownNameReader(
                    GradleLexer.tokens(of: code, in: ""), isOfModule: isOfModule,
                    isOfSettings: isOfSettings, outer: outer + [variables]))
            defined.formUnion(inner.defined)
            if inner.reachesOut { reachesOut = true }
            for name in inner.names { note(name) }
        }
    }

    private mutating func take(_ word: [UInt8], at index: Int) {
        let parts = word.parts
        if keepsOutside(word, at: index) { note(Array("project".utf8)) }
        guard let last = parts.last, let byte = last.first, !isGradleDigit(byte),
            parts.count > 1 || !GradleNames.keywords.contains(last)
        else { return }
        takeProject(parts, at: index)
        if reachesOut(parts, at: index) { (reachesOut, namesOutside) = (true, true) }
        if let kept = keptProject(parts, at: index) {
            reachesOut = true
            note(kept)
        }
        if isOfSettings, let name = moduleWord(of: parts, at: index) { note(name) }
        if isOutside, last.isText("apply") { appliesOutside = true }
        // An annotation, and a variable of a text.
        let isAnnotation = tokens.isSymbol("@", index - 1) && !tokens.isMember(index - 1)
        guard !isAnnotation, !tokens.isSymbol("$", index - 1) else { return }
        if parts.contains(where: GradleNames.tasks.contains) { namesTasks = true }
        if let unknown = alwaysUnknown(parts, at: index) { return note(unknown) }
        guard !takeDefinition(of: last, parts, at: index) else { return }
        if isOfModule, parts.contains(where: { $0.isText("sourceSets") }) { takeSets(at: index) }
        let isMember = parts.count > 1 || tokens.isMember(index)
        let use = use(of: last, at: index, isMember)
        if let unknown = unreadPart(of: parts, isUsed: use != .read && isMember) {
            return note(unknown)
        }
        // A static method of a class that can be of any plugin: `Brand.install()`.
        if tokens.isSymbol("(", index + 1), let type = parts.dropLast().last(where: \.isOfType) {
            take(called: type)
        }
        take(last, at: index, use, isMember)
    }

    /// Takes the name that a word defines, as far as it defines one. A parameter or a key is also used where it stands.
    /// - Returns: whether there is nothing else to take.
    private mutating func takeDefinition(
        of name: [UInt8], _ parts: [[UInt8]], at index: Int
    ) -> Bool {
        let definer = tokens.word(index - 1)
        if GradleNames.definers.contains(definer) {
            if ["class", "interface", "object"].contains(where: definer.isText) {
                definesType = true
            }
            let isMember =
                definesType || GradleNames.typeDefiners.contains(definer)
                || open.last?.isOfType == true
            define(name, isMember || tokens.isSymbol("(", index + 1))
            return true
        }
        // `fun <T> name(`, `fun List<T>.name(`, and a case of an enumeration: `NAME(`.
        let isOfFunction =
            definesFunction
            && tokens.isSymbol(">", tokens.isSymbol(".", index - 1) ? index - 2 : index - 1)
        let isOfCase =
            open.last?.isOfType == true && tokens.isSymbol("(", index + 1)
            && tokens.beginsStatement(index)
        if isOfFunction { definesFunction = false }
        // `List<String> name = a`.
        let isTyped =
            tokens.isSymbol(">", index - 1) && parts.count == 1 && tokens.assigns(at: index)
        let isEverywhere = isOfFunction || isOfCase || isOfVariables(parts, at: index)
        if isEverywhere || isTyped {
            define(name, isEverywhere)
            return true
        }
        // `name ->`, and `name: Type`.
        let isOfBlock = tokens.isSymbol("-", index + 1) && tokens.isSymbol(">", index + 2)
        let isKey = tokens.isSymbol(":", index + 1) && !tokens.isSymbol(":", index + 2)
        if isOfBlock || isKey, variables.insert(name).inserted || isOfBlock {
            parameters.insert(name)
        }
        return false
    }

    /// The part of a word that no reader of scripts knows in this form; nil if there is none.
    private func alwaysUnknown(_ parts: [[UInt8]], at index: Int) -> [UInt8]? {
        // `defaultConfig.@mApplicationId`.
        if tokens.isSymbol("@", index - 1), tokens.assigns(at: index) { return parts.last }
        if let part = parts.first(where: isAlwaysUnknown) { return part }
        let isOfAapt = parts.contains(where: GradleNames.aaptParameters.contains)
        return isOfAapt && !tokens.line(from: index).areAaptFlags ? parts.last : nil
    }

    /// The part of a word that the readers know in other places only; nil if there is none.
    /// - Parameter isUsed: whether it is more than read, as a member of something.
    private func unreadPart(of parts: [[UInt8]], isUsed: Bool) -> [UInt8]? {
        // A dependency can have such a name, and a variable.
        guard !GradleNames.catalogs.contains(parts[0]) else { return nil }
        let members = isVariable(parts[0]) ? parts.dropFirst() : parts[...]
        let others = isOfModule && !isOutside ? GradleNames.setNames : GradleNames.moduleNames
        if !(isOfModule && isInSets), let part = members.first(where: others.contains) {
            return part
        }
        // `mainManifest.set(a)`.
        return isUsed && open.last?.isOfDependencies != true
            ? members.first(where: isOfManifest) : nil
    }

    private mutating func take(
        _ name: [UInt8], at index: Int, _ use: Use, _ isMember: Bool
    ) {
        // A variable hides no method.
        let isHidden =
            !isMember && isVariable(name)
            && !(use == .call && GradleNames.writing.contains(name))
        // `shop { }` in `productFlavors` names a flavor.
        let isNamed = open.last?.isOfNames == true && tokens.isSymbol("{", index + 1)
        guard use != .read, !isHidden, !isNamed else { return }
        if let isHarmless = isHarmless(name, at: index) {
            if !isHarmless { note(name) }
        } else if use == .call, open.last?.isOfDependencies != true || isMember {
            take(called: name)
        } else {
            take(assigned: name)
        }
    }

    private mutating func endLine() {
        (namesSets, namesTasks, namesOutside, assigns) = (false, false, false, false)
        projectDepth = nil
    }

    var isInTasks: Bool { namesTasks || open.last?.isOfTasks == true }

    /// Takes source sets, whose resources a variable can hand on: `val a = android.sourceSets`.
    private mutating func takeSets(at index: Int) {
        let isOfCode = tokens.line(from: index)
            .contains { $0.parts.contains(where: gradleCodeDirectories.contains) }
        if assigns, !isOfCode { note(Array("sourceSets".utf8)) }
        namesSets = true
    }

    /// The ways in which a script uses a name.
    private enum Use {
        case read
        /// It is assigned, opens a block, or is called with nothing or with a Boolean or a number. Few names can do more than
        /// set a setting in this way: `GradleNames.writing`.
        case setting
        /// It is called, or handed on as a method or a type of which something is made.
        case call
    }

    private func use(of name: [UInt8], at index: Int, _ isMember: Bool) -> Use {
        // `a::b`, but not `A::class`, and `a.&b`.
        let isOfReference =
            tokens.isSymbol(":", index - 1) && tokens.isSymbol(":", index - 2)
            && !name.isText("class")
            || tokens.isSymbol("&", index - 1)
                && tokens.isMember(index - 1)
        let isOfType =
            name.isOfType || tokens.isSymbol("<", index - 1) && tokens.isSymbol(">", index + 1)
        if isOfReference || isOfType && isMade(name, at: index) { return .call }
        switch tokens.token(index + 1) {
        case .symbol(UInt8(ascii: "{")): return isMember ? .call : .setting
        case .symbol(UInt8(ascii: "(")):
            let isFlag = tokens.isFlag(index + 2) && tokens.isSymbol(")", index + 3)
            let isEmpty =
                tokens.isSymbol(")", index + 2) && !(isMember && tokens.isSymbol("{", index + 3))
            return isFlag || isEmpty ? .setting : .call
        case .text, .filled: return .call
        case .word(let next) where GradleNames.infixWords.contains(next): return .read
        case .word: return tokens.isFlag(index + 1) ? .setting : .call
        case .symbol(UInt8(ascii: "<")): return tokens.isOfTypes(from: index + 1) ? .call : .read
        default: return tokens.assigns(at: index) ? .setting : .read
        }
    }

    /// Whether it is a variable of the project: `ext.a = b`, and `a = b` in `ext`.
    private func isOfVariables(_ parts: [[UInt8]], at index: Int) -> Bool {
        guard tokens.assigns(at: index) else { return false }
        let owner = parts.dropLast().last
        return owner?.isOfVariables == true || owner == nil && open.last?.isOfVariables == true
    }

    private mutating func take(called name: [UInt8]) {
        if let property = name.propertyOfSetter, !property.isText("variantFilter") {
            return take(assigned: property)
        }
        if !isKnown(called: name) { note(name) }
    }

    private func isKnown(called name: [UInt8]) -> Bool {
        GradleNames.harmless.contains(name)
            || isOfModule && !isOutside && GradleNames.moduleNames.contains(name)
            || GradleNames.endings.contains { name.suffix($0.utf8.count).isText($0) }
            || GradleNames.beginnings.contains(where: name.begins)
    }

    /// Takes what is assigned, or called with nothing.
    private mutating func take(assigned name: [UInt8]) {
        let isKnown =
            !GradleNames.writing.contains(name)
            && (isOfModule && !isOutside || !GradleNames.moduleNames.contains(name))
        if !isKnown { note(name) }
    }

    func isVariable(_ name: [UInt8]) -> Bool {
        variables.contains(name) || outer.contains { $0.contains(name) }
    }

    private mutating func define(_ name: [UInt8], _ isEverywhere: Bool) {
        let isMember = isEverywhere && !GradleNames.writing.contains(name)
        if isMember { defined.insert(name) } else { variables.insert(name) }
        parameters.remove(name)
    }

    private mutating func note(_ name: [UInt8]) {
        if seen.insert(name).inserted { names.append(name) }
    }
}

/// The texts within each other that are looked at.
private let textsMax = 8
