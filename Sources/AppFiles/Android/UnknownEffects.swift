private import Diagnostics

/// The names in a script, or in the program of a plugin, that are not known to leave alone what ships: those of its calls, blocks,
/// assignments, types and references to methods that are none of `GradleNames.harmless`. What is only read changes nothing, and
/// what the project's own files define is looked at where it stands. So a program that changes what ships, in whatever form, has a
/// name that is not known.
struct UnknownEffects {
    /// The functions and types that it defines, and its variables in `ext`.
    private(set) var defined = Set<[UInt8]>()
    /// The names that are not known, each once, in the order in which they stand, and none of `defined`.
    private(set) var names = [[UInt8]]()
    /// Whether it names files or projects outside of its module.
    private(set) var reachesOut = false
    /// Its variables and parameters. A member of something else with such a name is another one.
    private var variables: Set<[UInt8]>

    private let tokens: [GradleToken]
    private let isOfModule: Bool
    private var seen = Set<[UInt8]>()
    /// The blocks that are open.
    private var open = [Block]()
    /// The places of the brackets that are open, and of the one that belongs to what was closed last.
    private var brackets = [Int](), closed = 0
    /// What stands before a place in its line: whether source sets are named, and whether something is assigned.
    private var namesSets = false, assigns = false, definesType = false

    private struct Block {
        /// Whether the blocks in it have names of the project's own, as in `productFlavors`.
        var isOfNames = false
        /// Whether the names that are assigned in it are variables: `ext`.
        var isOfVariables = false
        var isOfSets = false
        /// Whether what is defined in it are members of a type.
        var isOfType = false
    }

    /// - Parameter isOfModule: whether it is the script of a module, or one that this applies, whose application IDs, flavors, variants and
    ///   source sets are read.
    init(_ tokens: [GradleToken], isOfModule: Bool) {
        self.init(tokens, isOfModule: isOfModule, [])
    }

    /// - Parameter variables: those of the script around the text that it is from.
    private init(_ tokens: [GradleToken], isOfModule: Bool, _ variables: Set<[UInt8]>) {
        (self.tokens, self.isOfModule, self.variables) = (tokens, isOfModule, variables)
        read()
        names.removeAll(where: defined.contains)
    }

    /// The file, if it has a name that is not known.
    /// - Parameter isDefined: whether another file of the project defines a name.
    func source(_ file: String, _ isDefined: ([UInt8]) -> Bool) -> UnreadSource? {
        names.first { !isDefined($0) }.map { name in
            UnreadSource(
                file,
                "it uses \(quoted(String(decoding: name, as: UTF8.self))), which is not known",
                isRead: true)
        }
    }

    private mutating func read() {
        var isImport = false
        var index = 0
        while index < tokens.count {
            switch tokens[index] {
            case .newline:
                (isImport, namesSets, assigns) = (false, false, false)
                // The head of a type can go on in the next line.
                let goesOn = isSymbol("{", index + 1) || isSymbol(":", index + 1)
                if brackets.isEmpty, !goesOn { definesType = false }
            case .filled(let text): take(filled: text, at: index)
            case .text(let text): take(text ?? "", at: index)
            case .symbol(UInt8(ascii: "`")): index = takeQuoted(from: index)
            case .symbol(let byte): take(byte, at: index)
            case .word(let word):
                if ["import", "package"].contains(where: word.isText) { isImport = true }
                if !isImport { take(word, at: index) }
            }
            index += 1
        }
    }

    /// Takes a text, which can be the name of a method, or that of an extension: `extensions.create("a", B)`.
    private mutating func take(_ text: String, at index: Int) {
        let name = Array(text.utf8)
        if name.starts(with: "../".utf8) { reachesOut = true }
        if isSymbol("(", index + 1) { take(called: name) }
        guard isSymbol("(", index - 1) else { return }
        // `create<A>("b")`.
        let start = isSymbol(">", index - 2) ? index - 5 : index - 2
        if word(start).parts.suffix(2).elementsEqual(GradleNames.extensionMaker) {
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
        if !isRead, !GradleNames.definers.contains(word(start - 1)) { note(Array("`".utf8)) }
        return end
    }

    private mutating func take(_ byte: UInt8, at index: Int) {
        switch byte {
        case UInt8(ascii: "{"):
            open.append(block(before: index))
            (namesSets, assigns, definesType) = (false, false, false)
        case UInt8(ascii: "}"):
            _ = open.popLast()
            (namesSets, assigns) = (false, false)
        case UInt8(ascii: "("), UInt8(ascii: "["): brackets.append(index)
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
            closed = brackets.popLast() ?? 0
            if tokens.assigns(at: index) { takeAssigned(byte) }
        case UInt8(ascii: "="): assigns = true
        case UInt8(ascii: "<") where isSymbol("<", index + 1):
            // `file << text`.
            let isOfList = GradleNames.harmless.contains(word(index - 1).lastPart)
            if !isOfList { note(Array("<<".utf8)) }
        default: break
        }
    }

    /// Takes what is assigned behind brackets: `a["b"] = c`, `(a, b) = c`, and a function such as `fun a(b) = c`.
    private mutating func takeAssigned(_ byte: UInt8) {
        let name = word(closed - 1)
        let isDefined =
            GradleNames.definers.contains(name) || GradleNames.keywords.contains(name)
            || GradleNames.definers.contains(word(closed - 2))
        if byte == UInt8(ascii: ")"), !isDefined { return note(Array("(".utf8)) }
        if byte == UInt8(ascii: "]"), !name.isOfVariables, !variables.contains(name) {
            take(called: name.lastPart)
        }
    }

    private func block(before index: Int) -> Block {
        let name = word(index - 1)
        let isOfSets = namesSets || open.last?.isOfSets == true
        return Block(
            isOfNames: GradleNames.namedBlocks.contains(name.lastPart),
            isOfVariables: name.isOfVariables,
            isOfSets: isOfSets, isOfType: definesType)
    }

    /// Takes a text that is filled in: the code in it, and itself as the name of a method.
    private mutating func take(filled text: [UInt8], at index: Int) {
        if isSymbol("(", index + 1) { take(called: text) }
        for code in text.filledCode {
            let inner = UnknownEffects(
                GradleLexer.tokens(of: code, in: ""), isOfModule: isOfModule, variables)
            defined.formUnion(inner.defined)
            if inner.reachesOut { reachesOut = true }
            for name in inner.names { note(name) }
        }
    }

    private mutating func take(_ word: [UInt8], at index: Int) {
        let parts = word.parts
        guard let last = parts.last, let byte = last.first, !isDigit(byte),
            parts.count > 1 || !GradleNames.keywords.contains(last)
        else { return }
        if reachesOut(parts, at: index) { reachesOut = true }
        // An annotation, and a variable of a text.
        if isSymbol("@", index - 1) || isSymbol("$", index - 1) { return }
        if GradleNames.definers.contains(self.word(index - 1)) {
            let definer = self.word(index - 1)
            if ["class", "interface", "object"].contains(where: definer.isText) {
                definesType = true
            }
            let isMember =
                definesType || GradleNames.typeDefiners.contains(definer)
                || open.last?.isOfType == true
            return define(last, isMember || isSymbol("(", index + 1))
        }
        // `List<String> name = a`.
        if isSymbol(">", index - 1), parts.count == 1, tokens.assigns(at: index) {
            return define(last, false)
        }
        // `name ->`, and `name: Type`.
        if isSymbol("-", index + 1) && isSymbol(">", index + 2)
            || isSymbol(":", index + 1) && !isSymbol(":", index + 2)
        {
            variables.insert(last)
        }
        if isOfVariables(parts, at: index) { return define(last, true) }
        if isOfModule, parts.contains(where: { $0.isText("sourceSets") }) { takeSets(at: index) }
        let read = isOfModule ? GradleNames.setNames : GradleNames.moduleNames
        // A variable can have such a name, and a dependency.
        let members = variables.contains(parts[0]) ? parts.dropFirst() : parts[...]
        if !(isOfModule && isInSets), !GradleNames.catalogs.contains(parts[0]),
            let part = members.first(where: read.contains)
        {
            return note(part)
        }
        let isMember = parts.count > 1 || isSymbol(".", index - 1)
        guard acts(last, at: index), isMember || !variables.contains(last),
            open.last?.isOfNames != true || !isSymbol("{", index + 1)
        else { return }
        if let isHarmless = isHarmlessCall(of: last, at: index) {
            if !isHarmless { note(last) }
        } else {
            take(called: last)
        }
    }

    /// Whether a word is of the whole project, and not only of its variables, or of another module: `project(":a").b`.
    private func reachesOut(_ parts: [[UInt8]], at index: Int) -> Bool {
        if parts.contains(where: GradleNames.outside.contains) {
            return !parts.dropFirst().contains(where: GradleNames.variables.contains)
        }
        guard parts.last?.isText("project") == true, isSymbol(")", index + 3) else { return false }
        return isSymbol(".", index + 4) || isSymbol("{", index + 4)
    }

    private var isInSets: Bool { namesSets || open.last?.isOfSets == true }

    /// Takes source sets, whose resources a variable can hand on: `val a = android.sourceSets`.
    private mutating func takeSets(at index: Int) {
        let isOfCode = tokens[index...].prefix { $0 != .newline }.prefix(lineMax)
            .contains { $0.parts.contains(where: gradleCodeDirectories.contains) }
        if assigns, !isOfCode { note(Array("sourceSets".utf8)) }
        namesSets = true
    }

    /// Whether a word does something: it is called, assigned, or handed on as a method or a type.
    private func acts(_ name: [UInt8], at index: Int) -> Bool {
        if name.isOfType { return true }
        // `a::b`, but not `A::class`, and `a.&b`.
        if isSymbol(":", index - 1), isSymbol(":", index - 2) { return !name.isText("class") }
        if isSymbol("&", index - 1),
            word(index - 2).last == UInt8(ascii: ".") || isSymbol(".", index - 2)
        {
            return true
        }
        switch index + 1 < tokens.count ? tokens[index + 1] : .newline {
        case .text, .filled, .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: "{")): return true
        case .word(let next): return !GradleNames.infixWords.contains(next)
        case .symbol(UInt8(ascii: "<")): return isOfTypes(from: index + 1)
        default: return tokens.assigns(at: index)
        }
    }

    /// Whether it is a variable of the project: `ext.a = b`, and `a = b` in `ext`.
    private func isOfVariables(_ parts: [[UInt8]], at index: Int) -> Bool {
        guard tokens.assigns(at: index) else { return false }
        let owner = parts.dropLast().last
        return owner?.isOfVariables == true || owner == nil && open.last?.isOfVariables == true
    }

    /// Whether what a name is called with is harmless; nil for names of which that does not depend on it.
    private func isHarmlessCall(of name: [UInt8], at index: Int) -> Bool? {
        let rest = tokens[(index + 1)...].prefix(lineMax).prefix { $0 != .newline }
        if name.isText("root") { return isOfModule || !isInSets }
        if name.isText("additionalParameters") {
            // `--rename-manifest-package`.
            return !rest.contains { token in
                if case .text(let text) = token {
                    text.map { holds("anifest", in: $0) } ?? true
                } else {
                    false
                }
            }
        }
        if ["into", "delete"].contains(where: name.isText) {
            return rest.contains(where: \.isHarmlessDirectory)
        }
        if ["commandLine", "executable"].contains(where: name.isText) {
            return isReading(rest)
        }
        if name.isText("execute") {
            // `"git log".execute()`, and `["git", "log"].execute()`.
            let start = isSymbol("]", index - 2) ? closed : index - 2
            return isSymbol(".", index - 1) && start >= 0 && isReading(tokens[start...])
        }
        if name.isText("setProperty") {
            return rest.contains(.text("archivesBaseName"))
        }
        return nil
    }

    /// Whether a command only reads, by its first words.
    private func isReading(_ rest: ArraySlice<GradleToken>) -> Bool {
        let words = rest.lazy.filter { if case .symbol = $0 { false } else { true } }.prefix(2)
            .map { token -> [UInt8] in
                switch token {
                case .text(let text): Array((text ?? "").utf8)
                case .filled(let text): text
                default: []
                }
            }
        guard let first = words.first else { return false }
        let program = first.prefix { $0 != UInt8(ascii: " ") }
        return GradleNames.readingPrograms.contains(where: program.isText)
            || first.isText("node")
                && ["--print", "-p", "-e"].contains { words.last?.isText($0) == true }
    }

    /// Whether a place begins the types of a call: `<A, B>(`.
    private func isOfTypes(from start: Int) -> Bool {
        var depth = 0
        for index in start..<min(tokens.count, start + lineMax) {
            switch tokens[index] {
            case .symbol(UInt8(ascii: "<")): depth += 1
            case .symbol(UInt8(ascii: ">")):
                depth -= 1
                if depth == 0 { return isSymbol("(", index + 1) || isSymbol("{", index + 1) }
            case .word, .symbol(UInt8(ascii: ",")), .symbol(UInt8(ascii: "*")),
                .symbol(UInt8(ascii: "?")):
                break
            default: return false
            }
        }
        return true
    }

    private mutating func take(called name: [UInt8]) {
        let isKnown =
            GradleNames.harmless.contains(name)
            || isOfModule && GradleNames.moduleNames.contains(name)
            || GradleNames.dependencyEndings.contains { name.suffix($0.utf8.count).isText($0) }
        if !isKnown { note(name) }
    }

    private mutating func define(_ name: [UInt8], _ isEverywhere: Bool) {
        let isMember = isEverywhere && !GradleNames.writing.contains(name)
        if isMember { defined.insert(name) } else { variables.insert(name) }
    }

    private mutating func note(_ name: [UInt8]) {
        if seen.insert(name).inserted { names.append(name) }
    }

    /// The word at a place; empty if there is none.
    private func word(_ index: Int) -> [UInt8] {
        guard tokens.indices.contains(index), case .word(let word) = tokens[index] else {
            return []
        }
        return word
    }

    private func isSymbol(_ sign: Unicode.Scalar, _ index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index] == .symbol(UInt8(ascii: sign))
    }
}

extension GradleToken {
    /// Whether it is of a directory whose files are neither resources nor manifests.
    fileprivate var isHarmlessDirectory: Bool {
        let text: [UInt8]
        switch self {
        case .word(let word): text = word
        case .text(let literal): text = Array((literal ?? "").utf8)
        case .filled(let bytes): text = bytes
        default: return false
        }
        let parts = text.split { "/${}.".utf8.contains($0) }.map { Array($0) }
        return parts.contains(where: GradleNames.outputDirectories.contains)
            && !parts.contains { $0.isText("res") }
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// The tokens of a line that are looked at.
private let lineMax = 24
