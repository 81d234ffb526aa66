import Testing

@Suite("Documents")
struct MarkdownTests {
    static let documents = Repository.files
        .filter { $0.hasSuffix(".md") }
        .compactMap { path in Repository.text(of: path).map { Markdown(path: path, text: $0) } }

    @Test func `every relative link leads to a file, and to a heading of it`() {
        expectNone(Self.documents.flatMap { deadLinks($0, among: Self.documents) })
    }

    @Test func `a link to a file or a heading that is not there is found`() {
        let document = Markdown(
            path: "docs/a.md",
            text: """
                # A `b` – it's here
                [1](a.md) [2](../Package.swift "title") [3](#a-b--its-here) [4](https://x/y)
                [5](missing.md)
                `[6](code.md)` [7](a.md#nowhere)
                """)
        let faults = deadLinks(document, among: [document], exists: { $0 != "docs/missing.md" })
        #expect(faults.map(\.line) == [3, 4])
    }
}

/// A Markdown document; fenced blocks and spans of code are blanked.
struct Markdown {
    let path: String
    let lines: [String]

    init(path: String, text: String) {
        self.path = path
        var isFenced = false
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.contains(#/^\s*```/#) {
                isFenced.toggle()
                return ""
            }
            return isFenced ? "" : String(line)
        }
    }

    var name: Substring { path.split(separator: "/").last ?? "" }
    var directory: String { String(path.dropLast(name.count)) }

    func headings(_ level: Int) -> [Substring] {
        let mark = String(repeating: "#", count: level) + " "
        return lines.filter { $0.hasPrefix(mark) }.map { $0.dropFirst(mark.count) }
    }

    /// What a link names each heading by: lower case, no punctuation, hyphens for spaces.
    var anchors: Set<String> {
        Set(
            (1...6).flatMap(headings).map { heading in
                String(
                    heading.lowercased()
                        .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                        .map { $0 == " " ? "-" : $0 })
            })
    }
}

private func deadLinks(
    _ document: Markdown, among documents: [Markdown],
    exists: (String) -> Bool = Repository.exists
) -> [Finding] {
    document.lines.enumerated().flatMap { number, line in
        line.replacing(#/`[^`]*`/#, with: "").matches(of: #/\]\(([^)\s]+)/#)
            .map { String($0.1) }
            .filter { !$0.contains(#/^[a-z]+:/#) }
            .filter { link in
                let parts = link.split(separator: "#", omittingEmptySubsequences: false)
                let path = parts[0].isEmpty ? document.path : document.directory + parts[0]
                guard exists(normalized(path)) else { return true }
                guard parts.count > 1 else { return false }
                let target = documents.first { $0.path == normalized(path) }
                return target?.anchors.contains(String(parts[1])) != true
            }
            .map { Finding(path: document.path, line: number + 1, fact: "leads nowhere: \($0)") }
    }
}

/// The path without `..`.
private func normalized(_ path: String) -> String {
    var parts = [Substring]()
    for part in path.split(separator: "/") {
        if part == "..", parts.last.map({ $0 != ".." }) == true {
            parts.removeLast()
        } else {
            parts.append(part)
        }
    }
    return parts.joined(separator: "/")
}
