/// The blocks that a Caddyfile imports by their names.
struct CaddySnippets {
    private var snippets = [String: Snippet]()
    /// The number of directives that imports may still make: snippets that import snippets could
    /// grow without bounds.
    private var room = directivesMax

    static let directivesMax = 100_000
    /// The reason that is given for an import that is left.
    static let reason =
        "imports of files, of snippets with arguments or themselves, and of more than "
        + "\(directivesMax) directives are not followed"

    private struct Snippet {
        let block: [CaddyDirective]
        let count: Int
        let takesArguments: Bool
        /// Whether its own directives are being expanded.
        var isOpen = false
    }

    init(_ blocks: [CaddyDirective]) {
        for directive in blocks {
            let block = directive.block ?? []
            snippets[String(directive.name.dropFirst().dropLast())] = Snippet(
                block: block, count: block.reduce(1) { $0 + $1.count },
                takesArguments: block.contains(where: \.takesArguments))
        }
    }

    /// The directives, also of their blocks, with those of snippets that are imported without
    /// arguments.
    /// - Parameter level: the number of blocks and imports around them.
    mutating func expand(_ directives: [CaddyDirective], level: Int = 0) -> [CaddyDirective] {
        var result = [CaddyDirective]()
        for directive in directives {
            guard directive.name == "import", directive.words.count == 2,
                let snippet = snippets[directive.words[1]], !snippet.isOpen,
                !snippet.takesArguments, level < CaddyReader.depthMax, room >= snippet.count
            else {
                var directive = directive
                directive.block = directive.block.map { expand($0, level: level + 1) }
                result.append(directive)
                continue
            }
            room -= snippet.count
            snippets[directive.words[1]]?.isOpen = true
            result += expand(snippet.block, level: level + 1)
            snippets[directive.words[1]]?.isOpen = false
        }
        return result
    }
}

extension CaddyDirective {
    /// The number of directives in it and its blocks, itself included.
    fileprivate var count: Int { (block ?? []).reduce(1) { $0 + $1.count } }

    /// Whether it or one in its blocks stands for what an import gives.
    fileprivate var takesArguments: Bool {
        words.contains { $0.contains("{args") || $0.contains("{block") }
            || (block ?? []).contains(where: \.takesArguments)
    }
}
