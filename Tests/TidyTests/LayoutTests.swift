import Foundation
import Testing

@Suite("Files: where they are and what is in them")
struct LayoutTests {
    @Test func `the top level holds what the design names`() {
        expectNone(strangers(in: Repository.files))
    }

    @Test func `no line of code has over 100 columns`() {
        expectNone(scripts.flatMap { wideLines($0.path, $0.lines) })
        let sources = Repository.sources(under: "Sources", "Tests")
        expectNone(sources.flatMap { wideLines($0.path, $0.lines) })
    }

    @Test func `every file of tests asserts something`() {
        expectNone(Repository.sources(under: "Tests").flatMap(silentTests))
    }

    @Test func `no private key is committed`() {
        expectNone(Repository.files.flatMap { privateKeys($0, Repository.text(of: $0) ?? "") })
    }

    @Test func `a stranger at the top level is found`() {
        #expect(
            strangers(in: ["Makefile", "docs/a.md", ".ci/run", "lib/b"]).map(\.path) == [
                "Makefile", "lib/b",
            ])
    }

    @Test func `the width of a line is counted in scalars`() {
        let accented = String(repeating: "é", count: 100)
        #expect(wideLines("a", [accented]) == [])
        #expect(wideLines("a", ["", accented + "e"]).map(\.line) == [2])
    }

    @Test func `a file of tests that only runs code is found`() {
        let text = "@Test func runs() { run() }  // #expect(true)"
        #expect(silentTests(SwiftSource(path: "Tests/A/BTests.swift", text: text)).count == 1)
        #expect(silentTests(SwiftSource(path: "Tests/A/Support.swift", text: text)) == [])
        let asserting = SwiftSource(path: "Tests/A/BTests.swift", text: "try #require(a)")
        #expect(silentTests(asserting) == [])
    }

    @Test("a private key is found", arguments: ["", "RSA ", "EC ", "ENCRYPTED "])
    func findsPrivateKey(_ kind: String) {
        let content = String(repeating: "MC4CAQAw", count: 8)
        let header = "-----BEGIN \(kind)PRIVATE KEY-----"
        #expect(privateKeys("a.pem", "\(header)\n\(content)\n").count == 1)
        #expect(privateKeys("A.swift", "\"\(header)\\n\(content)").count == 1)
        #expect(privateKeys("a.pem", header.replacing("PRIVATE", with: "PUBLIC") + content) == [])
        // What a test of refusing keys says.
        #expect(privateKeys("A.swift", "\"\(header)\\nMIIB\\n") == [])
    }

    @Test("a file that is named as a key is found", arguments: ["key", "p12", "pfx", "p8"])
    func findsKeyFile(_ suffix: String) {
        #expect(privateKeys("certs/a.\(suffix)", "").count == 1)
    }
}

private func strangers(in files: [String]) -> [Finding] {
    let allowed: Set<Substring> = [
        "CHANGELOG.md", "Dockerfile", "Package.swift", "Public", "README.md", "Sources", "Tests",
        "bootstrap", "certs", "deploy", "docker-compose.yml", "docs", "waymark.yaml",
    ]
    return files.filter { path in
        let top = path.prefix { $0 != "/" }
        return !top.hasPrefix(".") && !allowed.contains(top)
    }.map { Finding(path: $0, fact: "the top level has no place for it") }
}

/// Committed programs that are not Swift: files that begin with `#!`.
private let scripts: [(path: String, lines: [String])] = Repository.files.compactMap { path in
    guard let text = Repository.text(of: path), text.hasPrefix("#!") else { return nil }
    return (path, text.components(separatedBy: "\n"))
}

private func wideLines(_ path: String, _ lines: [String]) -> [Finding] {
    lines.enumerated()
        .filter { $0.element.unicodeScalars.count > 100 }
        .map { Finding(path: path, line: $0.offset + 1, fact: "over 100 columns") }
}

private func silentTests(_ source: SwiftSource) -> [Finding] {
    guard source.path.hasSuffix("Tests.swift"),
        !source.code.contains(where: {
            $0.contains(#/#(expect|require)\(|\bIssue\.record\(|\.check\(/#)
        })
    else { return [] }
    return [Finding(path: source.path, fact: "asserts nothing")]
}

private func privateKeys(_ path: String, _ text: String) -> [Finding] {
    guard
        text.contains(#/-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)*[A-Za-z0-9+\/]{40}/#)
            || path.contains(#/\.(key|p12|pfx|p8)$/#)
    else { return [] }
    return [Finding(path: path, fact: "a private key does not belong in a repository")]
}
