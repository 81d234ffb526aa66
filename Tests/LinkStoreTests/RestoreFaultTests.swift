import Foundation
import TestSupport
import Testing

@testable import LinkStore

/// What a restore refuses, and what it leaves behind.
@Suite("Faults of a restore")
struct RestoreFaultTests {
    private let directory = StoreDirectory()
    private var copy: String { directory.path + "/copy" }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test(
        "bytes behind the end of a backup are no part of it",
        arguments: [("", 0), ("", 1), ("", 4_096), (".visits", 0), (".visits", 4_196)])
    func longer(_ file: String, _ more: Int) throws {
        do {
            let store = try LinkStore(directory.database)
            let visits = SharedVisits()
            _ = try visits.open(store.path + ".visits", of: store.identity)
            _ = try StoreBackup(of: store, visits, to: copy)
            try store.close()
        }
        let content = try Data(contentsOf: URL(filePath: copy + file))
        try (content + Data(repeating: 120, count: more)).write(to: URL(filePath: copy + file))
        guard more > 0 else {
            #expect(try StoreRestore(copy, to: directory.database).hasVisits)
            return
        }
        let (found, wanted) = (content.count + more, content.count)
        #expect(
            throws: StoreError.isDamaged(
                path: copy + file, "it has \(found) bytes, and its header says \(wanted)")
        ) { try StoreRestore(copy, to: directory.database) }
        #expect(try !names().contains { $0.contains(".replaced") || $0.hasSuffix(".part") })
    }

    /// Replaces two files, of which the second fails.
    /// - Parameter kept: names the first one before.
    private func failing(_ meanwhile: (_ kept: String) throws -> Void) throws -> StoreError? {
        let (links, visits) = (directory.path + "/links", directory.path + "/links.visits")
        for path in [links, visits, visits + ".part"] { try write(path, path) }
        let ending = StoreReplacement.ending(for: [links, visits])
        var all = [
            try StoreReplacement(of: visits, by: visits + ".part", ending: ending),
            // There is no such draft.
            try StoreReplacement(of: links, by: links + ".part", ending: ending),
        ]
        try all[0].carryOut()
        let error = #expect(throws: StoreError.self) { try all[1].carryOut() }
        try meanwhile(visits + ".replaced")
        return error.map { StoreReplacement.undo(all, after: $0) }
    }

    @Test func `what cannot be put back is named, with the way to do it`() throws {
        let path = directory.path
        let reason = "\(path)/links cannot be replaced: the file does not exist"
        #expect(try failing { _ in } == .failed(reason))
        #expect(try names() == ["links", "links.visits"])
        // Once more, with a second fault.
        let error = try failing { try FileManager.default.removeItem(atPath: $0) }
        let left = ReplacedFile(path: path + "/links.visits", kept: path + "/links.visits.replaced")
        #expect(error == .isLeftReplaced([left], "the store failed: \(reason)"))
        let words = try #require(error?.words)
        #expect(words.fact.contains("the backup's \"\(path)/links.visits\" cannot be taken back"))
        // Long paths are shortened.
        #expect(words.advice.contains("\" to \"\(path)/links.visits\" before waymark is started"))
    }

    @Test func `a symbolic link in the place of a kept file is passed over, also one to nothing`()
        throws
    {
        let path = directory.path + "/links"
        try Data("before".utf8).write(to: URL(filePath: path))
        #expect(freeName(for: path) == path + ".replaced")
        #expect(StoreReplacement.ending(for: [path]) == ".replaced")
        for target in ["/nowhere/links", path] {
            try FileManager.default.createSymbolicLink(
                atPath: path + ".replaced", withDestinationPath: target)
            #expect(freeName(for: path) == path + ".replaced-2")
            #expect(StoreReplacement.ending(for: [path]) == ".replaced-2")
            try FileManager.default.removeItem(atPath: path + ".replaced")
        }
        // A name that an interrupted restore has given to this very file.
        try FileManager.default.linkItem(atPath: path, toPath: path + ".replaced")
        #expect(StoreReplacement.ending(for: [path]) == ".replaced")
    }
}
