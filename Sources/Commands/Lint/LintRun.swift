import Answering
import Associations
import Diagnostics
import Files
import ArgumentParser
private import JSONSyntax
import Linting
import Resolution
import SiteConfiguration
import Sockets

/// One run of `lint`: its files and findings.
struct LintRun {
    let kind: FileKind?
    let environment: String?
    /// Nil does not check signatures.
    var signatures: SignatureCheck?
    /// The files for the includes of an assetlinks.json, by their URLs.
    var includes = [String: PublishedAssetLinks.File]()
    private(set) var findings = [Diagnostic]()
    /// Google's verdict on each assetlinks.json.
    private(set) var verdicts = [PublishedAssetLinks]()
    /// The obstacles to a start of `serve` with the requested environment, beyond errors in the
    /// configuration.
    private(set) var start: StartCheck?
    /// Whether all rules were applied to all files. The rules need a file that can be read and a
    /// configuration without errors.
    private(set) var isWhole = true
    /// Files that could not be read, or that lack the environment, each with a message and the
    /// exit status.
    private(set) var unread = [(diagnostic: Diagnostic, status: ExitCode)]()
    /// Whether one of the files is a configuration.
    private(set) var readsConfiguration = false
    /// The lines of the files with findings.
    private(set) var sources = SourceLines()
    private var associations = [AssociationReading]()
    private var assetLinks = [AssetLinksReading]()
    /// The names of included files whose findings were added.
    private var included = Set<String>()

    init(kind: FileKind?, environment: String?) {
        self.kind = kind
        self.environment = environment
    }

    /// Reads a file, or standard input for `-`, and adds its findings.
    mutating func lint(_ path: String) {
        let name = shownName(path)
        do throws(FileError) {
            let bytes = try readInput(path, bytesMax: bytesMax)
            sources.add(bytes, of: name)
            findings += lint(bytes, name)
        } catch {
            take(error, name, isStream: path == "-")
        }
    }

    /// The same of what is fetched from a URL.
    mutating func lint(_ url: String, _ fetch: () throws(FetchFault) -> [UInt8]) {
        do throws(FetchFault) {
            let bytes = try fetch()
            sources.add(bytes, of: url)
            findings += lint(bytes, url)
        } catch {
            isWhole = false
            unread.append((error.diagnostic, error.status))
        }
    }

    private mutating func lint(_ bytes: [UInt8], _ name: String) -> [Diagnostic] {
        switch kind ?? FileKind(of: bytes, name: name) {
        case .association:
            let file = AssociationReading(bytes, file: name)
            associations.append(file)
            isWhole = isWhole && file.isRead
            if SignedPayload.isLikely(bytes), let payload = SignedPayload(bytes) {
                sources.add(payload.content, of: name)
            }
            return (signatures?.findings(in: bytes, name) ?? []) + Linter.lint(file)
        case .assetLinks:
            let links = PublishedAssetLinks(.init(bytes, name: name), includes: includes)
            verdicts.append(links)
            let files = links.files.map { AssetLinksReading($0.json, file: $0.name) }
            assetLinks.append(files[0])
            isWhole = isWhole && files[0].json.isValid
            let others = files.dropFirst().filter { included.insert($0.file).inserted }
            return Linter.lint(files[0], with: links)
                + others.flatMap { Linter.lint($0, with: links) }
        case .configuration: return lintConfiguration(bytes, name)
        }
    }

    /// Compares the two files of a host, if one of each kind was read.
    mutating func compare() {
        guard associations.count == 1, assetLinks.count == 1 else { return }
        findings += Linter.compare(associations[0], assetLinks[0])
    }

    private mutating func lintConfiguration(_ bytes: [UInt8], _ name: String) -> [Diagnostic] {
        readsConfiguration = true
        let (configuration, diagnostics) = Configuration.read(bytes, file: name)
        guard let configuration else {
            isWhole = false
            return diagnostics
        }
        var findings = diagnostics + configuration.lintFindings
        findings += configuration.runLinkTests().flatMap(\.diagnostics)
        findings += Array(Set(configuration.publicFileFindings))
        guard let environment else { return findings.inOrder }
        guard let asked = configuration.environment(named: environment) else {
            unread.append((configuration.unknownEnvironment(environment), .configurationInvalid))
            return findings.inOrder
        }
        let check = StartCheck(asked)
        if check.fault != nil { start = start ?? check }
        return (findings + check.findings.filter { !Self.has(findings, $0) }).inOrder
    }

    /// Whether a finding is said already. A redirect that never ends is found by its template and by
    /// walking it.
    private static func has(_ findings: [Diagnostic], _ other: Diagnostic) -> Bool {
        findings.contains { known in
            known == other
                || known.rule == .redirectLoop && other.rule == .redirectLoop
                    && known.position == other.position
        }
    }

    private mutating func take(_ error: FileError, _ name: String, isStream: Bool) {
        isWhole = false
        let (rule, fact, status): (RuleName, String, ExitCode?) =
            switch error {
            case .missing: (.fileMissing, error.words(at: name), .inputMissing)
            case .noPermission: (.filePermission, "no permission to read the file", .noPermission)
            case .tooLarge(let bytes, let limit):
                (.fileSize, "file has \(bytes) bytes, may have \(limit)", nil)
            default:
                (
                    .fileUnreadable, "the file cannot be read: \(error)",
                    isStream ? .inputMissing : nil
                )
            }
        let position = SourcePosition(file: name, line: 1, column: 1)
        let diagnostic = Diagnostic(
            .error, rule, at: position, fact, advice: error.linkCure(at: name))
        if let status {
            unread.append((diagnostic, status))
        } else {
            findings.append(diagnostic)
        }
    }
}

extension Configuration {
    /// The findings of lint in it now, besides those of its reader.
    var lintFindings: [Diagnostic] {
        Linter.lint(self, at: Clock.unixSeconds) { site in
            FileStamp(of: site.publicDirectory.path + "/index.html") != nil
                || LinkResolver(site).hasAction("https://\(site.exampleHost)/")
        }
    }
}

extension ConfigurationOptions {
    /// The findings of lint in the file; nil if it has another configuration than the one with this digest.
    func findings(ofDigest digest: String) -> [Diagnostic]? {
        let reading = read(servesOthers: true)
        guard let configuration = reading.configuration,
            reading.environment?.digest.isScalarwise(digest) == true
        else { return nil }
        return (reading.diagnostics + configuration.lintFindings).inOrder
    }
}

/// A configuration can be larger than a JSON file, whose reader has a limit of its own.
private let bytesMax = ConfigurationLimits.fileBytesMax
