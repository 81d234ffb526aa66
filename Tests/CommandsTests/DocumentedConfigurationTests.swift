import Foundation
import TestSupport
import Testing

@Suite("Configurations that are printed in README and docs")
struct DocumentedConfigurationTests {
    /// A configuration that a document prints as a whole.
    struct Printed: Sendable, CustomTestStringConvertible {
        let document: String
        let line: Int
        let text: String
        /// Other files that the document prints, with their paths in a comment on the first line.
        let others: [String: String]

        var testDescription: String { "\(document):\(line)" }

        var environments: [String] {
            let body = text.components(separatedBy: "\nenvironments:\n").last ?? ""
            return body.split(separator: "\n").prefix { $0.hasPrefix(" ") }.compactMap { line in
                line.firstMatch(of: /^ {2}([a-z]+):/).map { String($0.output.1) }
            }
        }
    }

    static let all: [Printed] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: repository("docs"))) ?? []
        let names =
            ["README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
        return names.flatMap { name -> [Printed] in
            let text = (try? String(contentsOfFile: repository(name), encoding: .utf8)) ?? ""
            var printed = [Printed]()
            var others = [String: String]()
            for match in text.matches(of: /\n```yaml\n# ([a-z\/]+\.yaml)\n((?s).*?\n)```/) {
                others[String(match.output.1)] = String(match.output.2)
            }
            for match in text.matches(of: /(?:^|\n)```yaml\n((?s).*?\n)```/) {
                let block = String(match.output.1)
                guard block.contains("version: 1\n"), block.contains("\nenvironments:\n") else {
                    continue
                }
                let line = text[..<match.range.lowerBound].count { $0 == "\n" } + 2
                printed.append(Printed(document: name, line: line, text: block, others: others))
            }
            return printed
        }
    }()

    @Test func `there are some`() {
        #expect(Self.all.count >= 3)
        #expect(Self.all.allSatisfy { !$0.environments.isEmpty })
    }

    @Test("start as they are printed, with the files that they name", arguments: all)
    func starts(_ printed: Printed) throws {
        try withConfiguration(printed.text) { path in
            let directory = URL(filePath: path).deletingLastPathComponent()
            for (name, text) in printed.others where name != "waymark.yaml" {
                let file = directory.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try makeNamedFiles(of: printed.text, in: directory)
            for environment in printed.environments {
                let made = try Program.run(
                    ["init", "--certificates-only", "--config", path, "--env", environment],
                    in: directory)
                #expect(made.status == 0, "\(made.messages)")
                for match in printed.text.matches(of: /certs\/([a-z]+)\.(pem|key)/) {
                    let copy = directory.appending(path: String(match.output.0))
                    guard match.output.1 != "dev" else { continue }
                    try? FileManager.default.removeItem(at: copy)
                    try FileManager.default.copyItem(
                        at: directory.appending(path: "certs/dev.\(match.output.2)"), to: copy)
                }
                let origin = try RunningOrigin(URL(filePath: path), environment: environment)
                #expect(!origin.log.contains(": error:"), "\(origin.log)")
            }
        }
    }

    /// Ready association files and pages, which the reader of a document has.
    private func makeNamedFiles(of text: String, in directory: URL) throws {
        let ready = [
            "apple-app-site-association": "Tests/Fixtures/report/apple-app-site-association",
            "assetlinks.json": "Tests/Fixtures/report/assetlinks.json",
        ]
        for match in text.matches(of: /(?:aasa|assetlinks): ([a-z\/.-]+)/) {
            let file = directory.appending(path: String(match.output.1))
            let source = try #require(ready[file.lastPathComponent])
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: repository(source), toPath: file.path)
        }
        for match in text.matches(of: /(\/[a-z0-9\/-]+\.html)/) {
            let file = directory.appending(path: "Public" + match.output.1)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("<title>A page</title>".utf8).write(to: file)
        }
    }
}
