package import Associations
private import SiteConfiguration
private import URISyntax

/// Existing association files and redirects, as the parts of a configuration that means the same.
package struct Migration {
    var apps = [PlannedApp]()
    var links = [PlannedLink]()
    var environments = [PlannedEnvironment]()
    var untranslated = [Untranslated]()
    /// Parts that need no equal.
    var notNeeded = [Untranslated]()
    /// The sites of the configuration; one, unless the files name several.
    var sites = [PlannedSite]()
    /// Redirects of all files, in their order.
    private(set) var redirects = [RedirectRule]()
    private(set) var unmatchedPages = [UnmatchedPage]()
    /// The hosts that the files name, in their order, each once.
    private(set) var hosts = [String]()
    private var knownHosts = Set<String>()
    /// Whether redirects without a host are also for hosts that no file names.
    private(set) var isForOtherHosts = false
    /// The faults for which a server would refuse a file. Then nothing is written.
    package private(set) var faults = [RedirectFault]()
    /// Directories whose own rules replace those of the directories above, as patterns.
    private var rewritingDirectories = [(host: String?, pattern: String)]()
    /// The includes of all files outside of their hosts.
    var includes = [IncludedPath]()
    /// Answers for association files, which the configuration has itself.
    var ownAnswers = [(file: AssociationPath, answer: RedirectRule.Answer, source: SourceLine)]()
    /// The directories of documents that the files name, and where.
    package private(set) var documents = [(path: String, place: String)]()
    /// The files and directories that were found in the directories that were given.
    package var found = FoundPaths()
    var names = NameSupply()
    var linksByRules = [[[[UInt8]]]: String]()
    /// Rules that the reader has refused: the number of the link, and of the rule in it.
    var removed = Set<[Int]>()
    /// The names of environments, by the directories of association files.
    private var environmentNumbers = [String: Int]()
    /// The content of the first association files, by whose they are and their environment.
    private var firstFiles = [String: [UInt8]]()
    /// Association files that were read, and the number of their environment.
    package private(set) var appleFiles = [(reading: AssociationReading, environment: Int)]()
    package private(set) var androidFiles = [(reading: AssetLinksReading, environment: Int)]()

    /// The paths that the app of the `assetlinks.json` takes which is being added; all if there are none.
    private(set) var androidPaths = [String]()

    package init() {}

    /// Adds an `assetlinks.json` with what it does not have.
    /// - Parameter paths: patterns of the paths that the app's manifest takes; all paths if there are none.
    package mutating func add(android bytes: [UInt8], file: String, paths: [String]) {
        androidPaths = paths.map { $0 == "/*" ? "*" : $0 }
        add(bytes, as: .android, file: file)
        androidPaths = []
    }

    /// Adds a file, which is read as its kind.
    /// - Parameters:
    ///   - base: the path of the directory of a `.htaccess`, with a slash at its end. Those of deeper
    ///     directories are added first, because they come first.
    ///   - host: the host of which a directory around it has the name.
    package mutating func add(
        _ bytes: [UInt8], as kind: Kind, file: String, below base: String = "/",
        host: String? = nil, isPart: Bool = false
    ) {
        switch kind {
        case .apple:
            let environment = environment(of: file)
            let reading = AssociationReading(bytes, file: file)
            guard isFirst(bytes, of: "Apple's", environment, file) else { return }
            appleFiles.append((reading, environment))
            addApple(reading, to: environment)
        case .android:
            let environment = environment(of: file)
            let reading = AssetLinksReading(bytes, file: file)
            guard isFirst(bytes, of: "Google's", environment, file) else { return }
            androidFiles.append((reading, environment))
            addAndroid(reading, to: environment)
        case .netlify: add(.netlify(bytes, file: file))
        case .nginx, .caddy:
            let read: RedirectFile =
                kind == .nginx ? .nginx(bytes, file: file) : .caddy(bytes, file: file)
            add(isPart ? read.asPart() : read)
        case .apache:
            let isDirectory = file.utf8.suffix(9).elementsEqual(".htaccess".utf8)
            var read = RedirectFile.apache(bytes, file: file, below: isDirectory ? base : nil)
            if let host { read.belong(to: host) }
            addApache(read, below: base, of: host)
        case .vercel: add(.vercel(bytes, file: file))
        case .firebase: add(.firebase(bytes, file: file))
        case .csv: add(.csv(bytes, file: file))
        }
    }

    /// Association files of one directory belong to one environment, whose name is the directory's.
    private mutating func environment(of file: String) -> Int {
        var parts = file.utf8.split(separator: UInt8(ascii: "/")).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
        parts = parts.filter { ![".well-known", ".", "..", "public", "static"].contains($0) }
        let directory = parts.joined(separator: "/")
        if let known = environmentNumbers[directory] { return known }
        var supply = NameSupply()
        var name = supply.name(for: parts.last ?? "dev", otherwise: "dev")
        while environments.contains(where: { $0.name == name }) { name += "-2" }
        var environment = PlannedEnvironment(name: name)
        environment.host = parts.last.flatMap(Self.hostName)
        environments.append(environment)
        environmentNumbers[directory] = environments.count - 1
        return environments.count - 1
    }

    /// The host of which a directory has the name.
    package static func hostName(_ directory: String) -> String? {
        guard directory.utf8.contains(UInt8(ascii: ".")), let host = try? HostName(directory),
            !host.isAddress
        else { return nil }
        return "\(host)"
    }

    /// Whether an association file is the first one of its environment. Another one that differs is
    /// listed, because it cannot be told which of them is served.
    private mutating func isFirst(
        _ bytes: [UInt8], of whose: String, _ environment: Int, _ file: String
    ) -> Bool {
        let key = "\(whose) \(environment)"
        guard let first = firstFiles[key] else {
            firstFiles[key] = bytes
            return true
        }
        if first != bytes {
            untranslated.append(
                Untranslated(
                    source: SourceLine(file: file, line: 1, text: ""),
                    reason: "another file before it is \(whose) file of this environment"))
        }
        return false
    }

    private mutating func add(_ file: RedirectFile) {
        faults += file.faults
        includes += file.includes
        documents += file.documents.map { ($0.path, "\($0.source.file):\($0.source.line)") }
        for host in file.hosts.map({ $0.lowercased() }) where !knownHosts.contains(host) {
            let name = host.utf8.starts(with: "*.".utf8) ? String(host.dropFirst(2)) : host
            guard let name = try? HostName(name), !name.isAddress else { continue }
            hosts.append(host)
            knownHosts.insert(host)
        }
        for page in file.unmatched {
            let isForEach = page.keepsHost && !page.hosts.isEmpty
            for hosts in isForEach
                ? plainHosts(page.hosts, page.source).map({ [$0] }) : [page.hosts]
            {
                unmatchedPages.append(page)
                unmatchedPages[unmatchedPages.count - 1].hosts = hosts
            }
        }
        // A file that names no host belongs to the hosts of others.
        let namesHosts = file.rules.contains { !$0.hosts.isEmpty }
        isForOtherHosts = isForOtherHosts || (file.isForOtherHosts && namesHosts)
        untranslated += file.untranslated
        notNeeded += file.notNeeded
        for var rule in file.rules {
            let names = rule.removeAssociationFiles()
            ownAnswers += names.map { ($0, rule.answer, rule.source) }
            guard names.isEmpty || !rule.match.isEmpty else { continue }
            if let reason = rule.fault {
                untranslated.append(Untranslated(source: rule.source, reason: reason))
            } else if redirects.count > Self.redirectsMax {
                untranslated.append(
                    Untranslated(
                        source: rule.source,
                        reason: "there are more than \(Self.redirectsMax) redirects of hosts"))
            } else if rule.keepsHost, !rule.hosts.isEmpty {
                for host in plainHosts(rule.hosts, rule.source) {
                    redirects.append(rule)
                    redirects[redirects.count - 1].hosts = [host]
                }
            } else {
                redirects.append(rule)
            }
        }
    }

    /// The hosts that a destination can be on, of those that a request can name.
    private mutating func plainHosts(_ hosts: [String], _ source: SourceLine) -> [String] {
        for host in hosts where host.utf8.first == UInt8(ascii: "*") {
            untranslated.append(
                Untranslated(
                    source: source,
                    reason: "of \(host) each host would have a destination of its own, and a link "
                        + "has one"))
        }
        return hosts.filter { $0.utf8.first != UInt8(ascii: "*") }
    }

    /// A rule for each of many hosts becomes as many.
    private static let redirectsMax = 400_000

    /// A directory that says anything about rewriting does not inherit those of the directories above.
    private mutating func addApache(_ file: RedirectFile, below base: String, of host: String?) {
        var file = file
        let deeper = rewritingDirectories.filter {
            $0.host == host && $0.pattern.utf8.starts(with: base.utf8)
        }.map(\.pattern)
        for (number, rule) in file.rules.enumerated() where rule.source.isRewrite {
            file.exclude(deeper.map { ExcludedPaths(pattern: $0) }, fromRule: number)
        }
        add(file)
        guard base != "/", file.setsRewriting,
            rewritingDirectories.count < Self.rewritingDirectoriesMax
        else { return }
        rewritingDirectories.append((host, literalPattern(base, isDecoded: true) + "*"))
    }

    /// Rules and directories meet each other, so that their number is bounded.
    private static let rewritingDirectoriesMax = 100
}

extension SourceLine {
    fileprivate var isRewrite: Bool {
        text.utf8.prefix(11).map { $0 | 0x20 }.elementsEqual("rewriterule".utf8)
    }
}

extension RedirectRule {
    /// The reason why no link can be made of it; nil if one can, as far as the rule alone says.
    fileprivate var fault: String? {
        if let escape = match.lazy.compactMap(escapedEscape).first {
            return "it needs a path with \(escape), which is answered with 400; paths are compared "
                + "without escapes"
        }
        let text: String
        switch answer {
        case .url(let url): text = url
        case .own(let path): text = "https://\(localHost)\(path)"
        case .page, .notFound, .gone: return nil
        }
        guard let template = URLTemplate(text) else { return unusableDestination }
        let needed = template.starsNeeded
        let stars = match.map { $0.utf8.count { $0 == UInt8(ascii: "*") } }.min() ?? 0
        return needed > stars ? "{\(needed)} needs as many stars in each pattern" : nil
    }
}

/// The first percent sign of a pattern that is escaped, and would begin an escape.
private func escapedEscape(_ pattern: String) -> String? {
    let bytes = Array(pattern.utf8)
    let start = bytes.indices.dropLast(4).first { index in
        bytes[index...].starts(with: "%25".utf8) && bytes[index + 3].hexDigitValue != nil
            && bytes[index + 4].hexDigitValue != nil
    }
    return start.map { String(decoding: bytes[$0..<($0 + 5)], as: UTF8.self) }
}
