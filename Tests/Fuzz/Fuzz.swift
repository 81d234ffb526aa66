import Associations
import Diagnostics
import Foundation
import Linting
import TestSupport
import SiteConfiguration

/// Lints damaged files, in this process: `fuzz COUNT [DIRECTORY] [SEED] [FIRST]`.
///
/// Round `n` of a seed is always the same text. A crash is found again by running from the last
/// round that was printed; a round that takes long, and a finding that points nowhere or carries a
/// name that the catalogue does not know, is printed and ends the run with 1.
@main
struct Fuzz {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "markup" {
            MarkupFuzz.main(Array(arguments.dropFirst(2)))
        }
        guard arguments.count > 1, let count = Int(arguments[1]) else {
            print("usage: fuzz COUNT [DIRECTORY] [SEED] [FIRST]")
            exit(64)
        }
        let directory = arguments.count > 2 ? arguments[2] : "Tests/Fixtures"
        let seed = arguments.count > 3 ? UInt64(arguments[3]) : nil
        let first = arguments.count > 4 ? Int(arguments[4]) ?? 0 : 0
        var fuzz = Fuzz(
            corpus: texts(of: directory), seed: seed ?? UInt64.random(in: 1...UInt64.max))
        print("seed \(fuzz.seed), \(fuzz.corpus.count) files of \(directory)")
        exit(fuzz.run(from: first, count: count) ? 0 : 1)
    }

    let corpus: [[UInt8]]
    let seed: UInt64
    private var slowest = Duration.zero
    private var findings = 0

    init(corpus: [[UInt8]], seed: UInt64) {
        self.corpus = corpus
        self.seed = seed
    }

    /// Whether every round went well.
    mutating func run(from first: Int, count: Int) -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        for round in first..<(first + count) {
            if round % 100_000 == 0 { report(round, clock.now - start) }
            var generator = SplitMix(seed: seed &+ UInt64(round) &* 0x1234_5678_9ABC_DEF1)
            let text = mutant(&generator)
            let began = clock.now
            let fault = lint(text)
            slowest = max(slowest, clock.now - began)
            if let fault = clock.now - began > .seconds(1) ? "took over a second" : fault {
                print("round \(round): \(fault)")
                print(String(decoding: text, as: UTF8.self))
                return false
            }
        }
        report(first + count, clock.now - start)
        return true
    }

    private func report(_ round: Int, _ elapsed: Duration) {
        print("round \(round), \(elapsed), slowest \(slowest), \(findings) findings")
        fflush(nil)
    }

    /// - Returns: what is wrong with the findings, or nil.
    private mutating func lint(_ text: [UInt8]) -> String? {
        let kind = FileKind(of: text, name: "f")
        let found: [Diagnostic] =
            switch kind {
            case .association: Linter.lint(AssociationReading(text, file: "f"))
            case .assetLinks: Linter.lint(AssetLinksReading(text, file: "f"))
            case .configuration: lintConfiguration(text)
            }
        findings += found.count
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        for finding in found {
            guard Catalogue.rule(finding.rule) != nil else {
                return "no such rule: \(finding)"
            }
            // YAML has other line ends than JSON.
            guard kind != .configuration, let position = finding.position else { continue }
            guard lines.indices.contains(position.line - 1), position.column >= 1,
                position.column <= lines[position.line - 1].count + 1
            else { return "points nowhere: \(finding)" }
        }
        return nil
    }

    private func lintConfiguration(_ text: [UInt8]) -> [Diagnostic] {
        let (site, diagnostics) = Configuration.read(text, file: "f", directory: "/nowhere")
        return diagnostics + (site.map { Linter.lint($0, at: 1_800_000_000) } ?? [])
    }
}

/// The files of a directory; of a fixture what stands before the ten hyphens. Large files are
/// left out: the same faults in smaller ones are found sooner.
private func texts(of directory: String) -> [[UInt8]] {
    let names =
        FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    return names.sorted().compactMap { name -> [UInt8]? in
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)"),
            data.count <= 16_384
        else { return nil }
        let end = data.range(of: Data("\n----------\n".utf8))?.lowerBound ?? data.endIndex
        return Array(data[..<end])
    }
}
