/// A statement of a Gradle script, or the heading of a block.
extension [GradleToken] {
    /// The name of the block behind it: `release`, `getByName("release")`, or `val release by getting`. Of another one, such as
    /// that of a condition, it is a question mark.
    var blockName: [String] {
        if count == 1, case let parts = self[0].parts, !parts.isEmpty {
            return Self.blockName(parts)
        }
        if count == 4, gradleMakers.contains(where: self[0].isWord), case .text(let name?) = self[2]
        {
            return [name]
        }
        if count == 4, self[0].isWord("val"), self[2].isWord("by"),
            ["creating", "getting", "registering"].contains(where: self[3].isWord)
        {
            return self[1].parts
        }
        if isOfExtension { return ["android"] }
        // `with(manifestPlaceholders) { put("a", "b") }`.
        if count == 4, self[0].isWord("with"), self[1] == .symbol(UInt8(ascii: "(")),
            self[2].parts.last == "manifestPlaceholders", self[3] == .symbol(UInt8(ascii: ")"))
        {
            return self[2].parts
        }
        let isOfAndroid = contains { $0 == .text("android") } || mentions(extensions.contains)
        return isOfAndroid ? ["android", "?"] : ["?"]
    }

    /// `configure<ApplicationExtension>` and `extensions.configure<ApplicationExtension>("android")`, by which Kotlin names `android`.
    private var isOfExtension: Bool {
        guard count == 4 || count == 7 && self[5] == .text("android"),
            let name = self[2].parts.last
        else { return false }
        return ["configure", "extensions.configure"].contains(where: self[0].isWord)
            && self[1] == .symbol(UInt8(ascii: "<")) && extensions.contains(name)
            && self[3] == .symbol(UInt8(ascii: ">"))
    }

    /// The name of a block behind a name alone, such as `android.buildTypes` and `buildTypes.all`.
    private static func blockName(_ parts: [String]) -> [String] {
        guard let last = parts.last else { return ["?"] }
        if parts == ["android", "apply"] { return ["android"] }
        let owner = parts.dropLast()
        if owner.last == "manifestPlaceholders", ["apply", "run", "with"].contains(last) {
            return [String](owner)
        }
        if scopes.contains(last) { return owner + ["?"] }
        guard loops.contains(last) else { return parts }
        let isOfSettings = ["buildTypes", "productFlavors"].contains(owner.last)
        return isOfSettings ? owner + ["?", "?"] : ["?"]
    }

    /// `buildTypes.getByName("release").a "b"` as `buildTypes.release.a "b"`, and the same with brackets.
    var flattened: [GradleToken] {
        guard case .word(var name)? = self.first else { return self }
        var index = 1
        while index + 4 < self.count, case .text(let text?) = self[index + 1],
            self[index + 3] == .symbol(UInt8(ascii: ".")),
            case .word(let rest) = self[index + 4]
        {
            switch (self[index], self[index + 2]) {
            case (.symbol(UInt8(ascii: "[")), .symbol(UInt8(ascii: "]"))): break
            case (.symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: ")"))):
                guard
                    let method = gradleMakers.first(where: {
                        name.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8)
                    })
                else { return self }
                name.removeLast(method.utf8.count + 1)
            default: return self
            }
            name.append(UInt8(ascii: "."))
            name += text.utf8
            name.append(UInt8(ascii: "."))
            name += rest
            index += 5
        }
        return index == 1 ? self : [.word(name)] + self[index...]
    }

    /// Whether a word has a part of a kind.
    func mentions(_ isOfKind: (String) -> Bool) -> Bool {
        contains { $0.parts.contains(where: isOfKind) }
    }

    /// Whether it gives the name of the block `android` to something else: a function, or a variable that does not have the
    /// extension.
    var replacesAndroid: Bool {
        let place = prefix(6).indices.dropFirst().first { index in
            GradleNames.definers.contains(word(index - 1)) && word(index).lastPart.isText("android")
        }
        guard let place else { return false }
        if isSymbol("(", place + 1) { return true }
        let value = self[(place + 1)...].drop { !$0.isWord("by") && $0 != .symbol(equals) }
        let isLiteral = value.count == 2 && (isFlag(count - 1) || value.last?.parts.isEmpty == true)
        return !value.isEmpty && !isLiteral && !contains(.text("android"))
            && !value.contains { $0.parts.last == "android" }
            && !mentions { holds("xtension", in: $0) }
    }

    /// Whether it applies a script, or may.
    func appliesScript(in blocks: OpenBlocks) -> Bool {
        if beginsWithFrom, blocks.path.last == "apply" { return true }
        return contains(where: { $0.isWord("from") || $0 == .text("from") })
            && contains { $0.parts.last == "apply" }
    }

    /// Whether it applies a script in any case: nothing stands before it that decides.
    func beginsWithApply(in blocks: OpenBlocks) -> Bool {
        begins(with: ["apply", "project.apply"])
            || beginsWithFrom && blocks.path.last == "apply"
    }

    private var beginsWithFrom: Bool {
        first.map { ["from", "setFrom"].contains($0.parts.last) } ?? false
    }

    private func begins(with words: [String]) -> Bool {
        first.map { words.contains(where: $0.isWord) } ?? false
    }

    /// Whether it is the beginning of a condition or loop alone, whose statement is in a line below: `if (a)`.
    var isCondition: Bool {
        !isEmpty && count <= AppFileLimits.depthMax && behindConditions.isEmpty
    }

    /// Whether it goes on in the next line.
    var goesOn: Bool { isCondition || [",", "="].contains { isSymbol($0, count - 1) } }

    /// The part that conditions and loops before it run, such as `b()` of `if (a) b()`; all of another statement.
    var behindConditions: ArraySlice<GradleToken> {
        var rest = self[...]
        while let first = rest.first {
            if first.isWord("else") {
                rest = rest.dropFirst()
                continue
            }
            guard conditionWords.contains(where: first.isWord) else { break }
            guard let end = rest.dropFirst().closingParenthesis else { break }
            rest = rest[(end + 1)...]
        }
        return rest
    }

    /// Whether it sets settings in a form that is not read: Groovy's `(applicationId, a) = b`, or a method by its name as a text.
    var setsOtherwise: Bool {
        if case .text(let name?) = first, count > 1 { return gradleKeys[name] != nil }
        return self[...].closingParenthesis.map { assigns(at: $0) } == true
            && mentions { gradleKeys[$0] != nil }
    }

    /// The code that its texts fill in, as tokens. It can set something, as in `"${applicationId('a')}"`.
    var filledIn: [[GradleToken]] {
        compactMap { token -> [GradleToken]? in
            guard case .filled(let text) = token,
                let start = text.indices.first(where: { text[$0...].starts(with: "${".utf8) })
            else { return nil }
            return GradleLexer.tokens(of: [UInt8](text[start...]), in: "")
        }
    }

    /// Whether a value is assigned or added to what stands at a place: `a = b` and `a += b`, but not `a == b`.
    func assigns(at index: Int) -> Bool {
        guard index + 1 < count, case .symbol(let sign) = self[index + 1] else { return false }
        let next = index + 2 < count ? self[index + 2] : .newline
        return sign == equals
            ? next != .symbol(equals)
            : "+-*/%?|&".utf8.contains(sign) && next == .symbol(equals)
    }

    /// Whether a setting is set by what follows its word, or handed on to what may set it, and not only read.
    func sets(_ key: String, at index: Int) -> Bool {
        if assigns(at: index) { return true }
        let member = self[index].parts.drop { gradleKeys[$0] == nil }.dropFirst().last
        let next = index + 1 < count ? self[index + 1] : .newline
        // `defaultConfig::applicationId`.
        if index > 1, self[index - 1] == colon, self[index - 2] == colon { return true }
        if gradleCollections.contains(key) {
            if let member { return !readers.contains(member) }
            // `manifestPlaceholders["host"]` is read.
            return next != .symbol(UInt8(ascii: "[")) || index + 3 >= count
                || self[index + 3] != .symbol(UInt8(ascii: "]")) || assigns(at: index + 3)
        }
        guard member == nil || member == "set" else { return false }
        switch next {
        case .text, .filled, .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: "`")): return true
        case .word: return !operators.contains(where: next.isWord)
        default: return false
        }
    }

    /// Whether a member is set whose name is a text, unless that is of no setting: `a.setProperty(b, "c")`, `a."b" = "c"` and
    /// `a["applicationId"] = "b"`.
    func setsMember(at index: Int) -> Bool {
        guard case .word(let word) = self[index], index + 1 < count else { return false }
        let isSetter = self[index].parts.last == "setProperty"
        let isInBrackets = self[index + 1] == .symbol(UInt8(ascii: "["))
        let skipsSign = isSetter && self[index + 1] == .symbol(UInt8(ascii: "(")) || isInBrackets
        let name = index + (skipsSign ? 2 : 1)
        guard name < count else { return false }
        switch self[name] {
        case .text(let text?) where gradleKeys[text] == nil: return false
        case .text(_?) where isInBrackets: return assigns(at: name + 1)
        case .text, .filled: return isSetter || word.last == UInt8(ascii: ".")
        default: return isSetter
        }
    }

    /// Whether the block behind a statement is of a condition or a loop, and of no function. What is called in a condition can
    /// have a block, too: `if (names.any { it }) {`.
    var isOfCondition: Bool {
        guard !isEmpty else { return false }
        guard let rest = behindConditions.first else { return true }
        let open = count(where: { $0 == .symbol(UInt8(ascii: "(")) })
        let isBehindBlock =
            last == .symbol(UInt8(ascii: ")")) && count(where: { $0 == last }) > open
        // An `if` that is left is not closed: the block is of a call in its condition.
        return isBehindBlock
            || !conditionWords.contains(where: rest.isWord)
                && runningWords.contains(where: rest.isWord)
    }

    /// Whether the block behind a statement is of another thing than the block around it: it is none of a condition, of a loop
    /// or of `with`.
    var isOfOther: Bool {
        guard let first, let last else { return false }
        if mentions(otherThings.contains) { return true }
        let isRun = runningWords.contains(where: first.isWord)
        let isOfThing =
            last.parts.last.map { loops.contains($0) || scopes.contains($0) } != true
        return isOfThing && (!isRun || isOfMember)
    }

    /// Whether the block behind a condition without braces is of a member of something that is no setting: `if (a) file.withReader { }`.
    private var isOfMember: Bool {
        let rest = behindConditions
        guard let first = rest.first, let last = rest.last else { return false }
        let isMember = first.parts.count > 1 || rest.contains { $0 == .symbol(UInt8(ascii: ".")) }
        return isMember && last.parts.last.map { $0 == "apply" } == false
            && !runningWords.contains(where: first.isWord)
            && !rest.flatMap(\.parts).contains { name in
                name == "android" || gradleKeys[name] != nil
                    || GradleNames.objects.contains([UInt8](name.utf8))
            }
    }

    /// Whether it is a word of conditions and loops, or a method whose block runs for things that others look at.
    var isOfRun: Bool {
        self[0].parts.last.map {
            loops.contains($0) || scopes.contains($0) || gradleModuleBlocks.contains($0)
        }
            == true || runningWords.contains(where: self[0].isWord)
    }

    /// Whether the block behind a statement sets up other modules: `subprojects`, or `project(":app")`.
    var isOfModules: Bool {
        if mentions(gradleModuleBlocks.contains) { return true }
        guard count >= 4, self[0].isWord("project"), case .text(let path?) = self[2] else {
            return false
        }
        return path.utf8.first == UInt8(ascii: ":")
    }
}

extension ArraySlice<GradleToken> {
    /// The place of the parenthesis that closes the one with which it begins; nil if none does.
    var closingParenthesis: Int? {
        guard first == .symbol(UInt8(ascii: "(")) else { return nil }
        var depth = 0
        return firstIndex { token in
            if token == .symbol(UInt8(ascii: "(")) { depth += 1 }
            if token == .symbol(UInt8(ascii: ")")) { depth -= 1 }
            return depth == 0
        }
    }
}

private let equals = UInt8(ascii: "=")
private let colon = GradleToken.symbol(UInt8(ascii: ":"))
/// The methods whose block runs for some of several things, and words whose block may run.
private let loops: Set = [
    "afterEvaluate", "all", "any", "collect", "configureEach", "do", "each", "eachWithIndex",
    "else", "every", "filter", "finally", "find", "findAll", "first", "forEach", "forEachIndexed",
    "map", "matching", "onEach", "single", "try", "whenObjectAdded", "withType",
]
/// The methods whose block is of the thing before it.
private let scopes: Set = ["also", "configure", "let", "run", "with"]
/// The words before a condition in parentheses.
private let conditionWords = ["if", "for", "while"]
/// The words of conditions and loops.
private let runningWords = [
    "if", "else", "for", "while", "when", "switch", "try", "catch", "finally", "do",
]
/// The things whose methods set nothing that is read, or are looked at by themselves.
private let otherThings: Set = [
    "applicationVariants", "configurations", "libraryVariants", "onVariants", "outputs", "tasks",
    "testVariants",
]
/// The types of the block `android`.
private let extensions: Set = [
    "AppExtension", "ApplicationExtension", "BaseAppModuleExtension", "BaseExtension",
    "CommonExtension",
]
/// The methods that read a map.
private let readers: Set = ["get", "getting", "getOrDefault", "containsKey"]
/// The words behind a value that is read.
private let operators = ["to", "in", "as", "is", "instanceof", "else"]
