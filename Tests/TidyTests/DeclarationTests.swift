import Testing

@Suite("What other rooms see is documented")
struct DeclarationTests {
    @Test func `types, functions and initialisers carry a documentation comment`() {
        expectNone(Repository.sources(under: "Sources").flatMap(undocumented))
    }

    /// Its members would be exported without saying so, past the check above.
    @Test func `an extension has no access level of its own`() {
        expectNone(Repository.sources(under: "Sources").flatMap(exportingExtensions))
    }

    @Test func `an exported declaration without a comment is found`() {
        let source = SwiftSource(
            path: "Sources/Origin/A.swift",
            text: """
                /// A.
                package struct A {
                    package func b() {}

                    /// C.
                    @discardableResult
                    public static func c() {}
                    // Not documentation.
                    package mutating func d() {}
                    func e() {}
                    package var f: () -> Void
                    private(set) package var g = 1
                    package subscript(_ h: Int) -> Int { h }
                }
                public final class I {}
                package enum J { case k }
                package indirect enum L { case m }
                """)
        #expect(undocumented(source).map(\.line) == [3, 9, 13, 15, 16, 17])
    }

    @Test func `an initialiser that only stores its arguments needs none`() {
        let source = SwiftSource(
            path: "Sources/Origin/A.swift",
            text: """
                package init() {}
                package init(a: Int) { self.a = a }
                package init(
                    a: Int = 1, b: (Int) -> Int
                ) {
                    self.a = a
                    self.b = b
                }
                package init(c: Int, d: Int) { (self.c, self.d) = (c, d) }
                package init(e: Int) {
                    self.e = e * 2
                }
                package init(f: Int) throws {
                    guard f > 0 else { throw F() }
                    self.f = f
                }
                """)
        #expect(undocumented(source).map(\.line) == [10, 13])
    }

    @Test func `what a protocol documents needs no second comment`() {
        let source = SwiftSource(
            path: "Sources/Origin/A.swift",
            text: """
                package static func == (a: A, b: A) -> Bool { true }
                package func hash(into hasher: inout Hasher) {}
                package mutating func run() throws {}
                package func runs() {}
                """)
        #expect(undocumented(source).map(\.line) == [4])
    }

    @Test func `an extension that exports its members is found`() {
        let source = SwiftSource(
            path: "Sources/Origin/A.swift", text: "extension A {}\npackage extension A {}")
        #expect(exportingExtensions(source).map(\.line) == [2])
    }
}

/// Requirements of protocols that are documented where they are stated.
private let witnesses: Set<Substring> = ["==", "<", "hash", "run", "validate"]

private func undocumented(_ source: SwiftSource) -> [Finding] {
    let declaration =
        #/
        \b(?:public|package|open)\s+(?:[a-z]+\s+)*?
        (?:struct|class|enum|actor|protocol|subscript|init|func\s+(?<function>[^\s(<]+|<))
        /#
    return source.code.indices.compactMap { index in
        guard let match = source.code[index].firstMatch(of: declaration),
            !isDocumented(index, in: source),
            !witnesses.contains(match.output.function ?? ""),
            !storesItsArguments(index, in: source)
        else { return nil }
        let text = source.lines[index].drop { $0 == " " }
        return Finding(path: source.path, line: index + 1, fact: "undocumented: \(text)")
    }
}

/// Whether the line above, attributes left out, is a documentation comment.
private func isDocumented(_ index: Int, in source: SwiftSource) -> Bool {
    source.lines[..<index].last { !$0.contains(#/^\s*@/#) }?.contains(#/^\s*///|\*/\s*$/#) ?? false
}

/// Whether an initialiser begins here whose whole body is `self.name = name`, or empty.
private func storesItsArguments(_ index: Int, in source: SwiftSource) -> Bool {
    guard source.code[index].contains(#/\binit\(/#),
        let body = source.code[index...].joined(separator: "\n")
            .firstMatch(of: #/\{(?<statements>[^{}]*)\}/#)
    else { return false }
    return body.output.statements.split(separator: "\n").allSatisfy { statement in
        statement.allSatisfy { $0 == " " }
            || statement.contains(#/^\s*self\.(\w+) = \1\s*$/#)
            || statement.contains(#/^\s*\(self\.(\w+), self\.(\w+)\) = \(\1, \2\)\s*$/#)
    }
}

private func exportingExtensions(_ source: SwiftSource) -> [Finding] {
    source.findings(
        of: #/\b(?:public|package|open)\s+extension\b/#, in: \.code,
        "write the access level on each member")
}
