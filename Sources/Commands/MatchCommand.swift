import ArgumentParser
import Associations
import Diagnostics
import Files

/// Says which apps open links, and which rule decided. Exit: 0 if every link opens an app, else 1.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Say which apps open a link, and why.",
        discussion: """
            Links are arguments, or lines of standard input when there are none. Rules come from \
            anybody's file or from a configuration; a configuration also knows whether the link's \
            host is one of its own.

            As `lines`, the standard for links from standard input, each link takes one line: \
            `open`, `exclude` or `none`, the link, and the apps that it opens, separated by tabs. \
            This form gives no reasons, and is made for many links.
            """)

    @Argument(help: ArgumentHelp("Links.", valueName: "url"))
    var urls: [String] = []

    @OptionGroup var source: LinkSource

    @Option(help: "How answers are printed: text, json or lines.")
    var format: Format?

    @Flag(name: .shortAndLong, help: "Also say why each earlier rule did not match.")
    var verbose = false

    func validate() throws {
        // Mostly a variable of a script that was not set.
        guard !urls.contains(where: \.isEmpty) else { throw ValidationError("a link is empty") }
    }

    func run() throws {
        let rules = try source.load()
        var output = StandardOutput()
        let opensAll: Bool
        if urls.isEmpty {
            var input = StandardInputLines()
            opensAll = run(rules, format ?? .lines, &output) { input.next().map(trimmed) }
        } else {
            var rest = urls[...]
            opensAll = run(rules, format ?? .text, &output) {
                rest.popFirst().map { Array($0.utf8) }
            }
        }
        output.flush()
        if !opensAll { throw ExitCode.no }
    }

    /// How answers are printed.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, lines
    }

    /// - Returns: whether every link opens an app.
    private func run(
        _ rules: LinkRules, _ format: Format, _ output: inout StandardOutput,
        _ next: () -> [UInt8]?
    ) -> Bool {
        switch format {
        case .lines: return printLines(rules, &output, next)
        case .text:
            return printEach(rules, &output, ("", "", ""), next, text)
        case .json:
            return printEach(rules, &output, ("[", ",", "\n]\n"), next) { link in
                "\n" + json(link)
            }
        }
    }

    // MARK: One line a link

    private func printLines(
        _ rules: LinkRules, _ output: inout StandardOutput, _ next: () -> [UInt8]?
    ) -> Bool {
        var scratch = MatchScratch()
        var opensAll = true
        let names = rules.matcher.apps.map { Array("\t\($0.appID)".utf8) }
        while let line = next() {
            guard !line.isEmpty else { continue }
            var opened = [Int]()
            var isExcluded = false
            if let url = try? LinkURL(utf8: line), rules.answers(for: url) {
                rules.matcher.decide(url, &scratch)
                for app in names.indices {
                    switch rules.matcher.decision(forApp: app, scratch).verdict {
                    case .open: opened.append(app)
                    case .exclude: isExcluded = true
                    case .none: break
                    }
                }
            }
            if opened.isEmpty { opensAll = false }
            let word = !opened.isEmpty ? "open\t" : isExcluded ? "exclude\t" : "none\t"
            output.write(word.utf8)
            output.write(line)
            for app in opened { output.write(names[app]) }
            output.write(CollectionOfOne(UInt8(ascii: "\n")))
        }
        return opensAll
    }

    // MARK: With reasons

    /// A link and what became of it.
    private struct Link {
        let text: String
        let verdicts: [AppAnswer]
        let fault: String?
        /// What may name apps besides; nil where all is known.
        var dependence: String?
        var missingIncludes = [String]()

        var opens: [String] { verdicts.filter { $0.outcome == .open }.map(\.app) }
    }

    private func printEach(
        _ rules: LinkRules, _ output: inout StandardOutput,
        _ brackets: (open: String, between: String, close: String), _ next: () -> [UInt8]?,
        _ describe: (Link) -> String
    ) -> Bool {
        var opensAll = true
        var separator = brackets.open
        while let line = next() {
            guard !line.isEmpty else { continue }
            let link = link(line, rules)
            if link.opens.isEmpty { opensAll = false }
            output.write((separator + describe(link)).utf8)
            separator = brackets.between
        }
        if separator == brackets.open, !brackets.open.isEmpty { output.write("[".utf8) }
        output.write(brackets.close.utf8)
        return opensAll
    }

    private func link(_ bytes: [UInt8], _ rules: LinkRules) -> Link {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(LinkURLError) {
            let url = try LinkURL(utf8: bytes)
            return Link(
                text: text, verdicts: rules.verdicts(for: url), fault: nil,
                dependence: rules.dependence, missingIncludes: rules.missingIncludes)
        } catch {
            return Link(text: text, verdicts: [], fault: error.description)
        }
    }

    private func text(_ link: Link) -> String {
        var lines = [printable(link.text)]
        if let fault = link.fault { lines.append("  stays in the browser: \(fault)") }
        if link.fault == nil, link.verdicts.isEmpty {
            let more = link.dependence.map { "; \($0)" } ?? ""
            lines.append("  stays in the browser: the file names no app\(more)")
        }
        for verdict in link.verdicts {
            lines.append("  \(verdict.sentence)")
            guard verbose else { continue }
            for step in verdict.earlier {
                lines.append("    not rule \((step.place.index ?? 0) + 1): \(step)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func json(_ link: Link) -> String {
        var members: [(key: String, value: JSONText)] = [
            ("url", .string(link.text)), ("opens", .strings(link.opens)),
            ("apps", .array(link.verdicts.map { $0.json(isVerbose: verbose) })),
        ]
        if !link.missingIncludes.isEmpty {
            members.append(("dependsOn", .strings(link.missingIncludes)))
        }
        if let fault = link.fault { members.append(("error", .string(fault))) }
        return JSONText.object(members).indented
    }
}

/// A line of a list without the blanks around it.
private func trimmed(_ line: [UInt8]) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = line.first, let last = line.last, isBlank(first) || isBlank(last) else {
        return line
    }
    let tail = line.drop(while: isBlank)
    return Array(tail[..<((tail.lastIndex { !isBlank($0) } ?? tail.startIndex - 1) + 1)])
}

/// The link as it was given, or quoted where a terminal could take it for something else.
private func printable(_ text: String) -> String {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : quoted(text)
}
