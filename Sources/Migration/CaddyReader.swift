private import Diagnostics
private import URISyntax

/// A line of a Caddyfile with its words, and its block if it has one.
struct CaddyDirective {
    let words: [String]
    let source: SourceLine
    var block: [CaddyDirective]?

    var name: String { words.first ?? "" }

    /// Whether it or something in it redirects. Blocks have at most `CaddyReader.depthMax` levels.
    var isRedirecting: Bool { name == "redir" || (block ?? []).contains(where: \.isRedirecting) }
}

/// Reads the grammar of a Caddyfile: words, lines and blocks.
struct CaddyReader {
    static let depthMax = 32

    /// The directives of the file, or the first fault for which Caddy refuses it.
    static func read(_ text: [UInt8], file: String) -> (
        directives: [CaddyDirective], fault: RedirectFault?
    ) {
        var open: [(head: CaddyDirective?, directives: [CaddyDirective])] = [(nil, [])]
        var pending = [String]()
        for (number, part) in lines(of: text).enumerated() {
            var words = pending + words(of: part, .caddy)
            pending = []
            if words.last == "\\" {
                pending = words.dropLast()
                continue
            }
            guard let first = words.first else { continue }
            // The addresses of a site go on behind a comma.
            if open.count == 1, words.last?.utf8.last == UInt8(ascii: ",") {
                pending = words
                continue
            }
            let source = SourceLine(file: file, line: number + 1, text: trimmed(part))
            let position = SourcePosition(file: file, line: number + 1, column: 1)
            if first == "}" {
                guard open.count > 1, let closed = open.popLast(), var head = closed.head else {
                    return (
                        [],
                        RedirectFault(
                            position: position, fact: "there is no { for this }",
                            advice: "remove it")
                    )
                }
                head.block = closed.directives
                open[open.count - 1].directives.append(head)
                continue
            }
            if words.dropLast().contains("{") {
                return (
                    [],
                    RedirectFault(
                        position: position, fact: "a { is followed by more of its line",
                        advice: "write what follows it on lines of its own")
                )
            }
            guard words.last == "{" else {
                open[open.count - 1].directives.append(CaddyDirective(words: words, source: source))
                continue
            }
            words.removeLast()
            guard open.count <= depthMax else {
                return (
                    [],
                    RedirectFault(
                        position: position, fact: "blocks have more than \(depthMax) levels",
                        advice: "move some out")
                )
            }
            open.append((CaddyDirective(words: words, source: source), []))
        }
        if open.count > 1, let head = open[open.count - 1].head {
            let position = SourcePosition(file: file, line: head.source.line, column: 1)
            return (
                [],
                RedirectFault(
                    position: position,
                    fact: "the block of \(quoted(head.source.text)) is not closed",
                    advice: "write }")
            )
        }
        return (open[0].directives, nil)
    }
}
