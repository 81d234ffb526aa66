import AppFiles
import Diagnostics
import Linting

/// The declarations of apps, and the files that their hosts have to serve, for people who have no site's half yet.
struct DeclaredHalf {
    private let files: [(file: String, declarations: [AppDeclaration])]
    private let wanted: WantedHalf
    private let declared: [Declared]
    /// The declared texts of each app, by its platform and source.
    private let known: [String: [String]]

    init(_ files: [(file: String, declarations: [AppDeclaration])]) {
        self.files = files
        wanted = WantedHalf(files.flatMap(\.declarations))
        declared = files.flatMap { file, declarations in
            declarations.compactMap { Declared($0, in: file) }
        }
        known = Dictionary(
            declared.map { ("\($0.platform.rawValue) \($0.source)", $0.lines) }
        ) { first, _ in first }
    }

    /// Whether a finding says something without a site.
    func isShown(_ finding: Diagnostic) -> Bool { finding.rule != .siteHalfMissing }

    /// The findings that need no site, the declarations, and the files to serve.
    func text(_ agreements: [AppAgreement], sources: SourceLines) -> PrintedText {
        var sources = sources
        // Flavours of one manifest have most of them together.
        var known = Set<Diagnostic>()
        let findings = agreements.flatMap(\.findings).filter {
            isShown($0) && known.insert($0).inserted
        }
        return .lines(
            findings.flatMap { $0.excerpted(from: &sources) }
                + declared.filter { !$0.lines.isEmpty }.flatMap {
                    [$0.title] + $0.lines.map { "    \($0)" }
                }
                + nothing + published + missing)
    }

    /// The declared texts of an agreement's app.
    func declared(by agreement: AppAgreement) -> [String] {
        agreement.platform.flatMap { known["\($0.rawValue) \(agreement.source)"] } ?? []
    }

    /// Says that none of the files is about links.
    private var nothing: [String] {
        guard !files.isEmpty, declared.allSatisfy(\.lines.isEmpty),
            files.flatMap(\.declarations).allSatisfy(Self.isKnown)
        else { return [] }
        return [
            files.count == 1
                ? "the only file of an app declares no links"
                : "none of the \(files.count) files of apps declares links"
        ]
    }

    /// Whether what it lacks is lacking: a program or a navigation graph can declare links that are not read.
    private static func isKnown(_ declaration: AppDeclaration) -> Bool {
        switch declaration {
        case .program, .key: false
        case .android(let app): app.navigation == nil && app.fault == nil
        case .apple: true
        }
    }

    /// Hosts that have to serve the same file are named together.
    private var published: [String] {
        [
            ("apple-app-site-association", wanted.appleFiles),
            ("assetlinks.json", wanted.androidFiles),
        ].flatMap { name, files in
            files.flatMap { content, hosts -> [String] in
                let text = String(decoding: content, as: UTF8.self)
                let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .map { String(Substring($0)) }
                return ["", "\(addresses(name, hosts)) has to be"]
                    + (lines.last == "" ? lines.dropLast() : lines)
            }
        }
    }

    private func addresses(_ name: String, _ hosts: [String]) -> String {
        let more = hosts.count > 1 ? " (and on \(enumerated(Array(hosts.dropFirst()))))" : ""
        return "https://\(hosts[0])/.well-known/\(name)\(more)"
    }

    private var missing: [String] {
        (wanted.gaps.isEmpty ? [] : ["", "The files do not say"] + wanted.gaps.map { "    \($0)" })
            + [
                "",
                "To compare with what a site publishes, add --live, --aasa FILE and --assetlinks FILE, or",
                "--config FILE --env NAME. waymark init --from FILE begins a configuration.",
            ]
    }
}
