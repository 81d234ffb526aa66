/// The variables of a script whose values are literals. One that is changed, that has two definitions, or whose block has
/// ended is open, and so is all of a map that is used as a whole.
struct GradleDefinitions {
    /// Nil for one that is open.
    private var texts = [[UInt8]: String?]()
    /// The values of maps; none for one that is open.
    private var maps = [[UInt8]: [[UInt8]: String?]]()
    /// The variables of blocks, with the number of blocks around each.
    private var local = [(name: [UInt8], depth: Int)]()

    /// Takes a statement.
    /// - Parameter depth: the number of blocks around it.
    mutating func take(_ statement: [GradleToken], depth: Int) {
        let keyword = statement.firstIndex { !modifiers.contains(where: $0.isWord) } ?? 0
        let isDefinition = keyword < statement.count && statement[keyword].isDefinition
        let name = isDefinition ? keyword + 1 : keyword
        let hasList = name < statement.count && statement[name] == parenthesis
        // `val id: String = "a"`.
        let isTyped =
            name + 1 < statement.count && statement[name + 1] == .symbol(UInt8(ascii: ":"))
        let end = isTyped ? name + 2 : name
        let isWhole = isDefinition && end < statement.count && statement.assigns(at: end)
        for index in statement.indices where !isWhole || index > end {
            guard case .word(let word) = statement[index] else { continue }
            let isNew = index > 0 && statement[index - 1].isDefinition
            if isNew || hasList || statement.assigns(at: index) { texts[word] = .some(nil) }
            takeMap(word, statement, at: index)
        }
        guard isWhole, case .word(let word) = statement[name] else { return }
        define(word, as: statement.dropFirst(end + 2))
        local.append((word, depth))
    }

    /// Takes the end of a block.
    /// - Parameter depth: the number of blocks that are left.
    mutating func leave(depth: Int) {
        while let last = local.last, last.depth > depth {
            open(last.name)
            local.removeLast()
        }
    }

    /// `def host = "www.example.com"`, and `def app = [host: "www.example.com"]`, whose text is `app.host`.
    private mutating func define(_ name: [UInt8], as value: ArraySlice<GradleToken>) {
        guard texts[name] == nil, maps[name] == nil else { return open(name) }
        if value.first == .symbol(UInt8(ascii: "[")), let map = GradleMap(value, self) {
            maps[name] = map.pairs.reduce(into: [[UInt8]: String?]()) { values, pair in
                values[pair.name] = values[pair.name] == nil ? .some(pair.value) : .some(nil)
            }
        } else {
            var text: String?
            if value.count == 1, case .text(let literal)? = value.first { text = literal }
            texts[name] = .some(text)
        }
    }

    private mutating func open(_ name: [UInt8]) {
        texts[name] = .some(nil)
        if maps[name] != nil { maps[name] = [:] }
    }

    /// Takes a word, by which a map can be changed unless it is the name of a value that is read.
    private mutating func takeMap(_ word: [UInt8], _ statement: [GradleToken], at index: Int) {
        let (name, key) = Self.split(word)
        guard maps[name]?.isEmpty == false else { return }
        if let key {
            // What stands behind two full stops is of a value.
            guard !key.contains(UInt8(ascii: ".")) else { return }
            let isCalled = index + 1 < statement.count && statement[index + 1] == parenthesis
            if maps[name]?[key] != nil, !isCalled {
                if statement.assigns(at: index) { maps[name]?[key] = .some(nil) }
                return
            }
        }
        maps[name] = [:]
    }

    /// `app.host` as its map and its name.
    private static func split(_ word: [UInt8]) -> (name: [UInt8], key: [UInt8]?) {
        guard let stop = word.firstIndex(of: UInt8(ascii: ".")) else { return (word, nil) }
        return (Array(word[..<stop]), Array(word[(stop + 1)...]))
    }

    /// A token, or the value of the variable that it is.
    func value(_ token: GradleToken) -> GradleToken {
        guard case .word(let word) = token else { return token }
        if let text = texts[word] { return .text(text) }
        let (name, key) = Self.split(word)
        guard let key, let text = maps[name]?[key] else { return token }
        return .text(text)
    }

    /// The text that tokens are; nil if they are more than a literal or a variable.
    func literal(_ tokens: ArraySlice<GradleToken>) -> String? {
        guard tokens.count == 1, let token = tokens.first, case .text(let text) = value(token)
        else { return nil }
        return text
    }
}

/// The words before a definition.
private let modifiers = ["private", "internal", "const", "final"]
private let parenthesis = GradleToken.symbol(UInt8(ascii: "("))
