import Testing

@Suite("Types: their files and their names")
struct TypeTests {
    @Test func `a type of over forty lines has a file of its own`() {
        expectNone(Repository.sources(under: "Sources").flatMap(lodgers(in:)))
    }

    @Test func `two types that other files see have two names`() {
        let types = Repository.sources(under: "Sources").flatMap(types(in:))
        let byName = Dictionary(grouping: types.filter { !$0.isPrivate }, by: \.name)
        expectNone(byName.values.filter { $0.count > 1 }.flatMap { $0.map(\.finding) })
    }

    @Test func `a large type in a file of another name is found`() {
        let large = "\n" + String(repeating: "    let a = 1\n", count: 38) + "}\n"
        let larger = "\n" + String(repeating: "    let a = 1\n", count: 39) + "}\n"
        let text =
            "struct A {" + larger + "private enum B {" + large + "package final class C {" + larger
        #expect(
            lodgers(in: SwiftSource(path: "Sources/Files/A.swift", text: text)).map(\.line) == [82])
        #expect(
            lodgers(in: SwiftSource(path: "Sources/Files/C+D.swift", text: text)).map(\.line) == [1]
        )
        let seen = types(in: SwiftSource(path: "Sources/Files/A.swift", text: text))
        #expect(seen.map(\.name) == ["A", "B", "C"])
        #expect(seen.map(\.isPrivate) == [false, true, false])
    }
}

/// A type at the top level of a file.
private struct TopType {
    let name: String
    let isPrivate: Bool
    let lines: Range<Int>
    let finding: Finding
}

private func types(in source: SwiftSource) -> [TopType] {
    source.code.indices.compactMap { start in
        let head = source.code[start]
        guard let match = head.prefixMatch(of: typeHead) else { return nil }
        let end =
            head.hasSuffix("}")
            ? start : source.code[start...].firstIndex { $0.hasPrefix("}") } ?? start
        return TopType(
            name: String(match.name), isPrivate: head.contains(privateWord),
            lines: start..<end + 1,
            finding: Finding(path: source.path, line: start + 1, fact: "type \(match.name)"))
    }
}

private func lodgers(in source: SwiftSource) -> [Finding] {
    let file = source.path.split(separator: "/").last ?? ""
    let owner = file.prefix { $0 != "." && $0 != "+" }
    return types(in: source).filter { $0.lines.count > linesMax && $0.name != owner }.map(\.finding)
}

private let linesMax = 40
nonisolated(unsafe) private let typeHead =
    #/(@\w+ |public |package |private |fileprivate |final |indirect |nonisolated )*(struct|class|enum|actor|protocol) (?<name>\w+)/#
nonisolated(unsafe) private let privateWord = #/\b(file)?private /#
