/// A statement of a Gradle script, or the heading of a block.
extension [GradleToken] {
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

    /// Whether it applies a script, or may.
    func appliesScript(in blocks: OpenBlocks) -> Bool {
        if beginsWithFrom, blocks.path.last == "apply" { return true }
        return contains(where: { $0.isWord("from") || $0 == .text("from") })
            && contains { $0.parts.last == "apply" }
    }

    /// Whether it applies a script in any case: nothing stands before it that decides.
    func beginsWithApply(in blocks: OpenBlocks) -> Bool {
        self[0].isWord("apply") || self[0].isWord("project.apply")
            || beginsWithFrom && blocks.path.last == "apply"
    }

    private var beginsWithFrom: Bool { self[0].isWord("from") || self[0].isWord("setFrom") }

    /// Whether it is the beginning of a condition or loop alone, whose statement is in a line below: `if (a)`.
    var isCondition: Bool {
        guard let last, count <= AppFileLimits.depthMax, let first,
            ["if", "else", "for", "while"].contains(where: first.isWord)
        else { return false }
        if last.isWord("else") { return true }
        guard last == .symbol(UInt8(ascii: ")")) else { return false }
        var depth = 0
        for index in indices.reversed() {
            if self[index] == .symbol(UInt8(ascii: ")")) { depth += 1 }
            if self[index] == .symbol(UInt8(ascii: "(")) { depth -= 1 }
            guard depth == 0 else { continue }
            return index > 0
                && ["if", "for", "while"].contains(where: self[index - 1].isWord)
        }
        return false
    }

    /// Whether a value is assigned or added to what stands at a place: `a = b` and `a += b`, but not `a == b`.
    func assigns(at index: Int) -> Bool {
        let next = self[(index + 1)...].prefix(2)
        return switch next.first {
        case .symbol(equals): next.count < 2 || next.last != .symbol(equals)
        case .symbol(UInt8(ascii: "+")): next.count == 2 && next.last == .symbol(equals)
        default: false
        }
    }

    /// Whether a word behind the beginning is set, and not read.
    func setsLater(at index: Int) -> Bool {
        guard index + 1 < count else { return false }
        switch self[index + 1] {
        case .text, .filled, .word, .symbol(UInt8(ascii: "(")), .symbol(UInt8(ascii: "[")): break
        case .symbol(equals) where assigns(at: index): return true
        default: guard assigns(at: index) else { return false }
        }
        switch self[index - 1] {
        case .symbol(UInt8(ascii: ".")), .symbol(UInt8(ascii: ")")), .newline: return true
        case .symbol(UInt8(ascii: ">")):
            return index > 1 && self[index - 2] == .symbol(UInt8(ascii: "-"))
        default: return self[index - 1].isWord("else")
        }
    }

    /// Whether the block behind a statement sets up other modules: `subprojects`, or `project(":app")`.
    var isOfModules: Bool {
        if mentions(moduleBlocks.contains) { return true }
        guard count >= 4, self[0].isWord("project"), case .text(let path?) = self[2] else {
            return false
        }
        return path.utf8.first == UInt8(ascii: ":")
    }
}

private let equals = UInt8(ascii: "=")

/// The blocks for other modules than that of the script (Gradle, "Project").
private let moduleBlocks: Set = [
    "subprojects", "allprojects", "childProjects", "afterProject", "beforeProject",
    "projectsEvaluated", "projectsLoaded",
]
