package import Associations
private import SiteConfiguration
private import URISyntax

/// Existing association files and redirects, as the parts of a configuration that means the same.
package struct Migration {
    var apps = [PlannedApp]()
    var links = [PlannedLink]()
    var environments = [PlannedEnvironment]()
    var untranslated = [Untranslated]()
    var unmatched: (page: String, status: Int)?
    var unmatchedSource: SourceLine?
    /// The hosts that the files name, in their order.
    package private(set) var hosts = [String]()
    var names = NameSupply()
    var linksByRules = [[[[UInt8]]]: String]()
    /// Rules that the reader has refused: the number of the link, and of the rule in it.
    var removed = Set<[Int]>()
    /// The names of environments, by the directories of association files.
    private var environmentNumbers = [String: Int]()
    private var knownRedirects = Set<String>()
    /// Association files that were read, and the number of their environment.
    package private(set) var appleFiles = [(reading: AssociationReading, environment: Int)]()
    package private(set) var androidFiles = [(reading: AssetLinksReading, environment: Int)]()

    package init() {}

    /// A kind of file that can be read.
    package enum Kind: String, Sendable, CaseIterable {
        case apple, android, netlify, nginx, apache, csv

        /// The kind of a file; nil for any other.
        package init?(of bytes: [UInt8], path: String) {
            let name =
                path.utf8.split(separator: UInt8(ascii: "/")).last.map {
                    String(decoding: $0, as: UTF8.self).lowercased()
                } ?? ""
            let first = bytes.first { $0 > 0x20 && $0 < 0x7F }
            let text = String(decoding: bytes.prefix(Self.sampleBytes), as: UTF8.self)
                .lowercased()
            let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
            if name.utf8.starts(with: "_redirects".utf8) {
                self = .netlify
            } else if name == ".htaccess" {
                self = .apache
            } else if name.hasSuffix(".csv") || name.hasSuffix(".tsv") {
                self = .csv
            } else if has("applinks", "webcredentials", "appclips", "activitycontinuation"),
                looksLikeJSON || name.hasPrefix("apple-app-site-association")
            {
                self = .apple
            } else if looksLikeJSON, has("\"relation\"", "package_name") {
                self = .android
            } else if name.hasPrefix("apple-app-site-association") {
                self = .apple
            } else if name == "assetlinks.json" {
                self = .android
            } else if looksLikeJSON {
                return nil
            } else if name.hasSuffix(".conf") || has("server {", "location ", "server{") {
                let isApache = has(
                    "rewriterule", "redirectmatch", "redirect ", "redirectpermanent",
                    "<virtualhost",
                    "servername")
                self = isApache ? .apache : .nginx
            } else if has("rewriterule", "redirectmatch", "redirect ") {
                self = .apache
            } else if first == UInt8(ascii: "/"), text.prefix(200).contains(",") {
                self = .csv
            } else if first == UInt8(ascii: "/") {
                self = .netlify
            } else {
                return nil
            }
        }

        private static let sampleBytes = 65_536
    }

    /// Adds a file, which is read as its kind.
    package mutating func add(_ bytes: [UInt8], as kind: Kind, file: String) {
        switch kind {
        case .apple:
            let environment = environment(of: file)
            let reading = AssociationReading(bytes, file: file)
            guard !appleFiles.contains(where: { $0.environment == environment }) else { return }
            appleFiles.append((reading, environment))
            addApple(reading, to: environment)
        case .android:
            let environment = environment(of: file)
            let reading = AssetLinksReading(bytes, file: file)
            guard !androidFiles.contains(where: { $0.environment == environment }) else { return }
            androidFiles.append((reading, environment))
            addAndroid(reading, to: environment)
        case .netlify: add(.netlify(bytes, file: file))
        case .nginx: add(.nginx(bytes, file: file))
        case .apache: add(.apache(bytes, file: file))
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
        environments.append(PlannedEnvironment(name: name))
        environmentNumbers[directory] = environments.count - 1
        return environments.count - 1
    }

    private mutating func add(_ file: RedirectFile) {
        for host in file.hosts.map({ $0.lowercased() }) where !hosts.contains(host) {
            guard let name = try? HostName(host), !name.isAddress else { continue }
            hosts.append(host)
        }
        if unmatched == nil {
            (unmatched, unmatchedSource) = (file.unmatched, file.unmatchedSource)
        }
        untranslated += file.untranslated
        for rule in file.rules { add(rule) }
    }

    /// The first rule for the same paths decides, as on most servers.
    private mutating func add(_ rule: RedirectRule) {
        let query = rule.query.map { "\($0.name)=\($0.pattern)" }.joined(separator: "&")
        let identity = "\(rule.isCaseSensitive) \(rule.match.joined(separator: " ")) ?\(query)"
        guard knownRedirects.insert(identity).inserted else {
            untranslated.append(
                Untranslated(source: rule.source, reason: "an earlier line has the same path"))
            return
        }
        func ruleText(_ path: String, excludes: Bool) -> PlannedRule {
            var text = RuleText(path: path, exclude: excludes)
            text.caseSensitive = rule.isCaseSensitive
            if !excludes, !rule.query.isEmpty {
                text.query = .items(
                    rule.query.map { QueryItemPattern(name: $0.name, pattern: $0.pattern) })
            }
            return PlannedRule(rule: text, source: rule.source)
        }
        var link = PlannedLink(
            key: names.name(for: rule.match[0], otherwise: "all"),
            rules: rule.exclude.map { ruleText($0, excludes: true) }
                + rule.match.map { ruleText($0, excludes: false) })
        link.answer = rule.answer
        link.source = rule.source
        link.notes = rule.notes
        if rule.answer == .notFound, rule.status == 410 {
            link.answer = .gone
        } else if rule.answer == .notFound, rule.status != 404 {
            link.notes.append("404 instead of \(rule.status)")
        } else if let status = RedirectStatus(rawValue: rule.status) {
            link.status = status
        } else if (300...399).contains(rule.status) {
            link.notes.append("302 instead of \(rule.status)")
        }
        links.append(link)
    }
}
