import Testing

@Suite("The building: who imports whom")
struct BuildingTests {
    @Test func `the rooms of the table are the directories of Sources`() {
        let directories = Repository.files
            .filter { $0.hasPrefix("Sources/") }
            .compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }
        #expect(Set(directories) == Set(building.map(\.name)))
    }

    @Test func `the architecture names every room`() throws {
        let text = try #require(Repository.text(of: "docs/internals/architecture.md"))
        #expect(building.map(\.name).filter { !text.contains($0) } == [])
    }

    @Test("a room stands on rooms of lower floors only", arguments: building)
    func standsOnLowerFloors(_ room: Room) throws {
        for name in room.rooms {
            let below = try #require(building.first { $0.name == name })
            #expect(below.floor < room.floor)
        }
    }

    @Test func `a C library has one neighbour`() {
        for library in building where library.floor < 0 {
            #expect(building.filter { $0.rooms.contains(library.name) }.count == 1)
        }
    }

    @Test func `a file imports only what its room may`() {
        expectNone(Repository.sources(under: "Sources").flatMap(forbiddenImports))
    }

    @Test func `a room's exported signatures do not depend on a C library`() {
        expectNone(Repository.sources(under: "Sources").flatMap(exportedForeignImports))
    }

    @Test func `an import that is not in the table is found`() {
        let source = SwiftSource(
            path: "Sources/Resolution/A.swift",
            text: """
                import URISyntax
                package import Associations
                @preconcurrency private import Origin
                import struct Glibc.stat
                // import TLS
                """)
        #expect(forbiddenImports(source).map(\.line) == [3, 4])
    }

    @Test func `a room that is not in the table may import nothing`() {
        let source = SwiftSource(path: "Sources/Shed/A.swift", text: "import URISyntax")
        #expect(forbiddenImports(source).count == 1)
    }

    @Test func `a C library that is imported for export is found`() {
        let source = SwiftSource(
            path: "Sources/TLS/A.swift",
            text: """
                internal import COpenSSL
                import Glibc
                package import COpenSSL
                public import Glibc
                """)
        #expect(exportedForeignImports(source).map(\.line) == [3, 4])
    }
}

private func forbiddenImports(_ source: SwiftSource) -> [Finding] {
    let room = building.first { $0.name == source.room } ?? Room(0, source.room)
    return imports(in: source)
        .filter { !room.rooms.contains($0.module) && !room.outside.contains($0.module) }
        .map {
            Finding(path: source.path, line: $0.line, fact: "\(room.name) imports \($0.module)")
        }
}

private func exportedForeignImports(_ source: SwiftSource) -> [Finding] {
    let foreign = building.filter { $0.floor < 0 }.map(\.name) + ["Glibc"]
    return imports(in: source)
        .filter { foreign.contains($0.module) && ["public", "package"].contains($0.access) }
        .map { Finding(path: source.path, line: $0.line, fact: "exports \($0.module)") }
}

private struct Import {
    let line: Int
    let access: String
    let module: String
}

private func imports(in source: SwiftSource) -> [Import] {
    let pattern =
        #/
        ^\s*(?:@\w+(?:\(\w+\))?\s+)*
        (?:(public|package|internal|fileprivate|private)\s+)?
        import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)
        /#
    return source.code.enumerated().compactMap { number, line in
        line.firstMatch(of: pattern).map { match in
            Import(
                line: number + 1, access: String(match.1 ?? "internal"), module: String(match.2))
        }
    }
}

extension Room: CustomTestStringConvertible {
    var testDescription: String { name }
}
