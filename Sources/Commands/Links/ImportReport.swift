import ArgumentParser
private import Diagnostics
import JSONSyntax
private import SiteConfiguration

/// The lines of the answer to an import, printed as they come.
struct ImportReport: ~Copyable {
    private let origin: LinkOrigin
    private let file: String
    private let format: OutputFormat
    private let isAtomic: Bool
    private var output = Output()
    private var rest = [UInt8]()
    private var refused = 0
    /// Lines whose refusal or warnings the answer has.
    private var (refusedListed, warnedListed) = (0, 0)
    private var hasSummary = false
    private var isComplete = false
    /// The origin's reason for ending the import before its content ended.
    private var problem: JSONValue?

    init(origin: LinkOrigin, file: String, format: OutputFormat, isAtomic: Bool) {
        (self.origin, self.file, self.format) = (origin, file, format)
        self.isAtomic = isAtomic
    }

    mutating func add(_ piece: [UInt8]) throws(ExitCode) {
        rest += piece
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return }
        for line in rest[...end].split(separator: UInt8(ascii: "\n")) {
            guard let json = JSONDocument(Array(line), file: file).root else { continue }
            if format == .json { try output.write(.jsonLine(json.written)) }
            try read(json)
        }
        rest.removeSubrange(...end)
    }

    /// - Parameter status: of the answer.
    /// - Returns: the exit status, after printing what has ended the import; nil if all of it was done.
    mutating func finish(_ status: Int) throws(ExitCode) -> ExitCode? {
        try output.finish()
        let advice =
            isAtomic
            ? "nothing was written: import all of it again"
            : "import all of it again with --mode upsert, which leaves what is done as it is"
        if let problem {
            origin.printProblem(problem, at: file, advice: advice)
        } else if !hasSummary {
            printMessages([
                "\(file): error: the answer ends before it says what was done", "    \(advice)",
            ])
            return .unreachable
        }
        // Where lines are refused, 422 says no more than they do.
        if refused > 0, problem == nil { return .no }
        if 200..<300 ~= status { return isComplete ? nil : .tryAgain }
        return LinkOrigin.exitStatus(for: status)
    }

    private mutating func read(_ json: JSONValue) throws(ExitCode) {
        if let summary = json["summary"] {
            func number(_ key: String) -> String { summary[key]?.written.compact ?? "0" }
            refused = Int(number("refused")) ?? 0
            (hasSummary, isComplete) = (true, summary["complete"]?.boolean == true)
            guard format == .text else { return }
            let isApplied = summary["applied"]?.boolean == true
            try output.write(
                .lines([
                    (isApplied ? "" : "nothing was written: ")
                        + "\(number("created")) created, \(number("changed")) changed, "
                        + "\(number("unchanged")) unchanged, \(number("refused")) refused"
                        + (isComplete ? "" : "; the rest was not done")
                ]))
            let warned = Int(number("warned")) ?? 0
            printOmitted(refused - refusedListed, "refused, without the reason")
            printOmitted(warned - warnedListed, "taken with warnings that are not listed")
        } else if json["line"] == nil {
            problem = json
        } else if format == .text {
            let place = ["line", "column"].compactMap { json[$0]?.written.compact }
            let position = ([file] + place).joined(separator: ":")
            for warning in json["warnings"]?.elements ?? [] {
                origin.printFault(warning, "warning", nil, at: position)
            }
            if let problem = json["problem"] {
                refusedListed += 1
                origin.printProblem(problem, at: position)
            } else if json["warnings"] != nil {
                warnedListed += 1
            }
        }
    }

    /// Says how many lines the answer had no room to say anything of: a report that ends silently passes for a whole one.
    private func printOmitted(_ count: Int, _ what: String) {
        guard count > 0 else { return }
        printMessages([
            "\(file): warning: \(counted(count, "more line")) \(what): the answer has no room for them",
            "    put the lines behind those that are listed into a file of their own, and look at it with --dry-run",
        ])
    }
}
