import Testing

@Suite("What only some rooms may do")
struct RestrictionTests {
    @Test func `only the rooms that touch raw memory say unsafe`() {
        expectNone(Repository.sources(under: "Sources").flatMap(unsafeWords))
    }

    /// What is printed is escaped there for whatever reads it.
    @Test func `only one directory writes to standard streams`() {
        expectNone(Repository.sources(under: "Sources").flatMap(prints))
    }

    @Test func `only the client writes the heads of requests`() {
        expectNone(Repository.sources(under: "Sources").flatMap(requestHeads))
        let source = SwiftSource(
            path: "Sources/Commands/A.swift",
            text: #"""
                let line = "GET \(path) HTTP/1.1\r\n"
                let answer = "HTTP/1.1 200 OK"
                var reader = ResponseReader(contentBytesMax: 1)
                """#)
        #expect(requestHeads(source).map(\.line) == [1, 3])
    }

    /// What the compiler is asked to believe about concurrency: one a handle of OpenSSL, which
    /// counts its references itself and locks what it shares.
    @Test func `promises of thread safety are counted`() {
        let marked = Repository.sources(under: "Sources").flatMap(uncheckedMarks)
        let counts = Dictionary(grouping: marked, by: \.path).mapValues(\.count)
        #expect(
            counts == [
                "Sources/TLS/Handles.swift": 5, "Sources/Memory/ByteRing.swift": 1,
                "Sources/Memory/CounterCells.swift": 1, "Sources/Memory/FixedArray.swift": 1,
                "Sources/Memory/Leaf.swift": 1, "Sources/Memory/LeafChunk.swift": 1,
                "Sources/Memory/RecordTable.swift": 1, "Sources/TLS/TLSTransport.swift": 1,
            ])
    }

    @Test func `each such word is found, in code only`() {
        let source = SwiftSource(
            path: "Sources/Origin/A.swift",
            text: """
                let e = "unsafe print("  // unsafe print(
                unsafe g(); @safe struct H {}
                print(b); i.print(b); reprint(b)
                Swift.print(b); debugPrint(b); dump(b); fputs(b, stderr)
                var l = StandardOutput(); writeToStandardError(b)
                final class J: @unchecked Sendable { nonisolated(unsafe) var k = 0 }
                """)
        #expect(unsafeWords(source).map(\.line) == [2])
        #expect(prints(source).map(\.line) == [3, 4, 5])
        #expect(uncheckedMarks(source).map(\.line) == [6, 6])
    }

    @Test func `a room that may say unsafe may`() {
        let source = SwiftSource(path: "Sources/TLS/A.swift", text: "unsafe f()")
        #expect(unsafeWords(source) == [])
    }
}

private func unsafeWords(_ source: SwiftSource) -> [Finding] {
    let rooms = [
        "Compression", "Files", "Memory", "PostgreSQL", "SQLite", "Sockets", "TLS", "YAML",
    ]
    guard !rooms.contains(source.room) else { return [] }
    return source.findings(
        of: #/\bunsafe\b(?!\))|@safe\b/#, in: \.code, "raw memory is for \(rooms)")
}

private func prints(_ source: SwiftSource) -> [Finding] {
    let door = "Sources/Commands/Printing/"
    // Files holds what the door opens, and declares it.
    guard !source.path.hasPrefix(door), source.room != "Files" else { return [] }
    return source.findings(
        of:
            #/
            (?:^|[^.\w]|\bSwift\.)(?:print|debugPrint|dump|puts|fputs|putchar|fwrite)\(
            |\bStandardOutput\b|\bwriteToStandardError\b|\bFileHandle\b
            /#, in: \.code, "what is printed goes through \(door)")
}

/// A head that is written by hand, and a response that is read by hand.
private func requestHeads(_ source: SwiftSource) -> [Finding] {
    guard source.room != "HTTPClient", source.path != "Sources/HTTPMessages/ResponseReader.swift"
    else { return [] }
    return source.findings(
        of: #/\w [^"]*\ HTTP/1\.[01]\\r|\bResponseReader\(/#, in: \.lines,
        "requests are made with HTTPClient")
}

private func uncheckedMarks(_ source: SwiftSource) -> [Finding] {
    source.findings(of: #/@unchecked\s+Sendable/#, in: \.code, "@unchecked Sendable")
        + source.findings(of: #/nonisolated\(unsafe\)/#, in: \.code, "nonisolated(unsafe)")
}
