import ArgumentParser
import Associations
import Diagnostics
import Files
import Reviewing

/// Shows which apps open links, and which rule decided. Exit status: 0 if every link opens an app,
/// else 1.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Show which apps open a link, and why.",
        discussion: """
            Links are arguments or, if there are none or for -, lines of standard input. Rules come from an \
            association file of any site or from a configuration. With a configuration, the \
            link's host is checked too.

            The format `lines` is the default for standard input. It prints one line for each \
            link: `open`, `manifest`, `exclude` or `none`, the link, and the apps that it opens, \
            separated by tabs. It is made for many links and prints no reasons. `manifest` means \
            that a link opens no app for certain, and that the manifests of these Android apps \
            decide, because assetlinks.json has no dynamic rules for them.
            """)

    @Argument(help: ArgumentHelp("The links.", valueName: "url"))
    var urls: [String] = []

    @OptionGroup var source: LinkSource

    @Option(help: "The format of the results: text, json or lines.")
    var format: Format?

    @Flag(name: .shortAndLong, help: "Also show why each earlier rule did not match.")
    var verbose = false

    func validate() throws {
        guard urls.count == 1 || !urls.contains("-") else {
            throw ValidationError("- stands for the lines of standard input, and not among links")
        }
        guard !readsLines || !source.isStandardInput else {
            throw ValidationError("standard input is either the links or the rules")
        }
        // In the other formats, a text that is no link and that nobody meant as one has a line of its own.
        let isForPeople = format == nil || format == .text
        for url in urls
        where !readsLines && (isForPeople || (linkAdvice(url) ?? unseenEnd(of: url)) != nil) {
            try checkLink(url)
        }
    }

    func run() throws {
        let rules = try source.load()
        var output = Output()
        let opensAll: Bool
        if readsLines {
            var input = StandardInputLines()
            opensAll = try run(rules, format ?? .lines, &output) { () throws(ExitCode) in
                try readLine(&input).map(Line.init)
            }
        } else {
            var rest = urls[...]
            opensAll = try run(rules, format ?? .text, &output) { rest.popFirst().map(Line.init) }
        }
        try output.finish()
        if !opensAll { throw ExitCode.no }
    }

    /// Whether standard input has the links.
    private var readsLines: Bool { urls.isEmpty || urls == ["-"] }

    /// The format of the results.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, lines
    }

    /// - Returns: whether every link opens an app.
    private func run(
        _ rules: LinkRules, _ format: Format, _ output: inout Output,
        _ next: () throws(ExitCode) -> Line?
    ) throws(ExitCode) -> Bool {
        switch format {
        case .lines: try printLines(rules, &output, next)
        case .text: try printText(rules, &output, next)
        case .json: try printJSON(rules, &output, next)
        }
    }

    /// A link as it was given.
    private struct Line {
        let bytes: [UInt8]
        /// The quoted text, and why it is not a link, if it was recognised without further checks.
        var cut: (text: String, fault: String)?

        init(_ argument: String) { bytes = Array(argument.utf8) }

        /// A line of a list, without the spaces around it.
        init(_ line: InputLine) {
            bytes = trimmed(line.bytes)
            guard line.isTooLong else { return }
            cut = (
                String(decoding: bytes.prefix(cutBytes), as: UTF8.self) + "…",
                "the line is longer than \(InputLine.bytesMax) bytes"
            )
        }

        var text: String { cut?.text ?? String(decoding: bytes, as: UTF8.self) }
    }

    // MARK: One line a link

    private func printLines(
        _ rules: LinkRules, _ output: inout Output, _ next: () throws(ExitCode) -> Line?
    ) throws(ExitCode) -> Bool {
        let files = [rules] + rules.others
        var scratches = files.map { _ in MatchScratch() }
        var opensAll = true
        let names = files.map { $0.matcher.apps.map { PrintedText.field($0.appID) } }
        while let line = try next() {
            guard !line.bytes.isEmpty else { continue }
            var opened = [(file: Int, app: Int)]()
            var undecided = [(file: Int, app: Int)]()
            var isExcluded = false
            if line.cut == nil, let url = try? LinkURL(utf8: line.bytes) {
                for (file, rules) in files.enumerated() where rules.answers(for: url) {
                    rules.matcher.decide(url, &scratches[file])
                    for app in names[file].indices {
                        let decision = rules.matcher.decision(forApp: app, scratches[file])
                        switch rules.effect(decision, ofApp: app, url) {
                        case .manifest: undecided.append((file, app))
                        case .open: opened.append((file, app))
                        case .exclude: isExcluded = true
                        case .none: break
                        }
                    }
                }
            }
            if opened.isEmpty { opensAll = false }
            let isUndecided = opened.isEmpty && !undecided.isEmpty
            try output.write(
                !opened.isEmpty ? .open : isUndecided ? .manifest : isExcluded ? .exclude : .none)
            try output.write(field: line.cut.map { Array($0.text.utf8) } ?? line.bytes)
            for (file, app) in isUndecided ? undecided : opened {
                try output.write(.tab)
                try output.write(names[file][app])
            }
            try output.write(.lineEnd)
        }
        return opensAll
    }

    // MARK: With reasons

    /// A link and its result.
    private struct Link {
        let text: String
        let verdicts: [AppAnswer]
        let fault: String?
        /// The other apps on which the result depends; nil if everything is known.
        var dependence: String?
        var missingIncludes = [String]()

        var opens: [String] { verdicts.filter(\.opens).map(\.app) }
    }

    private func printText(
        _ rules: LinkRules, _ output: inout Output, _ next: () throws(ExitCode) -> Line?
    ) throws(ExitCode) -> Bool {
        try printEach(rules, next) { link throws(ExitCode) in
            try output.write(.lines(lines(link)))
        }
    }

    private func printJSON(
        _ rules: LinkRules, _ output: inout Output, _ next: () throws(ExitCode) -> Line?
    ) throws(ExitCode) -> Bool {
        var isFirst = true
        let opensAll = try printEach(rules, next) { link throws(ExitCode) in
            try output.write(isFirst ? .literal("[\n") : .literal(",\n"))
            try output.write(.element(json(link)))
            isFirst = false
        }
        try output.write(isFirst ? .literal("[\n]\n") : .literal("\n]\n"))
        return opensAll
    }

    private func printEach(
        _ rules: LinkRules, _ next: () throws(ExitCode) -> Line?,
        _ write: (Link) throws(ExitCode) -> Void
    ) throws(ExitCode) -> Bool {
        var opensAll = true
        while let line = try next() {
            guard !line.bytes.isEmpty else { continue }
            let link = link(line, rules)
            if link.opens.isEmpty { opensAll = false }
            try write(link)
        }
        return opensAll
    }

    private func link(_ line: Line, _ rules: LinkRules) -> Link {
        if let cut = line.cut { return Link(text: cut.text, verdicts: [], fault: cut.fault) }
        do throws(LinkURLError) {
            let url = try LinkURL(utf8: line.bytes)
            return Link(
                text: line.text, verdicts: rules.verdicts(for: url, showsSteps: verbose),
                fault: rules.strangeHost(of: url),
                dependence: rules.dependence, missingIncludes: rules.missingIncludes)
        } catch {
            return Link(text: line.text, verdicts: [], fault: error.description)
        }
    }

    private func lines(_ link: Link) -> [String] {
        var lines = [printable(link.text)]
        if let fault = link.fault { lines.append("  stays in the browser: \(fault)") }
        if link.fault == nil, link.verdicts.isEmpty {
            let more = link.dependence.map { "; \($0)" } ?? ""
            lines.append("  stays in the browser: the file lists no app\(more)")
        }
        for verdict in link.verdicts {
            lines.append("  \(verdict.sentence)")
            guard verbose else { continue }
            for step in verdict.earlier {
                lines.append("    not rule \((step.position.index ?? 0) + 1): \(step)")
            }
        }
        return lines
    }

    private func json(_ link: Link) -> JSONText {
        var members: [(key: String, value: JSONText)] = [
            ("url", .string(link.text)), ("opens", .strings(link.opens)),
            ("apps", .array(link.verdicts.map { $0.json(isVerbose: verbose) })),
        ]
        if !link.missingIncludes.isEmpty {
            members.append(("dependsOn", .strings(link.missingIncludes)))
        }
        if let fault = link.fault { members.append(("error", .string(fault))) }
        return .object(members)
    }
}

extension PrintedText {
    // Created once, because there can be millions of lines.
    fileprivate static let open = literal("open\t")
    fileprivate static let manifest = literal("manifest\t")
    fileprivate static let exclude = literal("exclude\t")
    fileprivate static let none = literal("none\t")
    fileprivate static let tab = literal("\t")
    fileprivate static let lineEnd = literal("\n")
}

/// The most bytes quoted of a line that is too long: as many as in messages.
private let cutBytes = 80

/// A line of a list without the spaces around it.
private func trimmed(_ line: [UInt8]) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = line.first, let last = line.last, isBlank(first) || isBlank(last) else {
        return line
    }
    let tail = line.drop(while: isBlank)
    return Array(tail[..<((tail.lastIndex { !isBlank($0) } ?? tail.startIndex - 1) + 1)])
}

/// The link as it was given, or quoted if it could control a terminal.
private func printable(_ text: String) -> String {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : quoted(text)
}
