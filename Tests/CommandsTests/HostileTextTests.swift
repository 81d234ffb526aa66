import Foundation
import Testing

/// What strangers fill in, in each place where they can, and each command and format that could
/// repeat it: no byte of theirs is obeyed by a terminal, a build service, or whatever parses it.
@Suite("Text of strangers")
struct HostileTextTests {
    /// What a terminal, a parser or a build service could obey, and what could be another record.
    static let everywhere: [String] = [
        "\u{1B}]0;x\u{7}\u{8}\r\u{9B}31m\u{202E}\u{2066}\u{2028}\t\u{7F}\u{85}\u{FFFE}<&\"']]>{0}"
            + "##[error]x ##vso[task.x]x [x](https://forged.example/)"
            + "[x](\u{301}https://forged.example/)",
        "a\n::error::forged\nopen\thttps://forged.example/\tFORGED\nforged:1:1: error: f [forged]",
    ]
    /// The same, and commands that must begin a line.
    static let texts: [String] =
        everywhere + [
            "::error file=forged::forged", " \u{A0}::error::forged%0A::error::forged,file=forged",
        ]
    /// A file's name alone can begin a line.
    static let placed: [(HostilePosition, String)] = HostilePosition.allCases.flatMap { position in
        (position == .name ? texts : everywhere).map { (position, $0) }
    }

    @Test("are repeated by no file's findings", arguments: placed)
    func files(_ position: HostilePosition, _ text: String) throws {
        try inScratchDirectory { directory in
            let name = try position.write(text, in: directory)
            let answers = try ["text", "json", "sarif", "github"].map { format in
                let outcome = try Program.run(
                    ["lint", "--fail-on", "note", "--format", format, name], in: directory)
                #expect(outcome.status == 1, "\(outcome)")
                try expectHarmless(outcome, format)
                return outcome.output
            }
            let findings = try #require(
                JSONSerialization.jsonObject(with: Data(answers[1].utf8)) as? [[String: Any]])
            #expect(!findings.isEmpty)
            // Of every finding there is one record in every format.
            let rules = Set(findings.compactMap { $0["rule"] as? String })
            let heads = answers[0].split(separator: "\n").count { line in
                rules.contains { line.hasSuffix(" [\($0)]") }
            }
            #expect(heads == findings.count, "\(answers[0])")
            #expect(answers[3].split(separator: "\n").count == findings.count, "\(answers[3])")
            for line in answers[3].split(separator: "\n") {
                #expect(["::error ", "::warning ", "::notice "].contains { line.hasPrefix($0) })
                let command = line.dropFirst(2)
                let head = try #require(command.range(of: "::").map { command[..<$0.lowerBound] })
                let names = head.drop { $0 != " " }.dropFirst().split(separator: ",").map {
                    $0.prefix { $0 != "=" }
                }
                #expect(names == ["file", "line", "col", "title"], "\(line)")
            }
            for format in ["text", "json"] {
                for arguments in position.otherReaders(of: name) {
                    let outcome = try Program.run(arguments + ["--format", format], in: directory)
                    try expectHarmless(outcome, format)
                }
            }
        }
    }

    @Test("are one record of a link", arguments: texts)
    func links(_ text: String) throws {
        try inScratchDirectory { directory in
            // An app whose name is the text, which opens everything.
            let aasa = try HostilePosition.appIdentifier.write(text, in: directory)
            let link = "https://a.example/"
            let input = [link, link + text, text].map(oneLine).joined(separator: "\n")
            for format in ["text", "json", "lines"] {
                let outcome = try Program.run(
                    ["match", "--verbose", "--format", format, "--aasa", aasa], input: input,
                    in: directory)
                try expectHarmless(outcome, format)
                let given = try Program.run(
                    ["match", "--format", format, "--aasa", aasa, "--", link, link + text, text],
                    in: directory)
                try expectHarmless(given, format)
                for output in [outcome.output, given.output] where format == "lines" {
                    let records = output.split(separator: "\n")
                    #expect(records.count == 3, "\(output)")
                    for record in records {
                        let values = record.split(
                            separator: "\t", omittingEmptySubsequences: false)
                        #expect(values.count == (values[0] == "open" ? 3 : 2), "\(record)")
                        #expect(!values.contains("FORGED"))
                    }
                }
            }
        }
    }

    @Test("are repeated by no answer about a link", arguments: texts)
    func answers(_ text: String) throws {
        try inScratchDirectory { directory in
            try Data(try configuration(naming: text).utf8).write(
                to: directory.appending(path: "waymark.yaml"))
            let page = "<title>\(text)</title><meta property='og:title' content='\(text)'>"
            try Data(page.utf8).write(to: directory.appending(path: "page.html"))
            let link = "https://a.example/x\(text)"
            for format in ["text", "json"] {
                for arguments in [
                    ["explain", "--env", "dev", link], ["report", "page.html", "--url", link],
                    ["report", "page.html"],
                    ["explain", "--env", "dev", "https://a.example/x", "--user-agent", text],
                    ["report", "https://a.example/x", "--config", "waymark.yaml", "--env", "dev"],
                ] {
                    let outcome = try Program.run(
                        arguments + ["--format", format], in: directory)
                    try expectHarmless(outcome, format)
                }
            }
            let lines = "https://a.example/x\n\(oneLine(link))\n"
            try expectHarmless(
                try Program.run(
                    ["explain", "-", "--env", "dev", "--format", "json"], input: lines,
                    in: directory),
                "json lines")
            for format in ["text", "json", "junit"] {
                let outcome = try Program.run(["test", "--format", format], in: directory)
                // A configuration holds no control characters.
                #expect([1, 78].contains(outcome.status), "\(outcome)")
                try expectHarmless(outcome, format)
                guard format == "junit", outcome.status == 1 else { continue }
                #expect(outcome.output.split(separator: "<testcase ").count == 2)
                #expect(outcome.output.split(separator: "<failure ").count == 2)
            }
        }
    }

    /// Every option that takes a text, and arguments without one.
    static let options: [[String]] = [
        ["lint", "--ignore"], ["lint", "--explain"], ["lint", "--as"], ["lint", "--format"],
        ["lint", "--env", "dev", "--cacert"], ["lint"], ["match", "--aasa", "-"],
        ["match", "--aasa"], ["match", "--assetlinks"], ["match", "--format"],
        ["explain", "--env", "dev", "--as"], ["explain", "--env"], ["explain", "--env", "dev"],
        ["explain", "--env", "dev", "--config"], ["render"], ["render", "aasa", "--env"],
        ["render", "aasa", "--env", "dev", "--host"], ["render", "page", "--env", "dev", "--url"],
        ["diff", "waymark.yaml"], ["diff", "waymark.yaml", "waymark.yaml", "--env"],
        ["report"], ["report", "page.html", "--url"], ["report", "page.html", "--ignore"],
        ["report", "page.html", "--public"], ["test", "--config"], ["test", "--env"],
        ["init", "--host"], ["init", "--config"], ["init", "--theme"], ["init", "--certificates"],
        ["init", "--from"],
        ["healthcheck", "--admin"], ["serve", "--env"], ["serve", "--env", "dev", "--https"],
        ["serve", "--env", "dev", "--user"], ["serve", "--env", "dev", "--config"], [],
        ["help"], ["no-such-command"], ["--generate-completion-script"],
    ]

    @Test("are repeated by no message about an argument", arguments: texts, options)
    func arguments(_ text: String, _ options: [String]) throws {
        try inScratchDirectory { directory in
            try Data(try configuration(naming: "x").utf8).write(
                to: directory.appending(path: "waymark.yaml"))
            try Data("<title>x</title>".utf8).write(
                to: directory.appending(path: "page.html"))
            let isOption = text == Self.texts[1]
            let value = isOption ? "--\(text)" : text
            try expectHarmless(try Program.run(options + [value], in: directory), "text")
        }
    }
}

/// Where a stranger's text can stand in a file that is linted.
enum HostilePosition: String, CaseIterable {
    case content, name, appIdentifier, path, comment, key, service
    case package, fingerprint, relation
    case configurationKey, environment, host, link, pattern, app

    /// The file's name.
    func write(_ text: String, in directory: URL) throws -> String {
        let (name, content): (String, Any) =
            switch self {
            case .content: ("aasa", text)
            case .name: ("\(text.replacing("/", with: "")).json", "[")
            case .appIdentifier: ("aasa", aasa(app: text))
            case .path: ("aasa", aasa(rule: ["/": "/\(text)"]))
            case .comment: ("aasa", aasa(rule: ["/": "?", "comment": text, "x": 1]))
            case .key: ("aasa", aasa(rule: [text: text]))
            case .service: ("aasa", ["applinks": ["details": [Any]()], text: text])
            case .package: ("assetlinks.json", assetlinks(package: text))
            case .fingerprint: ("assetlinks.json", assetlinks(fingerprint: text))
            case .relation: ("assetlinks.json", assetlinks(relation: text))
            case .configurationKey: ("waymark.yaml", site([text: 1]))
            case .environment: ("waymark.yaml", site(["environments": [text: 1]]))
            case .host:
                ("waymark.yaml", site(["environments": ["dev": ["hosts": [text]]]]))
            case .link: ("waymark.yaml", site(["links": [text: ["match": "x"]]]))
            case .pattern: ("waymark.yaml", site(["links": ["x": ["match": text]]]))
            case .app: ("waymark.yaml", site(["apps": [text: ["ios": ["id": text]]]]))
            }
        let bytes =
            if let text = content as? String {
                Data(text.utf8)
            } else {
                try JSONSerialization.data(withJSONObject: content)
            }
        // A path from the directory is no option.
        try bytes.write(to: directory.appending(path: name))
        return name.hasPrefix("-") ? "./\(name)" : name
    }

    func otherReaders(of name: String) -> [[String]] {
        switch self {
        case .content, .name, .appIdentifier, .path, .comment, .key, .service:
            [
                ["match", "--verbose", "--aasa", name, "https://a.example/x"],
                ["diff", name, "Tests-no-such-file"], ["report", "--aasa", name, name],
                ["diff", name, name], ["report", name],
            ]
        case .package, .fingerprint, .relation:
            [
                ["match", "--assetlinks", name, "https://a.example/x"], ["diff", name, name],
                ["statements", name], ["statements", "--format", "json", name],
                ["report", "--assetlinks", name, name],
            ]
        case .configurationKey, .environment, .host, .link, .pattern, .app:
            [
                ["test"], ["diff", name, name],
                ["explain", "https://a.example/", "--env", "dvv"],
                ["match", "https://a.example/", "--config", name, "--env", "dvv"],
            ]
        }
    }

    private func aasa(
        app: String = "W4X7K2M9QH.com.example.app", rule: [String: Any] = ["/": "*"]
    ) -> [String: Any] {
        ["applinks": ["details": [["appIDs": [app], "components": [rule]]]]]
    }

    private func assetlinks(
        package: String = "com.example", fingerprint: String = "AA",
        relation: String = "delegate_permission/common.handle_all_urls"
    ) -> [[String: Any]] {
        [
            [
                "relation": [relation],
                "target": [
                    "namespace": "android_app", "package_name": package,
                    "sha256_cert_fingerprints": [fingerprint],
                ],
            ]
        ]
    }

    private func site(_ more: [String: Any]) -> [String: Any] {
        [
            "version": 1, "apps": ["app": ["ios": ["id": "W4X7K2M9QH.com.example.app"]]],
            "links": ["home": ["match": "/"]],
            "environments": [
                "dev": [
                    "hosts": ["a.example"], "tls": ["certificate": "c.pem", "key": "c.key"],
                    "publish": ["app": ["home"]],
                ]
            ],
        ].merging(more) { $1 }
    }
}

/// A sound configuration that says the text where it may, and a link test that fails.
private func configuration(naming text: String) throws -> String {
    let site: [String: Any] = [
        "version": 1, "site": ["name": text],
        "apps": ["app": ["name": text, "ios": ["id": "W4X7K2M9QH.com.example.app"]]],
        "links": [
            "home": [
                "match": "/x*", "page": ["title": text, "description": text], "web": "landing",
            ]
        ],
        "environments": [
            "dev": [
                "hosts": ["a.example"], "tls": ["certificate": "c.pem", "key": "c.key"],
                "publish": ["app": ["home"]],
            ]
        ],
        "expect": [["url": "https://a.example/x", "env": "dev", "opens": [String]()]],
    ]
    return String(
        decoding: try JSONSerialization.data(withJSONObject: site), as: UTF8.self)
}

/// A line of standard input can hold anything but its end.
private func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" }))
}

private func expectHarmless(_ outcome: Program.Outcome, _ format: String) throws {
    for (text, form) in [(outcome.output, format), (outcome.messages, "text")] {
        let bad = text.unicodeScalars.first { scalar in
            switch scalar {
            case "\n": false
            case "\t": form != "lines"
            default:
                [.control, .format, .lineSeparator, .paragraphSeparator].contains(
                    scalar.properties.generalCategory)
            }
        }
        #expect(bad == nil, "\(form): \(text.debugDescription)")
        for line in text.unicodeScalars.split(separator: "\n").map({ String($0) }) {
            if form != "github" {
                #expect(!line.drop(while: \.isWhitespace).hasPrefix("::"), "\(line)")
            }
            #expect(!line.contains("##[") && !line.contains("##vso["), "\(line)")
            #expect(!line.hasPrefix("forged"), "\(line)")
            guard form == "json lines" else { continue }
            _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
        guard !text.isEmpty else { continue }
        switch form {
        case "sarif":
            #expect(!Data(text.utf8).contains("](".utf8), "\(text)")
            fallthrough
        case "json": _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        case "junit": try expectXML(text)
        default: break
        }
    }
}

/// Python's parser is one that other people wrote.
private func expectXML(_ text: String) throws {
    try withFile(text) { path in
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])",
            path,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}
