import Foundation
import Testing

/// An assetlinks.json and what it includes, as each command that reads one takes them.
@Suite("assetlinks.json and its includes")
struct StatementsTests {
    private static let key = Array(repeating: "A1", count: 31).joined(separator: ":") + ":B2"
    private static let other = Array(repeating: "C3", count: 31).joined(separator: ":") + ":D4"
    private static let zeros = Array(repeating: "00", count: 32).joined(separator: ":")
    private static let url = "https://example.com/apps.json?v=1"

    private static func app(
        _ package: String, keys: [String] = [key, other], more: String = "",
        relation: String = "handle_all_urls"
    ) -> String {
        let keys = keys.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            {"relation": ["delegate_permission/common.\(relation)"],
             "target": {"namespace": "android_app", "package_name": "\(package)",
                        "sha256_cert_fingerprints": [\(keys)]}\(more)}
            """
    }

    private static let root = "[\(app("com.example.one")), {\"include\": \"\(url)\"}]"
    private static let included = "[\(app("com.example.two"))]"

    private func run(
        _ arguments: [String], _ root: String, include: String? = nil
    ) throws -> Program.Outcome {
        try withFile(root) { path in
            let arguments = arguments.map { $0 == "FILE" ? path : $0 }
            guard let include else { return try shown(Program.run(arguments), path) }
            return try withFile(include) { other in
                try shown(Program.run(arguments + ["--include", "\(Self.url)=\(other)"]), path)
            }
        }
    }

    /// What was printed, with a name that does not change.
    private func shown(_ outcome: Program.Outcome, _ path: String) -> Program.Outcome {
        Program.Outcome(
            status: outcome.status, output: outcome.output.replacing(path, with: "FILE"),
            messages: outcome.messages)
    }

    // MARK: statements

    @Test func `statements lists what Google takes, and what it refuses`() throws {
        let text = "[\(Self.app("com.example.one", keys: [Self.key])),\n{}]"
        let outcome = try run(["statements", "FILE"], text)
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                FILE: valid for Google: no: FILE:4:1: the statement has no array `relation`
                  delegate_permission/common.handle_all_urls com.example.one \(Self.key)
                  refused: FILE:4:1: the statement has no array `relation`

                """)
    }

    @Test(
        "statements has the members that scripts rely on",
        arguments: [
            (root, nil, nil, 2), (root, included, true, 4), ("[]", nil, true, 0),
            ("[{}]", nil, false, 0), (root, "[{}]", false, 2),
        ] as [(String, String?, Bool?, Int)])
    func statements(
        _ text: String, _ include: String?, _ verdict: Bool?,
        _ count: Int
    ) throws {
        let outcome = try run(["statements", "FILE", "--format", "json"], text, include: include)
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? NSDictionary)
        #expect(
            Set(answer.allKeys.compactMap { $0 as? String }) == [
                "file", "validForGoogle", "statements", "errors", "missingIncludes",
            ])
        #expect(answer["validForGoogle"] as? Bool == verdict)
        #expect((answer["statements"] as? [NSDictionary])?.count == count)
        #expect(outcome.status == (verdict == true ? 0 : 1))
        let missing = answer["missingIncludes"] as? [String]
        #expect(missing == (verdict == nil ? [Self.url] : []))
    }

    @Test func `an include that nothing names is told`() throws {
        let outcome = try run(["statements", "FILE"], "[\(Self.app("a.b"))]", include: "[]")
        #expect(outcome.status == 0)
        #expect(outcome.messages.contains("no file includes \"\(Self.url)\""))
    }

    // MARK: lint

    @Test(
        "lint tells Google's verdict from its own findings",
        arguments: [
            ("[]", "yes, and it has no statements", "true", "no-statements"),
            (
                "[\(app("com.example.one", keys: [zeros]))]",
                "yes", "true", "fingerprint-placeholder"
            ),
            (
                "[\(app("com.example.one", keys: [key.lowercased()]))]", "no: FILE:3:", "false",
                "fingerprint-case"
            ),
            (root, "it depends on \(url)", "null", "include"),
        ])
    func lint(_ text: String, _ words: String, _ member: String, _ rule: String) throws {
        let outcome = try run(["lint", "--as", "assetlinks", "FILE"], text)
        #expect(outcome.output.contains("[\(rule)]"))
        #expect(outcome.output.contains("FILE: valid for Google: \(words)"))
        let json = try run(["lint", "--as", "assetlinks", "--format", "json", "FILE"], text)
        #expect(json.output.contains("\"rule\": \"\(rule)\""))
        #expect(json.output.contains("\"validForGoogle\": \(member)"))
    }

    @Test func `lint reads what is included, and knows what it grants`() throws {
        let text =
            "[\(Self.app("com.example.two", relation: "get_login_creds")), "
            + "{\"include\": \"\(Self.url)\"}]"
        let rule = "[no-handle-all-urls]"
        #expect(try !run(["lint", "FILE"], text).output.contains(rule))
        #expect(try !run(["lint", "FILE"], text, include: Self.included).output.contains(rule))
        let other = try run(["lint", "FILE"], text, include: "[\(Self.app("com.example.one"))]")
        #expect(other.output.contains(rule))
        let broken = try run(["lint", "FILE"], text, include: "[{}]")
        #expect(broken.status == 1)
        #expect(broken.output.contains("[statement-shape]"))
    }

    @Test func `a file of another kind has no verdict`() throws {
        let text = #"{"applinks": {"details": []}, "webcredentials": {"apps": []}}"#
        #expect(try !run(["lint", "FILE"], text).output.contains("Google"))
        let json = try run(["lint", "--format", "json", "FILE"], text)
        #expect(!json.output.contains("validForGoogle"))
    }

    // MARK: match and diff

    @Test func `match asks the apps of included files`() throws {
        let arguments = ["match", "https://example.com/a", "--assetlinks", "FILE"]
        let outcome = try run(arguments, Self.root, include: Self.included)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("depends on the manifest of com.example.one: the"))
        #expect(outcome.output.contains("depends on the manifest of com.example.two: the"))
        #expect(!outcome.output.contains("--include"))
        let without = try run(arguments, Self.root)
        #expect(without.output.contains("depends on the manifest of com.example.one"))
        #expect(without.output.contains("depends on \(Self.url), which the file includes"))
        let nothing = try run(arguments, "[{\"include\": \"\(Self.url)\"}]")
        #expect(nothing.status == 1)
        #expect(nothing.output.contains("the file lists no app; depends on \(Self.url)"))
        let json = try run(arguments + ["--format", "json"], Self.root)
        #expect(json.output.contains("\"dependsOn\""))
    }

    @Test func `an app whose statement Google refuses opens nothing`() throws {
        let text = "[\(Self.app("com.example.one", keys: [Self.key.lowercased()]))]"
        for format in ["text", "json", "lines"] {
            let outcome = try run(
                ["match", "https://e.com/", "--assetlinks", "FILE", "--format", format], text)
            #expect(outcome.status == 1, "\(format)")
            #expect(outcome.output.contains("Google refuses") == (format != "lines"))
        }
    }

    @Test func `what Android devices do not follow is told`() throws {
        let far = "https://example.com/far.json"
        try withFile("[\(Self.app("com.example.far"))]") { path in
            let outcome = try run(
                [
                    "match", "https://example.com/", "--assetlinks", "FILE", "--include",
                    "\(far)=\(path)",
                ], Self.root, include: "[{\"include\": \"\(far)\"}]")
            #expect(outcome.output.contains("depends on the manifest of com.example.far"))
            #expect(outcome.output.contains("in an include of an included file"))
        }
    }

    @Test func `diff compares what is included too`() throws {
        try withFile(Self.root) { new in
            let old = "[\(Self.app("com.example.one"))]"
            let outcome = try run(["diff", "FILE", new], old, include: Self.included)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("Android app com.example.two is new"))
            let without = try run(["diff", "FILE", new], old)
            #expect(without.status == 1)
            #expect(without.output.contains("the include of \(Self.url) is new"))
            #expect(without.messages.contains("the changes also depend on \"\(Self.url)\""))
        }
    }
}
